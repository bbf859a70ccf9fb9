//! `homework`: one turn of the checkers agent, by files in a directory.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use kingline::checkers::Position;
use kingline::score::Depth;
use kingline::search::Report;
use kingline::terminal::{stderr_line, stderr_text};
use kingline::{draw, play};

/// Shallower iterations are over before anybody could read of them.
const SHOWN_DEPTH: Depth = Depth(12);
/// Goes back to the start of the line and clears it.
const CLEAR_LINE: &str = "\r\x1b[K";

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

/// Nobody may be reading: what cannot be shown is not worth failing for.
fn complain(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn show_progress(report: &Report<Position>) {
    complain(&format!("\r\x1b[Kdepth {}, {}, {} nodes", report.depth.0, report.score, report.nodes));
}

fn show(turn: &Turn, live: bool) {
    let mut text = String::from(if live { "\r\x1b[K" } else { "" });
    for warning in &turn.warnings {
        text += &format!("warning: {warning}\n");
    }
    text += &draw::framed(&turn.position, &draw::CHECKERS);
    text += &format!("\n{} plays {}", turn.position.turn(), turn.route);
    text += &match &turn.reason {
        Reason::OnlyTurn => ", the only move\n".to_owned(),
        Reason::Tables(value) => format!("   (by the endgame tables: {value})\n"),
        Reason::Search(report) => {
            format!("   ({}; depth {}, {} nodes)\n", report.score, report.depth.0, report.nodes)
        }
    };
    complain(&text);
}
