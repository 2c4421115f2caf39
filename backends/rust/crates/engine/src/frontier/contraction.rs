//! A smaller project with the same frontier, and the way back.
//!
//! Two kinds of dummies are contracted, over and over:
//!
//! * the only arc into its head. It is always tight, because the head happens when the tail does;
//!   its residual capacity never ends, so a source side with the tail holds the head; and what leaves
//!   the head came over it, so a source side that reaches back into the head has flow to take back on
//!   it and holds the tail.
//! * the only arc out of its tail. While it is tight, tail and head are on one side for the same two
//!   reasons. While it is not, nothing flows through the tail: it lies on the side of the events before
//!   it, and every arc into it has the slack of the dummy on top of its own.
//!
//! Either way the cut arcs are the same operations, at every point. Of parallel dummies that this
//! brings about one stays: their flow adds up, and only their sum matters.
//!
//! Dummies that another path makes superfluous are left out before (`redundancy`).
//!
//! Two operations in series stay apart: which of them changes is the canonical rule's decision.

use super::activity::Activity;
use super::redundancy::redundant_dummies;
use super::state::State;

/// A project after contraction; see the module's description.
#[derive(Clone, Debug)]
pub struct Contraction {
    /// `[k]`, the original arc behind every arc that was kept, in the original order.
    arcs: Vec<u32>,
    /// `[m]`, the kept arc that carries the flow of an original one, or [`NONE`] if
    /// contracted or left out.
    carrier: Vec<u32>,
    /// `[n]`, the event that each original event became part of.
    group: Vec<u32>,
    /// The original event behind every event: the one whose time it has.
    events: Vec<u32>,
    /// Contracted dummies, each with one of its events, such that the flow of each is what that
    /// event lacks or has left over, given the flows before it in this list.
    peeled: Vec<(u32, u32)>,
}

/// An arc that is contracted or left out has no carrier.
const NONE: u32 = u32::MAX;
/// Each round can open the way for another, but hardly ever for many.
const MOST_ROUNDS: usize = 8;

/// Events that became one.
struct Groups {
    /// Another event of the same group, nearer to the one that stands for it; itself at the end.
    towards: Vec<u32>,
    /// Arcs into and out of the group that are left, by the event that stands for it.
    entering: Vec<u32>,
    leaving: Vec<u32>,
}

impl Groups {
    /// The event that stands for the group of an event.
    fn of(&mut self, mut event: u32) -> u32 {
        while self.towards[event as usize] != event {
            let next = self.towards[self.towards[event as usize] as usize];
            self.towards[event as usize] = next;
            event = next;
        }
        event
    }

    /// The groups that an arc joins.
    fn ends(&mut self, activity: &Activity, arc: u32) -> (u32, u32) {
        (self.of(activity.tail[arc as usize] as u32), self.of(activity.head[arc as usize] as u32))
    }

    /// Makes one group of two; the event that stands for the second stands for both.
    ///
    /// That keeps events in topological order: a head with one arc into it stands behind its tail's
    /// event, a tail with one arc out of it before its head's, and nothing lies between.
    fn join(&mut self, lesser: u32, greater: u32) {
        self.towards[lesser as usize] = greater;
        self.entering[greater as usize] += self.entering[lesser as usize] - 1;
        self.leaving[greater as usize] += self.leaving[lesser as usize] - 1;
    }
}

