//! The crash loop: a frontier traced from the longest schedule down, by repeated minimum cuts.

use std::time::{Duration, Instant};

use super::activity::Activity;
use super::closing::Closing;
use super::counters::Counters;
use super::cut::{CutArc, change};
use super::place::Place;
use super::segments::Segments;
use super::source_side::SourceSide;
use super::state::State;
use crate::blocking_flow;
use crate::residual::Residual;

/// A session returns this often, so that Ctrl-C and progress work.
const TURN: Duration = Duration::from_millis(40);
/// Arcs of all steps between two looks at the clock: a step looks at each of them a few times at
/// most, mostly at few of them, so looks are at most milliseconds apart and cost next to nothing.
const ARCS_PER_LOOK: usize = 1 << 18;

/// Single paths in one augmentation after which blocking flows take over. A handful is usual; paths
/// of no particular length could be as many as there are units of flow.
const MOST_PUSHES: u64 = 64;

/// A crash loop that stands at one point of a frontier and moves towards shorter schedules.
#[derive(Clone, Debug)]
pub struct CrashLoop {
    pub(super) activity: Activity,
    pub(super) residual: Residual,
    /// `[2 m]`, arc of every half-arc, shifted left by one; the low bit is set on backward ones.
    pub(super) arc_of: Vec<u32>,
    pub(super) place: Vec<Place>,
    pub(super) tight: Vec<bool>,
    pub(super) in_cut: Vec<bool>,
    pub(super) side: SourceSide,
    pub(super) closing: Closing,
    pub(super) cut: Vec<CutArc>,
    pub(super) value: i64,
    pub(super) done: bool,
    pub(super) counters: Counters,
}

impl CrashLoop {
    /// A loop on a checked project, at a state that belongs to it.
    #[must_use]
    pub fn new(activity: Activity, state: &State) -> Self {
        let m = activity.num_arcs();
        let mut residual = Residual::of_arcs(
            activity.num_events,
            &activity.tail,
            &activity.head,
            |_, _, _| true,
            |_| 0,
        );
        let mut arc_of = vec![0; 2 * m];
        let mut place = Vec::with_capacity(m);
        let mut tight = Vec::with_capacity(m);
        let mut value = 0;
        for arc in 0..m {
            let at = Place::new(&activity, arc, state.duration[arc]);
            let is_tight = state.slack(&activity, arc) == 0;
            let forward = residual.forward[arc] as usize;
            let backward = residual.half[forward].mate as usize;
            arc_of[forward] = (arc as u32) << 1;
            arc_of[backward] = (arc as u32) << 1 | 1;
            if is_tight {
                let (lower, upper) = at.bounds(&activity);
                residual.half[forward].residual = upper - state.flow[arc];
                residual.half[backward].residual = state.flow[arc] - lower;
            }
            if activity.tail[arc] == 0 {
                value += state.flow[arc];
            }
            place.push(at);
            tight.push(is_tight);
        }
        Self {
            arc_of,
            place,
            tight,
            in_cut: vec![false; m],
            side: SourceSide::new(&residual, &state.event_time, 0),
            closing: Closing::default(),
            cut: Vec::new(),
            value,
            done: state.done,
            counters: Counters::default(),
            residual,
            activity,
        }
    }

    /// The next segments: one per step, at most `max_segments` and at most what fits into a turn.
    pub fn advance(&mut self, max_segments: usize) -> Segments {
        let start = Instant::now();
        let steps_per_look = (ARCS_PER_LOOK / (self.activity.num_arcs() + 1)).max(1);
        let mut segments = Segments::default();
        self.settle();
        while !self.done && segments.length.len() < max_segments {
            self.step(&mut segments);
            self.settle(); // also after the last step, so that a session at its end says so
            if segments.length.len() % steps_per_look == 0 && start.elapsed() > TURN {
                break;
            }
        }
        segments.done = self.done;
        segments
    }

    /// `[m]`, the duration of every arc, quanta.
    #[must_use]
    pub fn duration(&self) -> Vec<i64> {
        self.place.iter().map(|place| place.duration).collect()
    }

    /// `[m]`, the flow of every arc, cost units per quantum.
    #[must_use]
    pub fn flow(&self) -> Vec<i64> {
        let flow = (0..self.activity.num_arcs()).map(|arc| {
            if !self.tight[arc] {
                return 0;
            }
            let forward = self.residual.half[self.residual.forward[arc] as usize];
            let (lower, _) = self.place[arc].bounds(&self.activity);
            lower + self.residual.half[forward.mate as usize].residual
        });
        flow.collect()
    }

    /// Whether the shortest schedule is reached.
    #[must_use]
    pub fn done(&self) -> bool {
        self.done
    }

    /// Work done so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters { nodes_visited: self.side.visited, orphans: self.side.orphaned, ..self.counters }
    }

    /// Grows the flow until the source side no longer holds the sink, or until the flow proves that
    /// the shortest schedule is reached.
    fn settle(&mut self) {
        let sink = self.activity.num_events as u32 - 1;
        let mut pushes = 0;
        let visited = self.side.visited;
        self.side.extend(&self.residual);
        self.counters.searches += u64::from(self.side.visited > visited);
        while !self.done && self.side.holds(sink) {
            // All finite capacities together stay below `unbounded`: only arcs at their shortest
            // carry such a flow from end to end.
            let limit = self.activity.unbounded - self.value;
            let amount = if pushes < MOST_PUSHES {
                self.side.augment(&mut self.residual, sink, limit)
            } else {
                let amount = blocking_flow::augment(&mut self.residual, 0, sink, limit);
                self.side.search_anew(&self.residual);
                (amount < limit).then_some(amount)
            };
            let Some(amount) = amount else {
                self.done = true;
                break;
            };
            self.value += amount;
            pushes += 1;
        }
        self.counters.pushes += pushes;
        self.counters.augmentations += u64::from(pushes > 0);
    }

    /// Shortens the project along the canonical cut, as far as the cut stays minimum.
    fn step(&mut self, segments: &mut Segments) {
        self.update_cut();
        let Some(mut step) = self.cut.iter().map(|arc| arc.room).min() else {
            self.done = true; // no arc leads to the sink: there is nothing to shorten
            return;
        };
        if let Some((shift, _)) = self.soonest() {
            step = step.min(shift - self.side.shift);
        }
        self.side.shift += step;
        segments.length.push(step);
        segments.slope.push(self.value);
        segments.arc.extend(self.cut.iter().map(|cut| cut.arc as i32));
        segments.sign.extend(self.cut.iter().map(|cut| cut.sign));
        segments.offset.push(segments.arc.len() as i64);
        self.counters.steps += 1;
        // All that became tight is found before any head joins: a head that joined hides others.
        let mut reached = Vec::new();
        while let Some((shift, arc)) = self.soonest() {
            if shift > self.side.shift {
                break;
            }
            self.counters.events += 1;
            self.tight[arc as usize] = true;
            let forward = self.residual.forward[arc as usize];
            let (_, upper) = self.place[arc as usize].bounds(&self.activity);
            self.residual.half[forward as usize].residual = upper;
            reached.push(forward);
        }
        for cut in &mut self.cut {
            change(
                &self.activity,
                &mut self.place[cut.arc as usize],
                &mut self.residual,
                cut,
                step,
            );
            if cut.room == 0 {
                reached.push(cut.half);
                self.in_cut[cut.arc as usize] = false;
            }
        }
        self.cut.retain(|cut| cut.room > 0);
        for half in reached {
            let ends = self.residual.half[half as usize];
            self.side.join(self.residual.half[ends.mate as usize].head, half, ends.head);
        }
    }
}
