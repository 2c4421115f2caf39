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
        let (n, m) = (network.num_nodes, network.num_arcs());
        let (source, sink) = (network.source as i32, network.sink as i32);
        let mut first = vec![0u32; n + 2];
        let arcs = || network.tail.iter().zip(network.head).zip(network.capacity);
        let useful = |tail: i32, head: i32, capacity: i64| {
            (capacity > 0) & (tail != head) & (head != source) & (tail != sink)
        };
        // Counts land two places on, so that filling leaves `first` where it belongs.
        for ((&tail, &head), &capacity) in arcs() {
            if useful(tail, head, capacity) {
                first[tail as usize + 2] += 1;
                first[head as usize + 2] += 1;
            }
        }
        for node in 2..n + 2 {
            first[node] += first[node - 1];
        }
        let absent = HalfArc { head: 0, mate: 0, residual: 0 };
        let mut half = vec![absent; first[n + 1] as usize];
        let mut forward = vec![NONE; m];
        for (position, ((&tail, &head), &capacity)) in forward.iter_mut().zip(arcs()) {
            if useful(tail, head, capacity) {
                let (out, back) = (first[tail as usize + 1], first[head as usize + 1]);
                first[tail as usize + 1] += 1;
                first[head as usize + 1] += 1;
                half[out as usize] = HalfArc { head: head as u32, mate: back, residual: capacity };
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

    /// Sends `amount` along a half-arc; at most its residual capacity.
    pub fn push(&mut self, half: u32, amount: i64) {
        let mate = self.half[half as usize].mate as usize;
        self.half[half as usize].residual -= amount;
        self.half[mate].residual += amount;
    }

    /// `[m]`, the flow of every arc: what the backward direction could give back.
    #[must_use]
    pub fn flow(&self) -> Vec<i64> {
        let flow_of = |&forward: &u32| match forward {
            NONE => 0,
            forward => self.half[self.half[forward as usize].mate as usize].residual,
        };
        self.forward.iter().map(flow_of).collect()
    }
}
