//! What can be wrong with an input.

use std::fmt;

/// Why an input was refused. Nothing is computed when one of these is returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The arrays contradict each other or name something that does not exist.
    Invalid(String),
    /// Numbers or sizes are beyond what is exact, or beyond what the solver takes.
    Range(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(message) | Self::Range(message) => formatter.write_str(message),
        }
    }
}

impl std::error::Error for EngineError {}
