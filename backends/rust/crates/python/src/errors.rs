//! The one place where an engine error becomes a Python exception.

use lowtime_engine::EngineError;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// The exception of `lowtime.errors` that stands for an engine error.
pub fn to_python(py: Python<'_>, error: &EngineError) -> PyErr {
    let name = match error {
        EngineError::Memory(_) => return PyMemoryError::new_err(error.to_string()),
        EngineError::Invalid(_) => "InvalidNetwork",
        EngineError::Range(_) => "CapacityRange",
        // Who asked the engine to stop has an exception of its own to raise.
        EngineError::Stopped => "BackendFault",
    };
    let made = py
        .import("lowtime.errors")
        .and_then(|module| module.getattr(name))
        .and_then(|class| class.call1((error.to_string(),)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(failure) => failure,
    }
}
