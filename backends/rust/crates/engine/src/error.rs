//! Why there is no result.

use std::fmt;

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The arrays contradict each other or name something that does not exist.
    Invalid(String),
    /// Numbers or sizes are beyond what is exact, or beyond what the solver takes.
    Range(String),
    /// So many bytes are not to be had.
    Memory(usize),
    /// The caller asked to stop.
    Stopped,
}

impl fmt::Display for EngineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(message) | Self::Range(message) => formatter.write_str(message),
            Self::Memory(bytes) => {
                write!(formatter, "out of memory: about {} MiB needed", bytes >> 20)
            }
            Self::Stopped => formatter.write_str("stopped by the caller"),
        }
    }
}

impl std::error::Error for EngineError {}

/// Below this nobody asks first: allocating so little does not fail.
const ASK_FROM: usize = 1 << 26;

/// Asks for so many bytes and gives them back at once: an allocation that fails later would end the
/// process.
///
/// # Errors
/// [`EngineError::Memory`] when they are not to be had.
pub fn ask_for_memory(bytes: usize) -> Result<(), EngineError> {
    let asked = if bytes < ASK_FROM { Ok(()) } else { Vec::<u8>::new().try_reserve_exact(bytes) };
    asked.map_err(|_| EngineError::Memory(bytes))
}
