//! `calibrate depth`: nodes and CPU time of a search to a fixed depth.

use anyhow::Result;
use kingline::score::Depth;
use kingline::search::Params;
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::help::GuidePage;
use kingline_players::terminal::stdout_line;

use crate::bench;
use crate::help::help_end;
use kingline_players::terminal::in_thousands;

/// Reports the nodes and CPU time of searches to a fixed depth, from the start and middle-game positions of checkers.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Figures))]
pub(crate) struct DepthArguments {
    /// Depth of the search, in plies.
    depth: i16,
    /// Search parameters to change, as JSON.
    #[arg(default_value = "{}", value_parser = params)]
    params: Params,
    #[command(flatten)]
    figures: FiguresOption,
}

/// Prints a line for each position, and the total.
///
/// # Errors
/// Fails if standard output cannot be written.
pub(crate) fn run(arguments: &DepthArguments) -> Result<()> {
    let (mut nodes, mut seconds) = (0, 0.0);
    for (position, some, time) in bench::to_depth(Depth(arguments.depth), arguments.params) {
        stdout_line(format_args!("{some:>12} nodes {:>8.3} s  {position}", time.as_secs_f64()))?;
        nodes += some;
        seconds += time.as_secs_f64();
    }
    stdout_line(format_args!("{nodes:>12} nodes {seconds:>8.3} s  in all"))?;
    let name = format!("start and five middle games of checkers to depth {}", arguments.depth);
    let measured = format!("{} nodes, {seconds:.3} s of CPU time in all", in_thousands(nodes));
    arguments.figures.record(Topic::Search, [Figure::new(name, measured)])
}

fn params(text: &str) -> Result<Params, String> {
    serde_json::from_str(text).map_err(|error| format!("{error}; expected parameters like {{\"prob_cut\": null}}"))
}
