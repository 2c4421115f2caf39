//! The residual network in CSR arrays, half-arcs paired.

use crate::network::Network;

/// A half-arc that does not exist.
pub const NONE: u32 = u32::MAX;

/// One direction of an arc.
#[derive(Clone, Copy, Debug)]
pub struct HalfArc {
    /// Node it leads to.
    pub head: u32,
    /// The opposite direction of the same arc.
    pub mate: u32,
    /// How much more flow it takes. The two directions of an arc sum to its capacity, so neither
    /// exceeds `i64::MAX`; antiparallel arcs stay apart for that reason.
    pub residual: i64,
}

/// Half-arcs grouped by the node they leave.
#[derive(Clone, Debug)]
pub struct Residual {
    /// `[n + 1]`, where the half-arcs of every node start.
    pub first: Vec<u32>,
    /// `[2 k]` for the `k` arcs that were kept.
    pub half: Vec<HalfArc>,
    /// `[m]`, the forward half-arc of every arc of the network, or [`NONE`] where it was left out.
    pub forward: Vec<u32>,
}

impl Residual {
    /// The residual network of the zero flow.
    ///
    /// Arcs that no maximum flow needs are left out: self-loops, arcs without capacity, arcs into
    /// the source and arcs out of the sink.
    #[must_use]
    pub fn new(network: &Network<'_>) -> Self {
        let (source, sink) = (network.source as i32, network.sink as i32);
        let useful = |arc: usize, tail: i32, head: i32| {
            (network.capacity[arc] > 0) & (tail != head) & (head != source) & (tail != sink)
        };
        let capacity = |arc: usize| network.capacity[arc];
        Self::of_arcs(network.num_nodes, network.tail, network.head, useful, capacity)
    }

    /// The half-arcs of all arcs that `keep(arc, tail, head)` chooses; forward ones with residual
    /// capacity `capacity(arc)`, backward ones with none.
    #[must_use]
    pub fn of_arcs(
        num_nodes: usize,
        tail: &[i32],
        head: &[i32],
        keep: impl Fn(usize, i32, i32) -> bool,
        capacity: impl Fn(usize) -> i64,
    ) -> Self {
        let mut first = vec![0u32; num_nodes + 2];
        // Counts land two places on, so that filling leaves `first` where it belongs.
        for (arc, (&tail, &head)) in tail.iter().zip(head).enumerate() {
            if keep(arc, tail, head) {
                first[tail as usize + 2] += 1;
                first[head as usize + 2] += 1;
            }
        }
        for node in 2..num_nodes + 2 {
            first[node] += first[node - 1];
        }
        let absent = HalfArc { head: 0, mate: 0, residual: 0 };
        let mut half = vec![absent; first[num_nodes + 1] as usize];
        let mut forward = vec![NONE; tail.len()];
        for (arc, (position, (&tail, &head))) in
            forward.iter_mut().zip(tail.iter().zip(head)).enumerate()
        {
            if keep(arc, tail, head) {
                let (out, back) = (first[tail as usize + 1], first[head as usize + 1]);
                first[tail as usize + 1] += 1;
                first[head as usize + 1] += 1;
                half[out as usize] =
                    HalfArc { head: head as u32, mate: back, residual: capacity(arc) };
                half[back as usize] = HalfArc { head: tail as u32, mate: out, residual: 0 };
                *position = out;
            }
        }
        first.pop();
        Self { first, half, forward }
    }

    /// Half-arcs that leave a node, as an index range.
    #[must_use]
    pub fn out(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    /// Sends `amount` along a half-arc, at most its residual capacity; returns what is left of it.
    pub fn push(&mut self, half: u32, amount: i64) -> i64 {
        let half = &mut self.half[half as usize];
        half.residual -= amount;
        let (left, mate) = (half.residual, half.mate);
        self.half[mate as usize].residual += amount;
        left
    }

    /// `[m]`, the flow of every arc: what is missing from its capacity.
    #[must_use]
    pub fn flow(&self, capacity: &[i64]) -> Vec<i64> {
        let flow_of = |(&forward, &capacity): (&u32, &i64)| match forward {
            NONE => 0,
            forward => capacity - self.half[forward as usize].residual,
        };
        self.forward.iter().zip(capacity).map(flow_of).collect()
    }
}
