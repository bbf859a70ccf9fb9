//! Games judged move by move.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `chances` | how many points does a score promise |

mod chances;

pub use chances::{Chances, Curve, Judged, Knot, bent};