impl Contraction {
    /// The contraction of a checked project, in O(arcs) per round until nothing is left to do.
    #[must_use]
    pub fn new(activity: &Activity) -> Self {
        let (n, m) = (activity.num_events, activity.num_arcs());
        let sink = n as u32 - 1;
        let mut groups =
            Groups { towards: (0..n as u32).collect(), entering: vec![0; n], leaving: vec![0; n] };
        let redundant = redundant_dummies(activity);
        let mut carrier: Vec<u32> = (0..m as u32).collect();
        for arc in 0..m {
            if redundant[arc] {
                carrier[arc] = NONE;
                continue;
            }
            groups.leaving[activity.tail[arc] as usize] += 1;
            groups.entering[activity.head[arc] as usize] += 1;
        }
        let mut dummies: Vec<u32> = (0..m as u32)
            .filter(|&arc| {
                let arc = arc as usize;
                activity.table[arc] < 0 && activity.longest[arc] == 0 && !redundant[arc]
            })
            .collect();
        let mut contracted = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let before = contracted.len();
            dummies.retain(|&arc| {
                let (tail, head) = groups.ends(activity, arc);
                if groups.entering[head as usize] == 1 && head != sink {
                    groups.join(head, tail);
                } else if groups.leaving[tail as usize] == 1 && tail != 0 {
                    groups.join(tail, head);
                } else {
                    return true;
                }
                carrier[arc as usize] = NONE;
                contracted.push(arc);
                false
            });
            if contracted.len() == before {
                break;
            }
            dummies.sort_by_cached_key(|&arc| (groups.ends(activity, arc), arc));
            dummies.dedup_by(|next, kept| {
                let (tail, head) = groups.ends(activity, *kept);
                let parallel = groups.ends(activity, *next) == (tail, head);
                if parallel {
                    carrier[*next as usize] = *kept;
                    groups.leaving[tail as usize] -= 1;
                    groups.entering[head as usize] -= 1;
                }
                parallel
            });
        }
        let arcs: Vec<u32> = (0..m as u32).filter(|&arc| carrier[arc as usize] == arc).collect();
        let mut events: Vec<u32> =
            (0..n as u32).filter(|&event| groups.of(event) == event).collect();
        // In order of time: what changes from step to step is near in time, so near in memory.
        let time = activity.earliest_times(&activity.longest);
        events.sort_by_key(|&event| (event == sink, time[event as usize], event));
        Self {
            carrier: renumbered(&carrier, &arcs),
            group: renumbered(
                &(0..n as u32).map(|event| groups.of(event)).collect::<Vec<_>>(),
                &events,
            ),
            peeled: peeled(activity, &contracted),
            arcs,
            events,
        }
    }

    /// The smaller project.
    #[must_use]
    pub fn project(&self, activity: &Activity) -> Activity {
        let ends = |ends: &[i32]| {
            self.arcs.iter().map(|&arc| self.group[ends[arc as usize] as usize] as i32).collect()
        };
        Activity {
            num_events: self.events.len(),
            tail: ends(&activity.tail),
            head: ends(&activity.head),
            shortest: self.kept(&activity.shortest),
            longest: self.kept(&activity.longest),
            table: self.kept(&activity.table),
            ..activity.clone()
        }
    }

    fn kept<T: Copy>(&self, of_arcs: &[T]) -> Vec<T> {
        self.arcs.iter().map(|&arc| of_arcs[arc as usize]).collect()
    }

    /// The original arc behind an arc of the smaller project.
    #[must_use]
    pub fn original(&self, arc: i32) -> i32 {
        self.arcs[arc as usize] as i32
    }

    /// The state of the smaller project that belongs to one of the original.
    #[must_use]
    pub fn contracted(&self, state: &State) -> State {
        let mut flow = vec![0; self.arcs.len()];
        for (&carrier, &original) in self.carrier.iter().zip(&state.flow) {
            if carrier != NONE {
                flow[carrier as usize] += original;
            }
        }
        State {
            duration: self.kept(&state.duration),
            event_time: self.events.iter().map(|&e| state.event_time[e as usize]).collect(),
            flow,
            done: state.done,
        }
    }

    /// The state of the original project with these durations and flows of the smaller one.
    #[must_use]
    pub fn expanded(
        &self,
        activity: &Activity,
        duration: &[i64],
        flow: &[i64],
        done: bool,
    ) -> State {
        let mut state = State {
            duration: activity.longest.clone(), // what is not kept is fixed
            event_time: Vec::new(),
            flow: vec![0; activity.num_arcs()],
            done,
        };
        let mut excess = vec![0; activity.num_events];
        for ((&arc, &duration), &flow) in self.arcs.iter().zip(duration).zip(flow) {
            let arc = arc as usize;
            state.duration[arc] = duration;
            state.flow[arc] = flow;
            excess[activity.tail[arc] as usize] -= flow;
            excess[activity.head[arc] as usize] += flow;
        }
        for &(arc, event) in &self.peeled {
            let (tail, head) = (activity.tail[arc as usize], activity.head[arc as usize]);
            let missing = excess[event as usize];
            let flow = if head as u32 == event { -missing } else { missing };
            excess[tail as usize] -= flow;
            excess[head as usize] += flow;
            state.flow[arc as usize] = flow;
        }
        state.event_time = activity.earliest_times(&state.duration);
        state
    }
}

/// Follows each entry to the one that refers to itself; gives that one's place in `kept`.
fn renumbered(entries: &[u32], kept: &[u32]) -> Vec<u32> {
    let mut number = vec![NONE; entries.len()];
    for (new, &old) in kept.iter().enumerate() {
        number[old as usize] = new as u32;
    }
    let follow = |&entry: &u32| {
        let mut entry = entry;
        while entry != NONE && entries[entry as usize] != entry {
            entry = entries[entry as usize];
        }
        if entry == NONE { NONE } else { number[entry as usize] }
    };
    entries.iter().map(follow).collect()
}

/// An order in which the contracted arcs, a forest, lose their leaves; source and sink, where flow
/// is not conserved, never count as leaves.
fn peeled(activity: &Activity, contracted: &[u32]) -> Vec<(u32, u32)> {
    let n = activity.num_events;
    let mut degree = vec![0u32; n];
    let mut incident = vec![0u32; n]; // exclusive or of the arcs: the arc itself when one is left
    for &arc in contracted {
        for end in [activity.tail[arc as usize], activity.head[arc as usize]] {
            degree[end as usize] += 1;
            incident[end as usize] ^= arc;
        }
    }
    degree[0] += 2;
    degree[n - 1] += 2;
    let mut leaves: Vec<u32> = (0..n as u32).filter(|&event| degree[event as usize] == 1).collect();
    let mut order = Vec::with_capacity(contracted.len());
    while let Some(event) = leaves.pop() {
        if degree[event as usize] != 1 {
            continue; // the last event of its tree
        }
        let arc = incident[event as usize];
        order.push((arc, event));
        for end in [activity.tail[arc as usize], activity.head[arc as usize]] {
            degree[end as usize] -= 1;
            incident[end as usize] ^= arc;
            if degree[end as usize] == 1 && end as u32 != event {
                leaves.push(end as u32);
            }
        }
    }
    order
}
