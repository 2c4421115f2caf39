//! The source side: every event that the source reaches in the residual network, as a search tree.
//!
//! The tree is kept from step to step. When an augmenting path saturates arcs of the tree, the
//! events behind them are *orphans*: each looks for another parent whose own path to the source is
//! intact, and then keeps its whole subtree. Only an orphan that finds none leaves the source side,
//! and makes orphans of its children. A repair that would dismantle much of the tree drops it
//! instead and searches anew: what remains then is small.
//!
//! Source: Y. Boykov, V. Kolmogorov, "An experimental comparison of min-cut/max-flow algorithms for
//! energy minimization in vision", IEEE TPAMI 26 (2004), doi:10.1109/TPAMI.2004.60; of the two trees
//! there, this is the source's.

use crate::residual::{HalfArc, Residual};

/// `parent` of an event outside of the source side.
const OUTSIDE: u32 = u32::MAX;
/// `parent` of the source.
const ROOT: u32 = u32::MAX - 1;
/// `parent` of an event that has just lost its parent.
const ORPHAN: u32 = u32::MAX - 2;

/// Orphans after which a repair first looks back; then after twice as many, and so on, which keeps
/// that work within a constant factor of the rest.
const REGROW_FIRST: usize = 16;
/// Orphans after which a repair may give up: dropping the tree has a price, too.
const DROP_FIRST: usize = 24;
/// A repair gives up when more than one in this many events of the source side became orphans.
const DROP_PART: usize = 8;

/// An event, with its place in the tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Quanta: the time of an event on the source side; time + `shift` of others.
    time: i64,
    /// The half-arc through which the event was reached, or one of the marks above.
    parent: u32,
    /// The event where that half-arc starts.
    up: u32,
    /// The last repair that found the event's path to the source intact.
    intact: u32,
    /// Its half-arcs are `first .. end`.
    first: u32,
    end: u32,
    /// Its place in `members`.
    slot: u32,
}

