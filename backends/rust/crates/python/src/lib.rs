//! Python bindings: check arrays, release the GIL, call the engine, convert.
#![deny(unsafe_code)]

mod errors;
mod frontier;
mod max_flow;

use pyo3::prelude::*;

/// The native half of `lowtime_rust`.
#[pymodule(gil_used = false)]
mod _native {
    /// The most nodes that the dense capacity store takes.
    #[pymodule_export]
    const MAX_DENSE_NODES: usize = lowtime_engine::edmonds_karp::MAX_DENSE_NODES;

    #[pymodule_export]
    use super::frontier::FrontierSession;
    #[pymodule_export]
    use super::max_flow::{max_flow, max_flow_edmonds_karp_dense, max_flow_edmonds_karp_sparse};
}
