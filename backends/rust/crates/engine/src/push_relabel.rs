//! Maximum flow by push-relabel: highest label first, exact labels again and again.
//!
//! Every arc out of the source is saturated; the excess this leaves at nodes is then moved downhill
//! to the sink, and what cannot get there back to the source. Both are the same procedure, `drain`.
//! Its labels are exact distances after each breadth-first search from the goal, which also moves
//! excess along as it goes. A node whose label jumps more than once is left alone until the next
//! search: chasing labels one by one is what makes push-relabel slow.
//!
//! Source: A. V. Goldberg, R. E. Tarjan, "A new approach to the maximum-flow problem", Journal of the
//! ACM 35 (1988), doi:10.1145/48014.61051; B. V. Cherkassky, A. V. Goldberg, "On implementing the
//! push-relabel method for the maximum flow problem", Algorithmica 19 (1997),
//! doi:10.1007/PL00009180.

use crate::EngineError;
use crate::residual::Residual;

const NONE: u32 = u32::MAX;
/// Label jumps after which a node waits for the next search.
const JUMPS: u8 = 3;
/// Discharges between two questions whether to go on; one takes well under a microsecond, as a rule.
const DISCHARGES_PER_QUESTION: u32 = 4096;

#[derive(Clone, Copy, Debug)]
struct Node {
    /// What entered and has not left; at most what leaves the source, so it fits.
    excess: i64,
    /// No half-arc before this one is admissible.
    current: u32,
    /// Next active node with the same label.
    next: u32,
    jumps: u8,
}

struct Preflow<'a> {
    residual: &'a mut Residual,
    nodes: Vec<Node>,
    /// A lower bound of the distance to the goal, `n` when there is no way; apart from `nodes`
    /// because most looks at a neighbour need only this.
    label: Vec<u32>,
    /// First active node of every label.
    active: Vec<u32>,
    /// No label above this one has active nodes.
    highest: usize,
    queue: Vec<u32>,
    /// Excess that has not arrived at the goal; what is at the sink by then counts as arrived.
    afloat: i64,
    /// Whether a node with excess waits for the next search.
    left_alone: bool,
    source: u32,
    sink: u32,
}

