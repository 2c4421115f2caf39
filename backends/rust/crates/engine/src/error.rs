//! Why there is no result: what can be wrong with an input, and a caller that asked to stop.

use std::fmt;

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The arrays contradict each other or name something that does not exist.
    Invalid(String),
    /// Numbers or sizes are beyond what is exact, or beyond what the solver takes.
    Range(String),
    /// The caller asked to stop.
    Stopped,
}

impl fmt::Display for EngineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(message) | Self::Range(message) => formatter.write_str(message),
            Self::Stopped => formatter.write_str("stopped by the caller"),
        }
    }
}

impl std::error::Error for EngineError {}
