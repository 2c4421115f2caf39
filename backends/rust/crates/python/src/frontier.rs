//! Frontier sessions on arrays.

use std::sync::{Mutex, MutexGuard, PoisonError};

use lowtime_engine::frontier::{Activity, Segments, Session, State};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::to_python;

type Array<'py, T> = PyReadonlyArray1<'py, T>;
type StateArrays<'py> = (Array<'py, i64>, Array<'py, i64>, Array<'py, i64>, bool);
type NewArray<'py, T> = Bound<'py, PyArray1<T>>;

/// A crash loop that stands at one point of a frontier; safe to share between threads.
#[pyclass(frozen, module = "lowtime_rust._native")]
pub struct FrontierSession {
    session: Mutex<Session>,
}

impl FrontierSession {
    /// The session; one that panicked before is as whole as any: a panic reached Python as an error.
    fn lock(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl FrontierSession {
    /// A session at the longest schedule, or where `state` was taken.
    #[new]
    #[pyo3(signature = (
        num_events, tail, head, shortest, longest, table, table_start, piece_start, piece_end,
        marginal, unbounded, state, /
    ))]
    #[expect(clippy::too_many_arguments, reason = "one array each, as in ActivityNetwork")]
    fn new<'py>(
        py: Python<'py>,
        num_events: usize,
        tail: Array<'py, i32>,
        head: Array<'py, i32>,
        shortest: Array<'py, i64>,
        longest: Array<'py, i64>,
        table: Array<'py, i32>,
        table_start: Array<'py, i64>,
        piece_start: Array<'py, i64>,
        piece_end: Array<'py, i64>,
        marginal: Array<'py, i64>,
        unbounded: i64,
        state: Option<StateArrays<'py>>,
    ) -> PyResult<Self> {
        let activity = Activity {
            num_events,
            tail: tail.as_slice()?.to_vec(),
            head: head.as_slice()?.to_vec(),
            shortest: shortest.as_slice()?.to_vec(),
            longest: longest.as_slice()?.to_vec(),
            table: table.as_slice()?.to_vec(),
            table_start: table_start.as_slice()?.to_vec(),
            piece_start: piece_start.as_slice()?.to_vec(),
            piece_end: piece_end.as_slice()?.to_vec(),
            marginal: marginal.as_slice()?.to_vec(),
            unbounded,
        };
        let state = match state {
            None => None,
            Some((duration, event_time, flow, done)) => Some(State {
                duration: duration.as_slice()?.to_vec(),
                event_time: event_time.as_slice()?.to_vec(),
                flow: flow.as_slice()?.to_vec(),
                done,
            }),
        };
        let session =
            py.detach(|| Session::new(activity, state)).map_err(|error| to_python(py, &error))?;
        Ok(Self { session: Mutex::new(session) })
    }

    /// Length, slope, offset, arc and sign of the next segments, and whether they are the last.
    #[pyo3(signature = (max_segments, /))]
    #[expect(clippy::type_complexity, reason = "the fields of Segments, in order")]
    fn advance<'py>(
        &self,
        py: Python<'py>,
        max_segments: usize,
    ) -> (
        NewArray<'py, i64>,
        NewArray<'py, i64>,
        NewArray<'py, i64>,
        NewArray<'py, i32>,
        NewArray<'py, i8>,
        bool,
    ) {
        let Segments { length, slope, offset, arc, sign, done } =
            py.detach(|| self.lock().advance(max_segments));
        (
            PyArray1::from_vec(py, length),
            PyArray1::from_vec(py, slope),
            PyArray1::from_vec(py, offset),
            PyArray1::from_vec(py, arc),
            PyArray1::from_vec(py, sign),
            done,
        )
    }

    /// Duration, event time and flow where the session stands, and whether it is done.
    fn state<'py>(
        &self,
        py: Python<'py>,
    ) -> (NewArray<'py, i64>, NewArray<'py, i64>, NewArray<'py, i64>, bool) {
        let State { duration, event_time, flow, done } = py.detach(|| self.lock().state());
        (
            PyArray1::from_vec(py, duration),
            PyArray1::from_vec(py, event_time),
            PyArray1::from_vec(py, flow),
            done,
        )
    }

    /// Work done so far, by name.
    fn counters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counters = py.detach(|| self.lock().counters());
        let named = PyDict::new(py);
        for (name, count) in counters.named() {
            named.set_item(name, count)?;
        }
        Ok(named)
    }
}
