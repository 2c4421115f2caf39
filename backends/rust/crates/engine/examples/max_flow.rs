//! Times the cold solver on a network from a text file, without Python.
//!
//! The file holds `nodes source sink`, then one line each of tails, heads and capacities. Usage:
//! `max_flow FILE REPEATS`; prints the value and the median time in nanoseconds.

use std::error::Error;
use std::str::FromStr;
use std::time::Instant;

use lowtime_engine::{Network, max_flow};

fn row<T: FromStr>(line: Option<&str>) -> Result<Vec<T>, Box<dyn Error>>
where
    T::Err: Error + 'static,
{
    line.unwrap_or_default().split_whitespace().map(|x| x.parse().map_err(Into::into)).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = std::fs::read_to_string(arguments.next().ok_or("no file named")?)?;
    let repeats: usize = arguments.next().ok_or("no number of repeats")?.parse()?;
    let mut lines = text.lines();
    let sizes: Vec<usize> = row(lines.next())?;
    let (tail, head): (Vec<i32>, Vec<i32>) = (row(lines.next())?, row(lines.next())?);
    let capacity: Vec<i64> = row(lines.next())?;
    let network = Network {
        num_nodes: sizes[0],
        tail: &tail,
        head: &head,
        capacity: &capacity,
        source: sizes[1],
        sink: sizes[2],
    };
    let mut nanoseconds = Vec::with_capacity(repeats);
    // The last flow is kept until the next one is there, as a caller from Python does; without it
    // the allocator gives everything back to the system each time, which costs more than small flows.
    let mut last = max_flow(&network)?;
    for _ in 0..repeats {
        let start = Instant::now();
        last = max_flow(&network)?;
        nanoseconds.push(start.elapsed().as_nanos());
    }
    nanoseconds.sort_unstable();
    println!("{} {}", last.value, nanoseconds[repeats / 2]);
    Ok(())
}
