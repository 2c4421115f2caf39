//! Maximum flows of arrays.

use lowtime_engine::{EngineError, MaxFlow, Network, edmonds_karp};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::errors::to_python;

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

solver!(max_flow, lowtime_engine::max_flow, "Value and flow of a maximum flow, by the engine.");
solver!(
    max_flow_edmonds_karp_sparse,
    edmonds_karp::sparse,
    "Value and flow of a maximum flow, by Edmonds-Karp on ordered maps."
);
solver!(
    max_flow_edmonds_karp_dense,
    edmonds_karp::dense,
    "Value and flow of a maximum flow, by Edmonds-Karp on matrices."
);

fn answer<'py>(
    py: Python<'py>,
    network: &Network<'_>,
    solve: fn(&Network<'_>) -> Result<MaxFlow, EngineError>,
) -> Answer<'py> {
    let solved = if network.num_arcs() < KEEP_GIL_BELOW {
        solve(network)
    } else {
        py.detach(|| solve(network))
    };
    let solved = solved.map_err(|error| to_python(py, &error))?;
    Ok((solved.value, PyArray1::from_vec(py, solved.flow)))
}
