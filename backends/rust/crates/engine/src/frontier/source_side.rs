//! The source side: every event that the source reaches in the residual network, as a search tree.
//!
//! The tree is kept from step to step: in between it only grows. What an augmentation does to it is
//! in `repair`.

use crate::residual::{HalfArc, Residual};

/// `parent` of an event outside of the source side.
pub(super) const OUTSIDE: u32 = u32::MAX;
/// `parent` of the source.
pub(super) const ROOT: u32 = u32::MAX - 1;
/// `parent` of an event that has just lost its parent.
pub(super) const ORPHAN: u32 = u32::MAX - 2;

/// The way from an event towards the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The half-arc through which the event was reached, or one of the marks above.
    pub(super) parent: u32,
    /// The event where that half-arc starts; of an orphan, its own half-arc to the parent it lost.
    pub(super) up: u32,
}

/// An event, with its place in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Quanta: the time of an event on the source side; time + `shift` of others.
    pub(super) time: i64,
    /// The last repair that found the event's path to the source intact.
    pub(super) intact: u32,
    /// Its half-arcs are `first .. end`.
    pub(super) first: u32,
    pub(super) end: u32,
    /// Its place in `members`.
    pub(super) slot: u32,
}

/// The search tree; see the module's description.
#[derive(Clone, Debug)]
pub struct SourceSide {
    pub(super) nodes: Vec<Node>,
    /// Apart from the nodes, so that a path of hundreds of events stays in the nearest cache.
    pub(super) links: Vec<Link>,
    pub(super) source: u32,
    /// `[..count]`: all events of the source side in the order in which they joined, which is the
    /// order in which they are looked at; also some that have left since, and places of events that
    /// have left and joined again. Of constant length, four times that of `nodes`.
    pub(super) members: Vec<u32>,
    pub(super) count: usize,
    /// The half-arcs of all events before this place in `members` were looked at.
    pub(super) next: usize,
    /// Events of the source side.
    pub(super) size: usize,
    pub(super) repair: u32,
    pub(super) orphans: Vec<u32>,
    pub(super) left: Vec<u32>,
    pub(super) path: Vec<u32>,
    /// Half-arcs that were seen to leave the source side without residual capacity. Some of their
    /// heads join later; what still crosses when the search ends is the new part of the cut.
    pub blocked: Vec<u32>,
    /// How far the sink side has moved earlier so far, quanta.
    pub shift: i64,
    /// Events whose half-arcs were looked at, over all searches.
    pub visited: u64,
    /// Events that lost their parent, over all repairs.
    pub orphaned: u64,
}

impl SourceSide {
    /// The source side that holds only `source`.
    #[must_use]
    pub fn new(residual: &Residual, time: &[i64], source: u32) -> Self {
        let node = |(time, ends): (&i64, &[u32])| Node {
            time: *time,
            intact: 0,
            first: ends[0],
            end: ends[1],
            slot: 0,
        };
        let mut side = Self {
            nodes: time.iter().zip(residual.first.windows(2)).map(node).collect(),
            links: vec![Link { parent: OUTSIDE, up: 0 }; time.len()],
            source,
            members: vec![0; 4 * time.len()],
            count: 0,
            next: 0,
            size: 0,
            repair: 0,
            orphans: Vec::new(),
            left: Vec::new(),
            path: Vec::new(),
            blocked: Vec::new(),
            shift: 0,
            visited: 0,
            orphaned: 0,
        };
        side.join(source, ROOT, source);
        side
    }

    /// Whether an event is on the source side.
    #[must_use]
    pub fn holds(&self, event: u32) -> bool {
        self.links[event as usize].parent != OUTSIDE
    }

    /// The shift at which an event of the sink side would be at time 0; of one of the source side,
    /// its time.
    #[must_use]
    pub fn own_time(&self, event: u32) -> i64 {
        self.nodes[event as usize].time
    }

    /// Takes in the head of a half-arc from `tail` that has residual capacity.
    pub fn join(&mut self, tail: u32, half: u32, head: u32) {
        let link = &mut self.links[head as usize];
        if link.parent == OUTSIDE {
            *link = Link { parent: half, up: tail };
            let node = &mut self.nodes[head as usize];
            node.time -= self.shift;
            node.intact = self.repair;
            node.slot = self.count as u32;
            self.members[self.count] = head;
            self.count += 1;
            self.size += 1;
        }
    }

    /// Searches on until nothing more is reached.
    pub fn extend(&mut self, residual: &Residual) {
        self.make_room();
        let shift = self.shift;
        let (nodes, links) = (&mut self.nodes[..], &mut self.links[..]);
        let members = &mut self.members[..];
        let (mut next, mut count) = (self.next, self.count);
        while next < count {
            let event = members[next];
            let node = nodes[event as usize];
            if node.slot as usize == next && links[event as usize].parent != OUTSIDE {
                self.visited += 1;
                for (index, half) in (node.first..).zip(halves(residual, node)) {
                    let link = &mut links[half.head as usize];
                    if link.parent != OUTSIDE {
                        continue;
                    }
                    if half.residual > 0 {
                        *link = Link { parent: index, up: event };
                        let head = &mut nodes[half.head as usize];
                        head.time -= shift;
                        head.slot = count as u32;
                        members[count] = half.head;
                        count += 1;
                    } else {
                        self.blocked.push(index);
                    }
                }
            }
            next += 1;
        }
        self.size += count - self.count;
        (self.next, self.count) = (next, count);
    }

    /// Strikes events off `members` that are no longer on the source side, when they are many.
    ///
    /// An event joins at most once in a search, and at most once in a repair: so `members` never
    /// grows by more than `nodes` holds between two calls, and its length suffices.
    pub(super) fn make_room(&mut self) {
        if self.count <= 2 * self.nodes.len() {
            return;
        }
        let (mut kept, mut next) = (0, 0);
        for place in 0..self.count {
            let event = self.members[place];
            let node = &mut self.nodes[event as usize];
            if node.slot as usize == place && self.links[event as usize].parent != OUTSIDE {
                node.slot = kept as u32;
                self.members[kept] = event;
                kept += 1;
                next += usize::from(place < self.next);
            }
        }
        (self.count, self.next) = (kept, next);
    }
}

/// The half-arcs of an event.
pub(super) fn halves(residual: &Residual, node: Node) -> &[HalfArc] {
    &residual.half[node.first as usize..node.end as usize]
}
