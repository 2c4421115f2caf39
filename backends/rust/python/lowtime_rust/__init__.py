"""Native backends of lowtime: our own solver, and Edmonds-Karp on two capacity stores."""

from lowtime_rust.edmonds_karp import DenseEdmondsKarpBackend, SparseEdmondsKarpBackend
from lowtime_rust.engine import RustBackend
from lowtime_rust.version import __version__

__all__ = ["DenseEdmondsKarpBackend", "RustBackend", "SparseEdmondsKarpBackend", "__version__"]
