//! The whole frontier: a crash loop with a kept flow, a kept source side and a kept cut.

mod activity;
mod closing;
mod contraction;
mod counters;
mod crash_loop;
mod cut;
mod place;
mod redundancy;
mod repair;
mod segments;
mod session;
mod source_side;
mod state;

pub use activity::Activity;
pub use counters::Counters;
pub use segments::Segments;
pub use session::Session;
pub use state::State;
