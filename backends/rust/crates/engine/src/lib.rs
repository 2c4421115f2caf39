//! Maximum flows and time-cost frontiers on integer networks.
//!
//! Everything is `i64` and exact. Nothing here knows about Python.
#![forbid(unsafe_code)]

pub mod blocking_flow;
pub mod edmonds_karp;
pub mod error;
pub mod frontier;
pub mod network;
pub mod residual;

pub use error::EngineError;
pub use network::{MaxFlow, Network};

/// A maximum flow by the engine's own solver.
///
/// # Errors
/// [`EngineError`] when the network breaks a rule of [`Network`].
pub fn max_flow(network: &Network<'_>) -> Result<MaxFlow, EngineError> {
    network.check()?;
    Ok(blocking_flow::max_flow(network))
}
