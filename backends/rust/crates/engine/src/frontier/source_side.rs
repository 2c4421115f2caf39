//! The source side: every event that the source reaches in the residual network, as a search tree.
//!
//! The tree is kept from step to step. When an augmenting path saturates arcs of the tree, the
//! events behind them are *orphans*: each looks for another parent whose own path to the source is
//! intact, and then keeps its whole subtree. Only an orphan that finds none leaves the source side,
//! and makes orphans of its children.
//!
//! Source: Y. Boykov, V. Kolmogorov, "An experimental comparison of min-cut/max-flow algorithms for
//! energy minimization in vision", IEEE TPAMI 26 (2004), doi:10.1109/TPAMI.2004.60; of the two trees
//! there, this is the source's.

use crate::residual::Residual;

/// `parent` of an event outside of the source side.
const OUTSIDE: u32 = u32::MAX;
/// `parent` of the source.
const ROOT: u32 = u32::MAX - 1;
/// `parent` of an event that has just lost its parent.
const ORPHAN: u32 = u32::MAX - 2;

/// Orphans after which a repair first looks back; then after twice as many, and so on, which keeps
/// that work within a constant factor of the rest.
const REGROW_FIRST: usize = 16;

/// The search tree; see the module's description.
#[derive(Clone, Debug)]
pub struct SourceSide {
    /// `[n]`, the half-arc through which each event was reached, or one of the marks above.
    parent: Vec<u32>,
    /// `[n]`, the event where that half-arc starts.
    up: Vec<u32>,
    /// `[n]`, whether the event's half-arcs are yet to be looked at.
    waiting: Vec<bool>,
    /// Events in the order in which they are looked at; those no longer waiting are passed over.
    queue: Vec<u32>,
    next: usize,
    /// `[n]`, the last repair that found the event's path to the source intact.
    intact: Vec<u64>,
    repair: u64,
    orphans: Vec<u32>,
    left: Vec<u32>,
    /// Half-arcs that were seen to leave the source side without residual capacity. Some of their
    /// heads join later; what still crosses when the search ends is the new part of the cut.
    pub blocked: Vec<u32>,
    /// `[n]`, quanta: the time of an event on the source side; time + `shift` of others.
    pub time: Vec<i64>,
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
    pub fn new(time: Vec<i64>, source: u32) -> Self {
        let n = time.len();
        let mut side = Self {
            parent: vec![OUTSIDE; n],
            up: vec![0; n],
            waiting: vec![false; n],
            queue: vec![source],
            next: 0,
            intact: vec![0; n],
            repair: 0,
            orphans: Vec::new(),
            left: Vec::new(),
            blocked: Vec::new(),
            time,
            shift: 0,
            visited: 0,
            orphaned: 0,
        };
        side.parent[source as usize] = ROOT;
        side.waiting[source as usize] = true;
        side
    }

    /// Whether an event is on the source side.
    #[must_use]
    pub fn holds(&self, event: u32) -> bool {
        self.parent[event as usize] != OUTSIDE
    }

    /// The time of an event, quanta.
    #[must_use]
    pub fn time_of(&self, event: u32) -> i64 {
        self.time[event as usize] - if self.holds(event) { 0 } else { self.shift }
    }

    /// Takes in the head of a half-arc from `tail` that has residual capacity.
    pub fn join(&mut self, tail: u32, half: u32, head: u32) {
        if !self.holds(head) {
            self.parent[head as usize] = half;
            self.up[head as usize] = tail;
            self.time[head as usize] -= self.shift;
            self.waiting[head as usize] = true;
            self.intact[head as usize] = self.repair;
            self.queue.push(head);
        }
    }

    /// Searches on until nothing more is reached (false) or the sink is (true).
    pub fn extend(&mut self, residual: &Residual, sink: u32) -> bool {
        while let Some(&event) = self.queue.get(self.next) {
            if self.waiting[event as usize] {
                self.visited += 1;
                let range = residual.out(event);
                for (index, half) in (range.start as u32..).zip(&residual.half[range]) {
                    if self.holds(half.head) {
                        continue;
                    }
                    if half.residual > 0 {
                        self.join(event, index, half.head);
                    } else {
                        self.blocked.push(index);
                    }
                }
                self.waiting[event as usize] = false;
            }
            self.next += 1;
        }
        self.queue.clear();
        self.next = 0;
        self.holds(sink)
    }

    /// The least residual capacity on the tree path to an event.
    #[must_use]
    pub fn bottleneck(&self, residual: &Residual, mut event: u32) -> i64 {
        let mut least = i64::MAX;
        while self.parent[event as usize] != ROOT {
            least = least.min(residual.half[self.parent[event as usize] as usize].residual);
            event = self.up[event as usize];
        }
        least
    }

    /// Sends flow along the tree path to an event, which its bottleneck allows, and repairs the tree.
    pub fn augment(&mut self, residual: &mut Residual, mut event: u32, amount: i64) {
        self.orphans.clear();
        while self.parent[event as usize] != ROOT {
            let half = self.parent[event as usize];
            residual.push(half, amount);
            if residual.half[half as usize].residual == 0 {
                self.parent[event as usize] = ORPHAN;
                self.orphans.push(event);
            }
            event = self.up[event as usize];
        }
        self.orphans.reverse(); // the one nearest the source decides about most
        self.repair += 1;
        self.intact[event as usize] = self.repair;
        let (mut next, mut regrow_at) = (0, REGROW_FIRST);
        while let Some(&orphan) = self.orphans.get(next) {
            next += 1;
            if self.parent[orphan as usize] == ORPHAN && !self.adopt(residual, orphan) {
                self.leave(residual, orphan);
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
        for half in &residual.half[residual.out(orphan)] {
            if self.holds(half.head)
                && residual.half[half.mate as usize].residual > 0
                && self.reaches_source(half.head)
            {
                self.parent[orphan as usize] = half.mate;
                self.up[orphan as usize] = half.head;
                self.intact[orphan as usize] = self.repair;
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
        while self.intact[ancestor as usize] != self.repair {
            if self.parent[ancestor as usize] == ORPHAN {
                return false;
            }
            ancestor = self.up[ancestor as usize];
        }
        let mut passed = event;
        while passed != ancestor {
            self.intact[passed as usize] = self.repair;
            passed = self.up[passed as usize];
        }
        true
    }

    /// Takes an orphan out of the source side; its children become orphans.
    fn leave(&mut self, residual: &Residual, orphan: u32) {
        self.parent[orphan as usize] = OUTSIDE;
        self.time[orphan as usize] += self.shift;
        self.waiting[orphan as usize] = false;
        self.left.push(orphan);
        let range = residual.out(orphan);
        for (index, half) in (range.start as u32..).zip(&residual.half[range]) {
            if self.parent[half.head as usize] == index {
                self.parent[half.head as usize] = ORPHAN;
                self.orphans.push(half.head);
            }
        }
    }

    /// Takes in again what left but is reached after all: by an event that was still in the
    /// subtree of an orphan when the other looked for a parent.
    fn regrow(&mut self, residual: &Residual) {
        for index in (0..self.left.len()).rev() {
            let event = self.left[index];
            if self.holds(event) {
                continue;
            }
            for half in &residual.half[residual.out(event)] {
                // Events that are waiting find this one by themselves.
                if self.holds(half.head) && !self.waiting[half.head as usize] {
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
        self.extend(residual, 0);
    }
}
