//! Checks a state from outside before a session goes on with it.

use super::activity::Activity;
use super::place::Place;
use super::session::State;
use crate::EngineError;

impl State {
    /// Checks that every array has its size.
    pub(super) fn check_sizes(&self, activity: &Activity) -> Result<(), EngineError> {
        let (n, m) = (activity.num_events, activity.num_arcs());
        if self.duration.len() == m && self.flow.len() == m && self.event_time.len() == n {
            return Ok(());
        }
        Err(EngineError::Invalid(format!(
            "the state has {} durations, {} flows and {} event times for {m} arcs and {n} events",
            self.duration.len(),
            self.flow.len(),
            self.event_time.len()
        )))
    }

    /// Checks one arc; returns whether it is tight.
    pub(super) fn check_arc(
        &self,
        activity: &Activity,
        arc: usize,
        place: &Place,
    ) -> Result<bool, EngineError> {
        let refuse = |what: &str| EngineError::Invalid(format!("the state's arc {arc} {what}"));
        let (duration, flow) = (self.duration[arc], self.flow[arc]);
        if duration < activity.shortest[arc] || duration > activity.longest[arc] {
            return Err(refuse("lasts less than its shortest or more than its longest duration"));
        }
        let reach = self.event_time[activity.head[arc] as usize]
            .checked_sub(self.event_time[activity.tail[arc] as usize])
            .ok_or_else(|| refuse("joins events whose times are beyond 64 bits apart"))?;
        if reach < duration {
            return Err(refuse("ends after its head event"));
        }
        let tight = reach == duration;
        let (lower, upper) = if tight { place.bounds(activity) } else { (0, 0) };
        if flow < lower || flow > upper {
            return Err(refuse("carries a flow outside of its bounds"));
        }
        if !tight && !place.at_longest() {
            return Err(refuse("has slack without being at its longest duration"));
        }
        Ok(tight)
    }

    /// Checks that what enters an event leaves it.
    pub(super) fn check_conservation(
        &self,
        activity: &Activity,
        value: i64,
    ) -> Result<(), EngineError> {
        let mut excess = vec![0i64; activity.num_events];
        for (arc, &flow) in self.flow.iter().enumerate() {
            // Wrapping: a sum of bounded flows that does not balance stays unbalanced.
            let tail = &mut excess[activity.tail[arc] as usize];
            *tail = tail.wrapping_sub(flow);
            let head = &mut excess[activity.head[arc] as usize];
            *head = head.wrapping_add(flow);
        }
        let inner = &excess[1..activity.num_events - 1];
        if inner.iter().any(|&excess| excess != 0) || value < 0 || value > activity.unbounded {
            return Err(EngineError::Invalid(
                "the state's flow is not conserved, or exceeds `unbounded`".to_owned(),
            ));
        }
        Ok(())
    }
}
