//! Figures that tests measure: printed, and recorded in a file on request.

use std::env;
use std::path::Path;

use kingline_players::figures::{Figure, Row, Topic};

/// Environment variable with the path of the figures file.
const FILE: &str = "KINGLINE_FIGURES";

/// Prints a figure, and appends it to the file that KINGLINE_FIGURES names. `command` is the command line that measures
/// it.
pub(crate) fn record(topic: Topic, command: &str, figure: Figure) {
    println!("{}: {}", figure.name, figure.measured);
    let Some(path) = env::var_os(FILE) else { return };
    let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    Row::now(topic, figure, &words).append(Path::new(&path)).expect("a figures file");
}
