from typing import Final

import numpy as np
from numpy.typing import NDArray

MAX_DENSE_NODES: Final[int]

def max_flow(
    num_nodes: int,
    tail: NDArray[np.int32],
    head: NDArray[np.int32],
    capacity: NDArray[np.int64],
    source: int,
    sink: int,
    /,
) -> tuple[int, NDArray[np.int64]]: ...
def max_flow_edmonds_karp_sparse(
    num_nodes: int,
    tail: NDArray[np.int32],
    head: NDArray[np.int32],
    capacity: NDArray[np.int64],
    source: int,
    sink: int,
    /,
) -> tuple[int, NDArray[np.int64]]: ...
def max_flow_edmonds_karp_dense(
    num_nodes: int,
    tail: NDArray[np.int32],
    head: NDArray[np.int32],
    capacity: NDArray[np.int64],
    source: int,
    sink: int,
    /,
) -> tuple[int, NDArray[np.int64]]: ...
