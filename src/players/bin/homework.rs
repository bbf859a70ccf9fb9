//! `homework`: one turn of the checkers agent, played through files in a directory.
#![cfg_attr(all(target_os = "linux", target_env = "gnu"), no_main)]

use kingline::checkers::Position;
use kingline::score::Depth;
use kingline::search::Report;
use kingline_players::play;
use kingline_players::play::arguments::HomeworkArguments as Arguments;
use kingline_players::terminal::{stderr_line, stderr_text};
use std::io::{self, IsTerminal};

/// Minimum displayed depth; shallower iterations end too quickly to be read.
const SHOWN_DEPTH: Depth = Depth(12);
/// Moves to the start of the line and clears it.
const CLEAR_LINE: &str = "\r\x1b[K";

/// Starts the program without Rust's own start, a fifth of a short turn: it reads /proc/self/maps to find the end of the
/// stack, for a message about its overflow.
///
/// Nothing else of it is missed. A reader that goes away must not end the program, so SIGPIPE is blocked. Standard
/// streams that are closed are not replaced, since nothing is printed while a file is open for writing.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the name and the type that C's start expects, once in this program")]
#[unsafe(no_mangle)]
extern "C" fn main() -> std::ffi::c_int {
    let blocked = nix::sys::signal::SigSet::from(nix::sys::signal::Signal::SIGPIPE).thread_block();
    debug_assert_eq!(blocked, Ok(()));
    homework().into()
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn main() -> std::process::ExitCode {
    homework().into()
}

fn homework() -> u8 {
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
            0
        }
        Err(error) => {
            stderr_line(format_args!("homework: {error}"));
            error.exit_status() as u8
        }
    }
}
