//! Maximum flows and time-cost frontiers on integer networks.
//!
//! Everything is `i64` and exact. Nothing here knows about Python.
#![forbid(unsafe_code)]

pub mod blocking_flow;
pub mod edmonds_karp;
pub mod error;
pub mod frontier;
pub mod network;
pub mod push_relabel;
pub mod residual;

pub use error::EngineError;
pub use network::{MaxFlow, Network};

/// A maximum flow by the engine's own solver.
///
/// # Errors
/// [`EngineError`] when the network breaks a rule of [`Network`].
pub fn max_flow(network: &Network<'_>) -> Result<MaxFlow, EngineError> {
    max_flow_while(network, &mut || true)
}

/// A maximum flow by the engine's own solver, as long as `go_on` says so; it is asked at least every
/// few milliseconds, and often when that costs little.
///
/// # Errors
/// As [`max_flow`]; also [`EngineError::Stopped`].
pub fn max_flow_while(
    network: &Network<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<MaxFlow, EngineError> {
    network.check()?;
    let mut residual = residual::Residual::new(network);
    let (source, sink) = (network.source as u32, network.sink as u32);
    let value = push_relabel::augment(&mut residual, source, sink, go_on)?;
    Ok(MaxFlow { value, flow: residual.flow(network.capacity) })
}
