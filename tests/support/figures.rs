//! Tests that measure print their figures, and leave rows of them where one asks for those.

use std::env;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use kingline::figures::{Figure, Row, Rows, Topic};

/// Names the file of rows.
const FILE: &str = "KINGLINE_FIGURES";

/// Tests run at the same time, and a row is added by reading the file and writing it again.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Prints a figure, and records it in the file that KINGLINE_FIGURES names. `command`: what to type to measure it.
pub(crate) fn record(topic: Topic, command: &str, figure: Figure) {
    println!("{}: {}", figure.name, figure.measured);
    let Some(path) = env::var_os(FILE) else { return };
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    Rows::record_in(Path::new(&path), [Row::here(topic, figure, command)]).expect("a file of figures");
}
