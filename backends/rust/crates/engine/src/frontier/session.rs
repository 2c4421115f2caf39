//! A frontier session: the crash loop on the contracted project, in terms of the original one.

use super::activity::Activity;
use super::contraction::Contraction;
use super::counters::Counters;
use super::crash_loop::CrashLoop;
use super::segments::Segments;
use super::state::State;
use crate::EngineError;

/// A crash loop that stands at one point of a frontier and moves towards shorter schedules.
#[derive(Clone, Debug)]
pub struct Session {
    activity: Activity,
    contraction: Contraction,
    crash_loop: CrashLoop,
}

impl Session {
    /// A session at the longest schedule, or where `state` was taken.
    ///
    /// # Errors
    /// [`EngineError`] when the project or the state breaks a rule.
    pub fn new(activity: Activity, state: Option<State>) -> Result<Self, EngineError> {
        activity.check()?;
        let state = match state {
            Some(state) => {
                state.check(&activity)?;
                state
            }
            None => State::longest(&activity),
        };
        let contraction = Contraction::new(&activity);
        let crash_loop =
            CrashLoop::new(contraction.project(&activity), &contraction.contracted(&state));
        Ok(Self { activity, contraction, crash_loop })
    }

    /// The next segments: one per step, at most `max_segments` and at most what fits into a turn.
    pub fn advance(&mut self, max_segments: usize) -> Segments {
        let mut segments = self.crash_loop.advance(max_segments);
        for arc in &mut segments.arc {
            *arc = self.contraction.original(*arc); // the order of arcs stays
        }
        segments
    }

    /// The point where the session stands, in O(arcs).
    #[must_use]
    pub fn state(&self) -> State {
        let (duration, flow) = (self.crash_loop.duration(), self.crash_loop.flow());
        self.contraction.expanded(&self.activity, &duration, &flow, self.crash_loop.done())
    }

    /// Work done so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.crash_loop.counters()
    }
}