/// The search tree; see the module's description.
#[derive(Clone, Debug)]
pub struct SourceSide {
    nodes: Vec<Node>,
    source: u32,
    /// `[..count]`: all events of the source side in the order in which they joined, which is the
    /// order in which they are looked at; also some that have left since, and places of events that
    /// have left and joined again. Of constant length, four times that of `nodes`.
    members: Vec<u32>,
    count: usize,
    /// The half-arcs of all events before this place in `members` were looked at.
    next: usize,
    /// Events of the source side.
    size: usize,
    repair: u32,
    orphans: Vec<u32>,
    left: Vec<u32>,
    path: Vec<u32>,
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
            parent: OUTSIDE,
            up: 0,
            intact: 0,
            first: ends[0],
            end: ends[1],
            slot: 0,
        };
        let mut side = Self {
            nodes: time.iter().zip(residual.first.windows(2)).map(node).collect(),
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
        self.nodes[event as usize].parent != OUTSIDE
    }

    /// The shift at which an event of the sink side would be at time 0; of one of the source side,
    /// its time.
    #[must_use]
    pub fn own_time(&self, event: u32) -> i64 {
        self.nodes[event as usize].time
    }

    /// Takes in the head of a half-arc from `tail` that has residual capacity.
    pub fn join(&mut self, tail: u32, half: u32, head: u32) {
        let node = &mut self.nodes[head as usize];
        if node.parent == OUTSIDE {
            node.parent = half;
            node.up = tail;
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
        let (nodes, members) = (&mut self.nodes[..], &mut self.members[..]);
        let (mut next, mut count) = (self.next, self.count);
        while next < count {
            let event = members[next];
            let node = nodes[event as usize];
            if node.slot as usize == next && node.parent != OUTSIDE {
                self.visited += 1;
                for (index, half) in (node.first..).zip(halves(residual, node)) {
                    let head = &mut nodes[half.head as usize];
                    if head.parent != OUTSIDE {
                        continue;
                    }
                    if half.residual > 0 {
                        head.parent = index;
                        head.up = event;
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
    fn make_room(&mut self) {
        if self.count <= 2 * self.nodes.len() {
            return;
        }
        let (mut kept, mut next) = (0, 0);
        for place in 0..self.count {
            let event = self.members[place];
            let node = &mut self.nodes[event as usize];
            if node.slot as usize == place && node.parent != OUTSIDE {
                node.slot = kept as u32;
                self.members[kept] = event;
                kept += 1;
                next += usize::from(place < self.next);
            }
        }
        (self.count, self.next) = (kept, next);
    }

    /// Sends as much flow as the tree path to an event takes, if less than `limit`, and repairs the
    /// tree; None, and nothing changes, when the path takes `limit` or more.
    pub fn augment(&mut self, residual: &mut Residual, end: u32, limit: i64) -> Option<i64> {
        self.make_room();
        let mut amount = limit;
        self.path.clear();
        let mut event = end;
        while event != self.source {
            let node = &self.nodes[event as usize];
            amount = amount.min(residual.half[node.parent as usize].residual);
            self.path.push(node.parent);
            event = node.up;
        }
        if amount == limit {
            return None;
        }
        self.orphans.clear();
        self.repair += 1;
        self.nodes[self.source as usize].intact = self.repair;
        for &half in self.path.iter().rev() {
            let HalfArc { head, mate, residual: room } = &mut residual.half[half as usize];
            let (head, mate) = (*head, *mate);
            *room -= amount;
            if *room == 0 {
                self.nodes[head as usize].parent = ORPHAN;
                self.orphans.push(head);
            } else if self.orphans.is_empty() {
                self.nodes[head as usize].intact = self.repair;
            }
            residual.half[mate as usize].residual += amount;
        }
        self.adopt_orphans(residual);
        Some(amount)
    }

    fn adopt_orphans(&mut self, residual: &Residual) {
        let drop_at = DROP_FIRST.max(self.size / DROP_PART);
        let (mut next, mut regrow_at) = (0, REGROW_FIRST);
        while let Some(&orphan) = self.orphans.get(next) {
            next += 1;
            if !self.adopt(residual, orphan) {
                self.leave(residual, orphan);
            }
            if next == drop_at {
                self.orphaned += next as u64;
                self.search_anew(residual);
                return;
            }
            if next == regrow_at {
                regrow_at *= 2;
                self.regrow(residual);
            }
        }
        self.orphaned += next as u64;
        self.regrow(residual);
        self.left.clear();
    }

    /// Finds an orphan another parent.
    fn adopt(&mut self, residual: &Residual, orphan: u32) -> bool {
        for half in halves(residual, self.nodes[orphan as usize]) {
            if self.holds(half.head)
                && residual.half[half.mate as usize].residual > 0
                && self.reaches_source(half.head)
            {
                let node = &mut self.nodes[orphan as usize];
                node.parent = half.mate;
                node.up = half.head;
                node.intact = self.repair;
                return true;
            }
        }
        false
    }

    /// Whether an event's path to the source meets no orphan.
    ///
    /// What is found intact stays so for the whole repair: later orphans come only from the
    /// subtrees of earlier ones, and no intact path leads through those.
    fn reaches_source(&mut self, event: u32) -> bool {
        let mut ancestor = event;
        loop {
            let node = self.nodes[ancestor as usize];
            if node.intact == self.repair {
                break;
            }
            if node.parent == ORPHAN {
                return false;
            }
            ancestor = node.up;
        }
        let mut passed = event;
        while passed != ancestor {
            let node = &mut self.nodes[passed as usize];
            node.intact = self.repair;
            passed = node.up;
        }
        true
    }

    /// Takes an orphan out of the source side; its children become orphans.
    fn leave(&mut self, residual: &Residual, orphan: u32) {
        let shift = self.shift;
        let node = &mut self.nodes[orphan as usize];
        node.parent = OUTSIDE;
        node.time += shift;
        let node = *node;
        self.left.push(orphan);
        self.size -= 1;
        for (index, half) in (node.first..).zip(halves(residual, node)) {
            let child = &mut self.nodes[half.head as usize];
            if child.parent == index {
                child.parent = ORPHAN;
                self.orphans.push(half.head);
            }
        }
    }

    /// Takes in again what left but is reached after all: by an event that was still in the
    /// subtree of an orphan when the other looked for a parent.
    fn regrow(&mut self, residual: &Residual) {
        for index in (0..self.left.len()).rev() {
            let event = self.left[index];
            let node = self.nodes[event as usize];
            if node.parent != OUTSIDE {
                continue;
            }
            for half in halves(residual, node) {
                let other = self.nodes[half.head as usize];
                // Events that are waiting find this one by themselves.
                if other.parent != OUTSIDE && (other.slot as usize) < self.next {
                    if residual.half[half.mate as usize].residual > 0 {
                        if self.reaches_source(half.head) {
                            self.join(half.head, half.mate, event);
                            break;
                        }
                    } else {
                        self.blocked.push(half.mate);
                    }
                }
            }
        }
        self.extend(residual);
    }

    /// Drops the tree and searches from the source.
    pub fn search_anew(&mut self, residual: &Residual) {
        for &member in &self.members[..self.count] {
            let node = &mut self.nodes[member as usize];
            if node.parent != OUTSIDE {
                node.parent = OUTSIDE;
                node.time += self.shift;
            }
        }
        self.count = 0;
        self.next = 0;
        self.left.clear();
        self.size = 0;
        self.join(self.source, ROOT, self.source);
        self.extend(residual);
    }
}

fn halves(residual: &Residual, node: Node) -> &[HalfArc] {
    &residual.half[node.first as usize..node.end as usize]
}
