//! Arguments of `loa6`.

use std::num::NonZero;
use std::time::Duration;

use clap::Parser;

use super::threads::threads;
use crate::help::GuidePage;

/// Answers one 6x6 Lines of Action request, `identify` or `move`: reads it from standard input, and prints the answer.
///
/// Exit codes: 0 done, 1 the answer cannot be written, 2 bad request or usage, 3 the game is over.
#[derive(Debug, Parser)]
#[command(name = "loa6", version, after_help = GuidePage::Solved.line())]
pub struct Loa6Arguments {
    /// Wall-clock seconds from the start of the process until the end of a search, above 0, at most 2. The strategies and
    /// the solver come first; they take 0.1 s of CPU time at most.
    #[arg(long, value_name = "SECONDS", default_value = "1.5", value_parser = thinking_time)]
    pub time: Duration,
    /// Threads of the search, 1 to 256; no more than there are free cores. The solver takes one.
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    pub threads: NonZero<usize>,
}

fn thinking_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= 2.0);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds above 0, at most 2".to_owned())
}
