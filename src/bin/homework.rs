//! `homework`: one turn of the checkers agent, by files in a directory.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use kingline::checkers::{Diagram, Position};
use kingline::game::Game;
use kingline::play::{self, Turn};
use kingline::search::Report;
use kingline::terminal::{stderr_line, stderr_text};

/// Reads input.txt, thinks within its CPU time, writes output.txt (and playdata.txt in a game).
///
/// Exit codes: 0 done, 1 output.txt cannot be written, 2 bad input or usage, 3 the game is over.
#[derive(Parser)]
#[command(name = "homework", version)]
struct Arguments {
    /// Where input.txt is, and output.txt is to be.
    #[arg(default_value = ".")]
    directory: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let live = std::io::stderr().is_terminal();
    let mut watch = |report: &Report<Position>| {
        if live && report.depth.0 >= 12 {
            show_progress(report);
        }
    };
    match play::take_turn(&arguments.directory, &mut watch) {
        Ok(turn) => {
            show(&turn, live);
            ExitCode::SUCCESS
        }
        Err(error) => {
            stderr_line(format_args!("homework: {error}"));
            error.exit_code()
        }
    }
}

fn show_progress(report: &Report<Position>) {
    stderr_text(format_args!("\r\x1b[Kdepth {}, {}, {} nodes", report.depth.0, report.score, report.nodes));
}

fn show(turn: &Turn, live: bool) {
    let mut text = String::from(if live { "\r\x1b[K" } else { "" });
    for warning in &turn.warnings {
        text += &format!("warning: {warning}\n");
    }
    let Turn { position, route, why, .. } = turn;
    text += &format!("{:#}\n{} plays {route}   ({why})\n", Diagram(position), position.turn());
    stderr_text(text);
}
