//! Flow sent along the search tree of the source side, and the repair of the tree after it.
//!
//! Events behind saturated arcs of the tree are *orphans*: each looks for another parent whose own
//! path to the source is intact, and then keeps its whole subtree. Only an orphan that finds none
//! leaves the source side, and makes orphans of its children. A repair that would dismantle much of
//! the tree drops it instead and searches anew: what remains then is small.
//!
//! Source: Y. Boykov, V. Kolmogorov, "An experimental comparison of min-cut/max-flow algorithms for
//! energy minimization in vision", IEEE TPAMI 26 (2004), doi:10.1109/TPAMI.2004.60; of the two trees
//! there, this is the source's. The sink's was tried beside it: it spares searches on wide projects,
//! but on pipelines its own repairs took longer than that.

use super::source_side::{Link, ORPHAN, OUTSIDE, ROOT, SourceSide, halves};
use crate::residual::{HalfArc, Residual};

/// Orphans after which a repair first looks back; then after twice as many, and so on, which keeps
/// that work within a constant factor of the rest.
const REGROW_FIRST: usize = 16;
/// Orphans after which a repair may give up: dropping the tree has a price, too.
const DROP_FIRST: usize = 24;
/// A repair gives up when more than one in this many events of the source side became orphans.
const DROP_PART: usize = 8;

impl SourceSide {
    /// Sends as much flow as the tree path to an event takes, if less than `limit`, and repairs the
    /// tree; None, and nothing changes, when the path takes `limit` or more.
    pub fn augment(&mut self, residual: &mut Residual, end: u32, limit: i64) -> Option<i64> {
        self.make_room();
        let mut amount = limit;
        self.path.clear();
        let mut event = end;
        while event != self.source {
            let link = self.links[event as usize];
            amount = amount.min(residual.half[link.parent as usize].residual);
            self.path.push(link.parent);
            event = link.up;
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
                self.links[head as usize] = Link { parent: ORPHAN, up: mate };
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
    ///
    /// The search goes round from the half-arc to the parent that was lost: an event of many
    /// half-arcs that loses one parent after another does not look at the first of them every time.
    fn adopt(&mut self, residual: &Residual, orphan: u32) -> bool {
        let node = self.nodes[orphan as usize];
        let start = self.links[orphan as usize].up;
        for half in residual.half[start as usize..node.end as usize]
            .iter()
            .chain(&residual.half[node.first as usize..start as usize])
        {
            if self.holds(half.head)
                && residual.half[half.mate as usize].residual > 0
                && self.reaches_source(half.head)
            {
                self.links[orphan as usize] = Link { parent: half.mate, up: half.head };
                self.nodes[orphan as usize].intact = self.repair;
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
            if self.nodes[ancestor as usize].intact == self.repair {
                break;
            }
            let link = self.links[ancestor as usize];
            if link.parent == ORPHAN {
                return false;
            }
            ancestor = link.up;
        }
        let mut passed = event;
        while passed != ancestor {
            self.nodes[passed as usize].intact = self.repair;
            passed = self.links[passed as usize].up;
        }
        true
    }

    /// Takes an orphan out of the source side; its children become orphans.
    fn leave(&mut self, residual: &Residual, orphan: u32) {
        let shift = self.shift;
        let node = &mut self.nodes[orphan as usize];
        node.time += shift;
        let node = *node;
        self.links[orphan as usize].parent = OUTSIDE;
        self.left.push(orphan);
        self.size -= 1;
        for (index, half) in (node.first..).zip(halves(residual, node)) {
            let child = &mut self.links[half.head as usize];
            if child.parent == index {
                *child = Link { parent: ORPHAN, up: half.mate };
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
            if self.holds(event) {
                continue;
            }
            for half in halves(residual, node) {
                // Events that are waiting find this one by themselves.
                if self.holds(half.head)
                    && (self.nodes[half.head as usize].slot as usize) < self.next
                {
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
            let link = &mut self.links[member as usize];
            if link.parent != OUTSIDE {
                link.parent = OUTSIDE;
                self.nodes[member as usize].time += self.shift;
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
