//! Dummies that another path makes superfluous.
//!
//! Where a path from the tail of a dummy to its head lasts a quantum or more at the shortest
//! durations, the head always happens later than the tail: the dummy is never tight, carries no flow
//! and decides no event time. Leaving it out changes no bit of a frontier. A path that uses a dummy
//! which is left out later stays a path: that one's own path takes its place.

use super::activity::Activity;

/// Events that a search for such a path looks at before it gives up: paths of many arcs are found
/// when they lead straight on, and a dummy that stays does no harm.
const MOST_EVENTS: usize = 64;

/// `[m]`, whether an arc is a dummy that can be left out.
#[must_use]
pub fn redundant_dummies(activity: &Activity) -> Vec<bool> {
    let (n, m) = (activity.num_events, activity.num_arcs());
    let mut redundant = vec![false; m];
    let (first, by_tail) = activity.arcs_by_tail();
    let mut entering = vec![0u32; n];
    for &head in &activity.head {
        entering[head as usize] += 1;
    }
    let mut seen = vec![0u32; n];
    let mut search = 0;
    let mut stack = Vec::new();
    for arc in 0..m {
        let (tail, head) = (activity.tail[arc] as usize, activity.head[arc] as usize);
        if activity.table[arc] >= 0
            || activity.longest[arc] > 0
            || first[tail + 1] - first[tail] < 2
            || entering[head] < 2
        {
            continue;
        }
        search += 1;
        stack.clear();
        stack.push((tail, false));
        let mut left = MOST_EVENTS;
        'search: while let Some((event, lasts)) = stack.pop() {
            if left == 0 {
                break;
            }
            left -= 1;
            let from = stack.len();
            for &next in &by_tail[first[event] as usize..first[event + 1] as usize] {
                let next = next as usize;
                let reached = activity.head[next] as usize;
                if redundant[next] || next == arc || reached > head || seen[reached] == search {
                    continue;
                }
                let lasts = lasts || activity.shortest[next] > 0;
                if reached < head {
                    seen[reached] = search;
                    stack.push((reached, lasts));
                } else if lasts {
                    redundant[arc] = true;
                    break 'search;
                }
            }
            // The one nearest the head is looked at first.
            stack[from..].sort_unstable();
        }
    }
    redundant
}
