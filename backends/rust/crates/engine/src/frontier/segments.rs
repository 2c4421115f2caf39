//! A run of consecutive frontier segments, as arrays.

/// See `lowtime.backends.protocol.Segments`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segments {
    /// `[k]`, quanta.
    pub length: Vec<i64>,
    /// `[k]`, cost units per quantum.
    pub slope: Vec<i64>,
    /// `[k + 1]`, where the changes of each segment start.
    pub offset: Vec<i64>,
    /// `[c]`, arcs that change, increasing within a segment.
    pub arc: Vec<i32>,
    /// `[c]`, -1 crash, +1 relax.
    pub sign: Vec<i8>,
    /// Whether the last segment ends at the shortest schedule.
    pub done: bool,
}

impl Default for Segments {
    fn default() -> Self {
        Self {
            length: Vec::new(),
            slope: Vec::new(),
            offset: vec![0],
            arc: Vec::new(),
            sign: Vec::new(),
            done: false,
        }
    }
}
