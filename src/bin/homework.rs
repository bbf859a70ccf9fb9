//! `homework`: one turn of the checkers agent, played through files in a directory.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use kingline::checkers::Position;
use kingline::play;
use kingline::play::arguments::HomeworkArguments as Arguments;
use kingline::score::Depth;
use kingline::search::Report;
use kingline::terminal::{stderr_line, stderr_text};

/// Minimum displayed depth; shallower iterations end too quickly to be read.
const SHOWN_DEPTH: Depth = Depth(12);
/// Moves to the start of the line and clears it.
const CLEAR_LINE: &str = "\r\x1b[K";

fn main() -> ExitCode {
    let arguments = Arguments::of_process();
    let live = io::stderr().is_terminal();
    let mut watch = |report: &Report<Position>| {
        if live && report.depth >= SHOWN_DEPTH {
            let Report { depth, score, nodes, .. } = report;
            stderr_text(format_args!("{CLEAR_LINE}depth {}, {score}, {nodes} nodes", depth.0));
        }
    };
    match play::take_turn(&arguments.directory, &mut watch) {
        Ok(turn) => {
            if live {
                stderr_text(CLEAR_LINE);
            }
            stderr_line(turn);
            ExitCode::SUCCESS
        }
        Err(error) => {
            stderr_line(format_args!("homework: {error}"));
            error.exit_code()
        }
    }
}
