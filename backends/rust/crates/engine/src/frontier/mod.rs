//! The whole frontier: a crash loop with a kept flow, a kept source side and a kept cut.

mod activity;
mod closing;
mod place;
mod segments;
mod session;
mod source_side;
mod state_check;

pub use activity::Activity;
pub use segments::Segments;
pub use session::{Counters, Session, State};
