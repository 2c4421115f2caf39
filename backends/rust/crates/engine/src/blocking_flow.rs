//! A maximum flow, or one of a given value, by blocking flows in layered networks.
//!
//! The tracer's way out when single paths do not get it far, because it stops at a limit: arcs out of
//! the source may have capacities whose sum fits no `i64`.
//!
//! Each phase labels nodes with their distance to the sink, then sends flow along shortest paths
//! only until every one of them is blocked. The distance of the source grows with each phase, so
//! there are fewer than `n` phases; a phase takes O(n m).
//!
//! Source: E. A. Dinic, "Algorithm for solution of a problem of maximum flow in networks with power
//! estimation", Soviet Mathematics Doklady 11 (1970).

use crate::residual::Residual;

const FAR: u32 = u32::MAX;

/// Makes the flow in `residual` a maximum one, or adds `limit` to it if that is less; returns by how
/// much its value grew.
pub fn augment(residual: &mut Residual, source: u32, sink: u32, limit: i64) -> i64 {
    let n = residual.first.len() - 1;
    let mut distance = vec![FAR; n];
    let mut queue = Vec::with_capacity(n);
    let mut current = vec![0u32; n];
    let mut path = Vec::new();
    let mut value = 0;
    while value < limit && label(residual, source, sink, &mut distance, &mut queue) {
        for &node in &queue {
            current[node as usize] = residual.first[node as usize];
        }
        let left = limit - value;
        value += block(residual, source, sink, left, &mut distance, &mut current, &mut path);
    }
    value
}

/// Distances to the sink by breadth-first search; true when the source has one.
fn label(
    residual: &Residual,
    source: u32,
    sink: u32,
    distance: &mut [u32],
    queue: &mut Vec<u32>,
) -> bool {
    distance.fill(FAR);
    queue.clear();
    distance[sink as usize] = 0;
    queue.push(sink);
    let mut next = 0;
    while let Some(&node) = queue.get(next) {
        next += 1;
        let one_more = distance[node as usize] + 1;
        if one_more > distance[source as usize] {
            break; // farther than the source: on no shortest path
        }
        for half in &residual.half[residual.out(node)] {
            if distance[half.head as usize] == FAR && residual.half[half.mate as usize].residual > 0
            {
                distance[half.head as usize] = one_more;
                queue.push(half.head);
            }
        }
    }
    distance[source as usize] != FAR
}

/// Sends flow along paths of falling distance until none is left or `limit` is sent; returns how
/// much.
///
/// `path` is the stack of half-arcs from the source: an explicit one, so that a path of a million
/// arcs costs memory and not the call stack.
fn block(
    residual: &mut Residual,
    source: u32,
    sink: u32,
    limit: i64,
    distance: &mut [u32],
    current: &mut [u32],
    path: &mut Vec<u32>,
) -> i64 {
    let mut sent = 0;
    path.clear();
    let mut node = source;
    loop {
        if node == sink {
            let room = path.iter().map(|&h| residual.half[h as usize].residual).min();
            let amount = room.unwrap_or(0).min(limit - sent);
            sent += amount;
            if sent == limit {
                path.iter().for_each(|&half| _ = residual.push(half, amount));
                return sent;
            }
            let mut kept = path.len();
            for index in (0..path.len()).rev() {
                let left = residual.push(path[index], amount);
                if left == 0 {
                    kept = index; // go on from the tail of the first saturated arc
                }
            }
            node = tail(residual, path[kept]);
            path.truncate(kept);
            continue;
        }
        let (end, wanted) =
            (residual.first[node as usize + 1], distance[node as usize].wrapping_sub(1));
        let mut half = current[node as usize];
        while half < end {
            let candidate = residual.half[half as usize];
            if candidate.residual > 0 && distance[candidate.head as usize] == wanted {
                break;
            }
            half += 1;
        }
        current[node as usize] = half;
        if half < end {
            path.push(half);
            node = residual.half[half as usize].head;
        } else if let Some(last) = path.pop() {
            distance[node as usize] = FAR; // a dead end for the rest of the phase
            node = tail(residual, last);
            current[node as usize] += 1;
        } else {
            return sent;
        }
    }
}

fn tail(residual: &Residual, half: u32) -> u32 {
    residual.half[residual.half[half as usize].mate as usize].head
}