/// Makes the flow in `residual` a maximum one; returns by how much its value grew.
///
/// # Errors
/// [`EngineError::Stopped`] when `go_on` says no; `residual` then holds no flow.
pub fn augment(
    residual: &mut Residual,
    source: u32,
    sink: u32,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<i64, EngineError> {
    let n = residual.first.len() - 1;
    let node = Node { excess: 0, current: 0, next: NONE, jumps: 0 };
    let mut preflow = Preflow {
        residual,
        nodes: vec![node; n],
        label: vec![0; n],
        active: vec![NONE; n + 1],
        highest: 0,
        queue: Vec::with_capacity(n),
        afloat: 0,
        left_alone: false,
        source,
        sink,
    };
    for half in preflow.residual.out(source) {
        let arc = preflow.residual.half[half];
        preflow.residual.push(half as u32, arc.residual);
        preflow.nodes[arc.head as usize].excess += arc.residual;
        preflow.afloat += arc.residual;
    }
    preflow.afloat -= preflow.nodes[sink as usize].excess;
    preflow.drain(sink, go_on)?;
    preflow.drain(source, go_on)?;
    Ok(preflow.nodes[sink as usize].excess)
}

impl Preflow<'_> {
    /// Moves to the goal all excess that can get there.
    fn drain(&mut self, goal: u32, go_on: &mut dyn FnMut() -> bool) -> Result<(), EngineError> {
        self.left_alone = true;
        while self.left_alone && self.afloat > 0 {
            self.label_and_push(goal);
            self.left_alone = false;
            loop {
                if !go_on() {
                    return Err(EngineError::Stopped);
                }
                if !self.discharge_active(goal) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Discharges active nodes, highest first; false when none is left, true when it is time to ask
    /// whether to go on.
    fn discharge_active(&mut self, goal: u32) -> bool {
        for _ in 0..DISCHARGES_PER_QUESTION {
            let Some(node) = self.pop_highest() else {
                return false;
            };
            if self.nodes[node as usize].jumps >= JUMPS {
                self.left_alone = true;
                continue;
            }
            let before = self.label[node as usize];
            self.discharge(node, goal);
            let label = self.label[node as usize];
            self.nodes[node as usize].jumps += u8::from(label > before + 1);
        }
        true
    }

    /// Sets every label to the distance to the goal, moving excess along on the way.
    fn label_and_push(&mut self, goal: u32) {
        let far = self.nodes.len() as u32;
        for (node, &first) in self.nodes.iter_mut().zip(&self.residual.first) {
            node.current = first;
            node.jumps = 0;
        }
        self.label.fill(far);
        self.label[goal as usize] = 0;
        self.queue.clear();
        self.queue.push(goal);
        let (mut next, mut met) = (0, 0);
        while let Some(&head) = self.queue.get(next) {
            let label = self.label[head as usize] + 1;
            if met == self.afloat {
                // All excess has its way. What was not reached is at least this far away, and a lower
                // bound is all that a label has to be.
                let beyond = |reached: &mut u32| *reached = (*reached).min(label);
                self.label.iter_mut().for_each(beyond);
                break;
            }
            next += 1;
            for half in self.residual.out(head) {
                let back = self.residual.half[half];
                if self.label[back.head as usize] != far
                    || back.head == self.source
                    || back.head == self.sink
                {
                    continue;
                }
                let mut room = self.residual.half[back.mate as usize].residual;
                if room == 0 {
                    continue;
                }
                let excess = self.nodes[back.head as usize].excess;
                if excess > 0 {
                    let amount = excess.min(room);
                    room = self.residual.push(back.mate, amount);
                    self.nodes[back.head as usize].excess -= amount;
                    self.nodes[head as usize].excess += amount;
                    if head == goal {
                        self.afloat -= amount;
                    } else {
                        met += amount;
                    }
                    if room == 0 {
                        continue;
                    }
                    met += excess - amount;
                }
                self.label[back.head as usize] = label;
                self.queue.push(back.head);
            }
        }
        self.active.fill(NONE);
        self.highest = 0;
        for index in 1..self.queue.len() {
            let node = self.queue[index];
            if self.nodes[node as usize].excess > 0 {
                self.activate(node);
            }
        }
    }

    fn activate(&mut self, node: u32) {
        let label = self.label[node as usize] as usize;
        self.nodes[node as usize].next = self.active[label];
        self.active[label] = node;
        self.highest = self.highest.max(label);
    }

    fn pop_highest(&mut self) -> Option<u32> {
        loop {
            let node = self.active[self.highest];
            if node != NONE {
                self.active[self.highest] = self.nodes[node as usize].next;
                return Some(node);
            }
            self.highest = self.highest.checked_sub(1)?;
        }
    }

    /// Pushes the excess of a node downhill, raising its label as needed.
    fn discharge(&mut self, node: u32, goal: u32) {
        let far = self.nodes.len() as u32;
        let (first, end) =
            (self.residual.first[node as usize], self.residual.first[node as usize + 1]);
        let Node { mut excess, mut current, .. } = self.nodes[node as usize];
        let mut label = self.label[node as usize];
        'node: loop {
            while current < end {
                let arc = self.residual.half[current as usize];
                if arc.residual > 0 && self.label[arc.head as usize] + 1 == label {
                    let amount = arc.residual.min(excess);
                    self.residual.push(current, amount);
                    let head = &mut self.nodes[arc.head as usize];
                    let was_active = head.excess > 0;
                    head.excess += amount;
                    excess -= amount;
                    if arc.head == goal {
                        self.afloat -= amount;
                    } else if !was_active {
                        self.activate(arc.head);
                    }
                    if excess == 0 {
                        break 'node;
                    }
                }
                current += 1;
            }
            let mut lowest = far;
            for half in first..end {
                let arc = self.residual.half[half as usize];
                if arc.residual > 0 && self.label[arc.head as usize] < lowest {
                    lowest = self.label[arc.head as usize];
                    current = half;
                }
            }
            label = (lowest + 1).min(far);
            if label == far {
                break;
            }
        }
        self.label[node as usize] = label;
        let node = &mut self.nodes[node as usize];
        node.excess = excess;
        node.current = current;
    }
}
