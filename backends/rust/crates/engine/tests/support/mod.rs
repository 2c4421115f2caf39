//! Random inputs by seed, for the tests.
#![allow(dead_code, reason = "each test file uses its part")]

use lowtime_engine::frontier::Activity;

/// SplitMix64: the same numbers everywhere, without a dependency.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `low ..= high`.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }
}

/// A small project: parallel dummies, fixed operations, ties, kinked and linear tables.
pub fn project(random: &mut Random, most_events: i64) -> Activity {
    let n = random.within(2, most_events);
    let mut arcs = Vec::new();
    for event in 1..n {
        arcs.push((random.within(0, event - 1), event));
    }
    for event in 0..n - 1 {
        arcs.push((event, random.within(event + 1, n - 1)));
    }
    for _ in 0..random.within(0, n) {
        let tail = random.within(0, n - 2);
        arcs.push((tail, random.within(tail + 1, n - 1)));
    }
    let (longest_piece, steepest) = [(1, 3), (3, 5), (4, 40)][random.within(0, 2) as usize];
    let mut activity = Activity { num_events: n as usize, unbounded: 1, ..Activity::default() };
    activity.table_start.push(0);
    let tables = random.within(1, 4);
    for _ in 0..tables {
        let mut duration = random.within(0, 4);
        let mut marginal = random.within(1, steepest);
        while marginal >= 1 {
            activity.piece_start.push(duration);
            duration += random.within(1, longest_piece);
            activity.piece_end.push(duration);
            activity.marginal.push(marginal);
            marginal -= random.within(1, steepest);
        }
        activity.table_start.push(activity.piece_start.len() as i64);
    }
    for (tail, head) in arcs {
        activity.tail.push(tail as i32);
        activity.head.push(head as i32);
        let table = random.within(-2, tables - 1).max(-1);
        activity.table.push(table as i32);
        if table < 0 {
            let fixed = random.within(0, 2) * random.within(0, 3);
            activity.shortest.push(fixed);
            activity.longest.push(fixed);
        } else {
            let (first, end) = activity.pieces(table as usize);
            activity.shortest.push(activity.piece_start[first]);
            activity.longest.push(activity.piece_end[end - 1]);
            activity.unbounded += activity.marginal[first];
        }
    }
    activity
}

/// A project as it comes from a graph of operations: each has an event where it starts and one where
/// it ends, and dummies join them; many of those can be contracted.
pub fn project_of_operations(random: &mut Random, most_operations: i64) -> Activity {
    let operations = random.within(1, most_operations);
    let mut activity = project(random, 2);
    let tables = activity.table_start.len() as i64 - 1;
    let num_events = 2 * operations as usize + 2;
    activity = Activity {
        num_events,
        unbounded: 1,
        tail: Vec::new(),
        head: Vec::new(),
        shortest: Vec::new(),
        longest: Vec::new(),
        table: Vec::new(),
        ..activity
    };
    let mut add = |tail: i64, head: i64, table: i64| {
        let (first, end) = if table < 0 { (0, 0) } else { activity.pieces(table as usize) };
        let fixed = table < 0;
        activity.tail.push(tail as i32);
        activity.head.push(head as i32);
        activity.table.push(table as i32);
        activity.shortest.push(if fixed { 0 } else { activity.piece_start[first] });
        activity.longest.push(if fixed { 0 } else { activity.piece_end[end - 1] });
        activity.unbounded += if fixed { 0 } else { activity.marginal[first] };
    };
    let (start, end) = (|k: i64| 1 + 2 * k, |k: i64| 2 + 2 * k);
    for k in 0..operations {
        add(start(k), end(k), random.within(0, tables - 1));
    }
    for k in 0..operations {
        let mut sources = 0;
        for before in 0..k {
            if random.within(0, 2) == 0 {
                sources += 1;
                for _ in 0..random.within(1, 2) {
                    add(end(before), start(k), -1);
                }
            }
        }
        if sources == 0 {
            add(0, start(k), -1);
        }
    }
    let followed: Vec<i32> = activity.tail.clone();
    let sink = num_events as i32 - 1;
    for k in 0..operations {
        if !followed.contains(&(end(k) as i32)) {
            activity.tail.push(end(k) as i32);
            activity.head.push(sink);
            activity.table.push(-1);
            activity.shortest.push(0);
            activity.longest.push(0);
        }
    }
    activity
}
