//! Maximum flows of arrays.

use std::time::{Duration, Instant};

use lowtime_engine::{EngineError, MaxFlow, Network, edmonds_karp, max_flow_while};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::errors::to_python;

/// A long solve looks this often whether a signal (Ctrl-C) came in.
const TURN: Duration = Duration::from_millis(40);

type Answer<'py> = PyResult<(i64, Bound<'py, PyArray1<i64>>)>;

/// Below this many arcs a solve takes less time than other threads gain from a released GIL.
const KEEP_GIL_BELOW: usize = 64;

macro_rules! solver {
    ($name:ident, $solve:path, $doc:literal) => {
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(signature = (num_nodes, tail, head, capacity, source, sink, /))]
        pub fn $name<'py>(
            py: Python<'py>,
            num_nodes: usize,
            tail: PyReadonlyArray1<'py, i32>,
            head: PyReadonlyArray1<'py, i32>,
            capacity: PyReadonlyArray1<'py, i64>,
            source: usize,
            sink: usize,
        ) -> Answer<'py> {
            let network = Network {
                num_nodes,
                tail: tail.as_slice()?,
                head: head.as_slice()?,
                capacity: capacity.as_slice()?,
                source,
                sink,
            };
            answer(py, &network, $solve)
        }
    };
}

solver!(max_flow, interruptible, "Value and flow of a maximum flow, by the engine.");
solver!(
    max_flow_edmonds_karp_sparse,
    sparse,
    "Value and flow of a maximum flow, by Edmonds-Karp on ordered maps."
);
solver!(
    max_flow_edmonds_karp_dense,
    dense,
    "Value and flow of a maximum flow, by Edmonds-Karp on matrices."
);

fn answer<'py>(
    py: Python<'py>,
    network: &Network<'_>,
    solve: fn(&Network<'_>) -> PyResult<MaxFlow>,
) -> Answer<'py> {
    let solved = if network.num_arcs() < KEEP_GIL_BELOW {
        solve(network)
    } else {
        py.detach(|| solve(network))
    };
    let solved = solved?;
    Ok((solved.value, PyArray1::from_vec(py, solved.flow)))
}

/// The engine's solver; Python's signal handlers run every [`TURN`], and what they raise ends it.
fn interruptible(network: &Network<'_>) -> PyResult<MaxFlow> {
    let mut signal = Ok(());
    let mut last = Instant::now();
    let solved = max_flow_while(network, &mut || {
        if last.elapsed() > TURN {
            signal = Python::attach(|py| py.check_signals());
            last = Instant::now();
        }
        signal.is_ok()
    });
    signal?;
    raised(solved)
}

fn sparse(network: &Network<'_>) -> PyResult<MaxFlow> {
    raised(edmonds_karp::sparse(network))
}

fn dense(network: &Network<'_>) -> PyResult<MaxFlow> {
    raised(edmonds_karp::dense(network))
}

fn raised(solved: Result<MaxFlow, EngineError>) -> PyResult<MaxFlow> {
    solved.map_err(|error| Python::attach(|py| to_python(py, &error)))
}
