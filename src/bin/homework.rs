//! `homework`: one turn of the checkers agent, by files in a directory.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use kingline::checkers::Position;
use kingline::help::GuidePage;
use kingline::play;
use kingline::score::Depth;
use kingline::search::Report;
use kingline::terminal::{stderr_line, stderr_text};

/// Shallower iterations are over before anybody could read of them.
const SHOWN_DEPTH: Depth = Depth(12);
/// Goes back to the start of the line and clears it.
const CLEAR_LINE: &str = "\r\x1b[K";

/// Plays one turn of checkers by files: reads input.txt, searches within its CPU time, writes output.txt.
///
/// In a game it keeps playdata.txt for its next turn. It follows calibration.txt, which `calibrate` writes; the file is
/// optional.
///
/// Exit codes: 0 done, 1 output.txt cannot be written, 2 bad input or usage, 3 the game is over.
#[derive(Parser)]
#[command(name = "homework", version, after_help = GuidePage::Turns.line())]
struct Arguments {
    /// The folder of input.txt, where output.txt is written.
    #[arg(value_name = "FOLDER", default_value = ".")]
    directory: PathBuf,
}

fn main() -> ExitCode {
    #[cfg(feature = "manual")]
    if let Some(code) = kingline::manual::write_if_asked::<Arguments>() {
        return code;
    }
    let arguments = Arguments::parse();
    let live = io::stderr().is_terminal();
    let mut watch = |report: &Report<Position>| {
        if live && report.depth >= SHOWN_DEPTH {
            let Report { depth, score, nodes, .. } = report;
            stderr_text(format_args!("{CLEAR_LINE}depth {}, {score}, {nodes} nodes", depth.0));
        }
    };
    match play::take_turn(&arguments.directory, &mut watch) {
        Ok(turn) => {
            stderr_line(format_args!("{}{turn}", if live { CLEAR_LINE } else { "" }));
            ExitCode::SUCCESS
        }
        Err(error) => {
            stderr_line(format_args!("homework: {error}"));
            error.exit_code()
        }
    }
}
