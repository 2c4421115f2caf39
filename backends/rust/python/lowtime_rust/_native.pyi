from typing import Final, Self, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "MAX_DENSE_NODES",
    "FrontierSession",
    "max_flow",
    "max_flow_edmonds_karp_dense",
    "max_flow_edmonds_karp_sparse",
]

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

@final
class FrontierSession:
    def __new__(
        cls,
        num_events: int,
        tail: NDArray[np.int32],
        head: NDArray[np.int32],
        shortest: NDArray[np.int64],
        longest: NDArray[np.int64],
        table: NDArray[np.int32],
        table_start: NDArray[np.int64],
        piece_start: NDArray[np.int64],
        piece_end: NDArray[np.int64],
        marginal: NDArray[np.int64],
        unbounded: int,
        state: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], bool] | None,
        /,
    ) -> Self: ...
    def advance(
        self, max_segments: int, /
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.int8],
        bool,
    ]: ...
    def state(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], bool]: ...
    def counters(self) -> dict[str, int]: ...
