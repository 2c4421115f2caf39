//! The point where a session stands, checked before another one goes on from there.

use super::activity::{Activity, MAX_TOTAL_TIME};
use super::place::Place;
use crate::EngineError;

/// The point where a session stands, as plain arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// `[m]`, quanta.
    pub duration: Vec<i64>,
    /// `[n]`, quanta.
    pub event_time: Vec<i64>,
    /// `[m]`, cost units per quantum.
    pub flow: Vec<i64>,
    /// Whether the shortest schedule is reached.
    pub done: bool,
}

impl State {
    /// The state at the longest schedule.
    #[must_use]
    pub fn longest(activity: &Activity) -> Self {
        Self {
            event_time: activity.earliest_times(&activity.longest),
            duration: activity.longest.clone(),
            flow: vec![0; activity.num_arcs()],
            done: false,
        }
    }

    /// How much later an arc could end, quanta; event times are within the range that was checked.
    #[must_use]
    pub fn slack(&self, activity: &Activity, arc: usize) -> i64 {
        let (tail, head) = (activity.tail[arc] as usize, activity.head[arc] as usize);
        self.event_time[head] - self.event_time[tail] - self.duration[arc]
    }

    /// Checks that the state belongs to a checked project and proves its own optimality.
    ///
    /// # Errors
    /// [`EngineError::Invalid`] names what contradicts the project.
    pub fn check(&self, activity: &Activity) -> Result<(), EngineError> {
        self.check_sizes(activity)?;
        for arc in 0..activity.num_arcs() {
            self.check_arc(activity, arc)?;
        }
        self.check_conservation(activity)
    }

    fn check_sizes(&self, activity: &Activity) -> Result<(), EngineError> {
        let (n, m) = (activity.num_events, activity.num_arcs());
        if self.duration.len() == m && self.flow.len() == m && self.event_time.len() == n {
            let range = -MAX_TOTAL_TIME..=MAX_TOTAL_TIME;
            return match self.event_time.iter().position(|time| !range.contains(time)) {
                None => Ok(()),
                Some(event) => Err(EngineError::Invalid(format!(
                    "the state's event {event} is more than 2^62 quanta from 0"
                ))),
            };
        }
        Err(EngineError::Invalid(format!(
            "the state has {} durations, {} flows and {} event times for {m} arcs and {n} events",
            self.duration.len(),
            self.flow.len(),
            self.event_time.len()
        )))
    }

    fn check_arc(&self, activity: &Activity, arc: usize) -> Result<(), EngineError> {
        let refuse = |what: &str| EngineError::Invalid(format!("the state's arc {arc} {what}"));
        let (duration, flow) = (self.duration[arc], self.flow[arc]);
        if duration < activity.shortest[arc] || duration > activity.longest[arc] {
            return Err(refuse("lasts less than its shortest or more than its longest duration"));
        }
        let slack = self.slack(activity, arc);
        if slack < 0 {
            return Err(refuse("ends after its head event"));
        }
        let place = Place::new(activity, arc, duration);
        let (lower, upper) = if slack == 0 { place.bounds(activity) } else { (0, 0) };
        if flow < lower || flow > upper {
            return Err(refuse("carries a flow outside of its bounds"));
        }
        if slack > 0 && !place.at_longest() {
            return Err(refuse("has slack without being at its longest duration"));
        }
        Ok(())
    }

    fn check_conservation(&self, activity: &Activity) -> Result<(), EngineError> {
        let mut excess = vec![0i64; activity.num_events];
        for (arc, &flow) in self.flow.iter().enumerate() {
            // Wrapping: a sum of bounded flows that does not balance stays unbalanced.
            let tail = &mut excess[activity.tail[arc] as usize];
            *tail = tail.wrapping_sub(flow);
            let head = &mut excess[activity.head[arc] as usize];
            *head = head.wrapping_add(flow);
        }
        let (value, inner) = (excess[0].wrapping_neg(), &excess[1..activity.num_events - 1]);
        if inner.iter().any(|&excess| excess != 0) || value < 0 || value > activity.unbounded {
            return Err(EngineError::Invalid(
                "the state's flow is not conserved, or exceeds `unbounded`".to_owned(),
            ));
        }
        Ok(())
    }
}
