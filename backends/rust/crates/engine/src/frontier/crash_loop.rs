//! The crash loop: a frontier traced from the longest schedule down, by repeated minimum cuts.

use std::time::{Duration, Instant};

use super::activity::Activity;
use super::closing::Closing;
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
const MOST_PUSHES: u64 = 256;

/// Work done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Steps taken.
    pub steps: u64,
    /// Times the sink was reached and the flow had to grow.
    pub augmentations: u64,
    /// Extensions of the source side.
    pub searches: u64,
    /// Events looked at by them.
    pub nodes_visited: u64,
    /// Paths along which flow was sent.
    pub pushes: u64,
    /// Events that lost their place in the search tree and looked for another.
    pub orphans: u64,
    /// Arcs that became tight.
    pub events: u64,
}

impl Counters {
    /// Every counter with its name.
    #[must_use]
    pub fn named(&self) -> [(&'static str, u64); 7] {
        [
            ("steps", self.steps),
            ("augmentations", self.augmentations),
            ("searches", self.searches),
            ("nodes_visited", self.nodes_visited),
            ("pushes", self.pushes),
            ("orphans", self.orphans),
            ("events", self.events),
        ]
    }
}

/// An arc that changes with every quantum of the current step.
#[derive(Clone, Copy, Debug)]
struct CutArc {
    arc: u32,
    /// The half-arc that leaves the source side.
    half: u32,
    /// -1 crash, +1 relax.
    sign: i8,
    /// Quanta until the next kink.
    room: i64,
}

/// A crash loop that stands at one point of a frontier and moves towards shorter schedules.
#[derive(Clone, Debug)]
pub struct CrashLoop {
    activity: Activity,
    residual: Residual,
    /// `[2 m]`, arc of every half-arc, shifted left by one; the low bit is set on backward ones.
    arc_of: Vec<u32>,
    place: Vec<Place>,
    tight: Vec<bool>,
    in_cut: Vec<bool>,
    side: SourceSide,
    closing: Closing,
    cut: Vec<CutArc>,
    value: i64,
    done: bool,
    counters: Counters,
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

    fn soonest(&mut self) -> Option<(i64, u32)> {
        self.closing.soonest(|arc| due(&self.activity, &self.place, &self.tight, &self.side, arc))
    }

    /// Brings the list of cut arcs up to date with the source side.
    fn update_cut(&mut self) {
        let (side, residual) = (&self.side, &self.residual);
        let crosses = |half: u32| {
            let half = residual.half[half as usize];
            !side.holds(half.head) && side.holds(residual.half[half.mate as usize].head)
        };
        let in_cut = &mut self.in_cut;
        self.cut.retain(|cut| {
            let stays = crosses(cut.half);
            in_cut[cut.arc as usize] = stays;
            stays
        });
        let mut fresh = std::mem::take(&mut self.side.blocked);
        fresh.retain(|&half| {
            let half = self.residual.half[half as usize];
            !self.side.holds(half.head)
                && self.side.holds(self.residual.half[half.mate as usize].head)
        });
        let before = self.cut.len();
        for &half in &fresh {
            self.add_to_cut(half);
        }
        if self.cut.len() > before {
            self.cut.sort_unstable_by_key(|cut| cut.arc);
        }
        fresh.clear();
        self.side.blocked = fresh;
    }

    fn add_to_cut(&mut self, half: u32) {
        let (arc, backward) =
            (self.arc_of[half as usize] >> 1, self.arc_of[half as usize] & 1 == 1);
        let place = &self.place[arc as usize];
        if !self.tight[arc as usize] {
            if !backward {
                let due = |arc| due(&self.activity, &self.place, &self.tight, &self.side, arc);
                if let Some(shift) = due(arc) {
                    self.closing.push(shift, arc, due);
                }
            }
        } else if backward && place.at_longest() {
            // Its tail moves away from its head: the arc becomes slack and carries nothing.
            self.tight[arc as usize] = false;
            let forward = self.residual.forward[arc as usize];
            self.residual.half[forward as usize].residual = 0;
        } else if !self.in_cut[arc as usize] {
            let (sign, room) = if backward {
                (1, place.relax_room(&self.activity))
            } else {
                (-1, place.crash_room(&self.activity))
            };
            self.in_cut[arc as usize] = true;
            self.cut.push(CutArc { arc, half, sign, room });
        }
    }
}

/// The shift at which an arc becomes tight: None unless it is slack and crosses forward.
fn due(
    activity: &Activity,
    place: &[Place],
    tight: &[bool],
    side: &SourceSide,
    arc: u32,
) -> Option<i64> {
    let arc = arc as usize;
    let (tail, head) = (activity.tail[arc] as u32, activity.head[arc] as u32);
    (!tight[arc] && side.holds(tail) && !side.holds(head))
        .then(|| side.own_time(head) - side.own_time(tail) - place[arc].duration)
}

/// Changes the duration of a cut arc and the bounds that follow from it.
///
/// A crashed arc carries its old upper bound, which is its new lower bound; a relaxed one its old
/// lower bound, the new upper one. So the last maximum flow stays feasible.
fn change(
    activity: &Activity,
    place: &mut Place,
    residual: &mut Residual,
    cut: &mut CutArc,
    step: i64,
) {
    let mate = residual.half[cut.half as usize].mate as usize;
    let (lower, upper) = place.bounds(activity);
    cut.room -= step;
    let gained = if cut.sign < 0 {
        place.crash(activity, step);
        place.bounds(activity).1 - upper
    } else {
        place.relax(activity, step);
        lower - place.bounds(activity).0
    };
    residual.half[cut.half as usize].residual = gained; // 0 within a piece
    residual.half[mate].residual = 0;
}
