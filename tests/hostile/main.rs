//! A hostile agent, or an unlucky one, for the tests of the sandbox and the referee.
//!
//! What it does is named by its first argument or, where it has none, by the file `behavior` beside it.
//! Behaviours that need an answer first give a legal one. Exit code 66: something was possible that must
//! not be, and standard error says what.

#![allow(unsafe_code, reason = "what hostile programs do, no safe library offers")]

mod answers;
mod breakouts;
mod burners;
mod fillers;
mod process;

use std::process::ExitCode;
use std::time::Duration;

/// Every behavior by name.
const BEHAVIOURS: &[(&str, fn())] = &[
    // Answers.
    ("nothing", || {}),
    ("answer", answers::answer),
    ("empty", answers::empty),
    ("garbage", answers::garbage),
    ("megabyte", answers::megabyte),
    ("link", answers::link),
    ("fifo", answers::fifo),
    ("directory", answers::directory),
    ("unreadable", answers::unreadable),
    ("stale", answers::stale),
    ("alter-input", answers::alter_input),
    ("exit-code", answers::exit_code),
    ("crash", answers::crash),
    ("abort", || std::process::abort()),
    // Time.
    ("sleep", || process::sleep(Duration::from_secs(3600))),
    ("spin", process::spin),
    ("spin-threads", process::spin_by_threads),
    ("deaf", process::deaf),
    ("print", || process::print_without_end(&mut std::io::stdout())),
    ("complain", || process::print_without_end(&mut std::io::stderr())),
    ("answer-and-spin", || {
        answers::answer();
        process::spin();
    }),
    // Processes.
    ("fork-bomb", process::bomb),
    ("orphan", process::orphan),
    ("linger", process::linger),
    ("daemon", process::daemon),
    // Space.
    ("fill-disk", fillers::disk),
    ("fill-inodes", fillers::inodes),
    ("dig", fillers::dig),
    ("large-file", fillers::large_file),
    ("memory", fillers::memory),
    // What is not its own.
    ("spy", breakouts::spy),
    ("vandal", breakouts::vandal),
    ("sockets", breakouts::sockets),
    ("signals", breakouts::signals),
    ("privileges", breakouts::privileges),
    ("unlimited", breakouts::unlimited),
    ("files-left-open", breakouts::files_left_open),
    ("observer", breakouts::observer),
    ("keeper", breakouts::keeper),
    ("diary", breakouts::diary),
    // CPU time, as much as the second argument says.
    ("burn", burners::plain),
    ("burn-threads", burners::threads),
    ("burn-fork", burners::fork_and_wait),
    ("burn-ignored", burners::ignored_children),
    ("burn-orphan", burners::orphan),
    ("burn-sibling", burners::sibling),
    ("burn-chain", burners::chain),
    ("burn-child", burners::burn_and_tell),
    ("burn-mode", burners::hidden_by_mode),
    ("burn-created", burners::hidden_when_created),
    ("burn-umask", burners::hidden_by_umask),
    ("burn-list", burners::hidden_by_list),
    ("burn-memory", burners::hidden_in_memory),
];

fn main() -> ExitCode {
    let Some(name) = named() else {
        eprintln!(
            "no behavior; expected one of {}",
            BEHAVIOURS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
        );
        return ExitCode::from(2);
    };
    match BEHAVIOURS.iter().find(|(known, _)| *known == name) {
        Some((_, behave)) => {
            behave();
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("no behavior {name}");
            ExitCode::from(2)
        }
    }
}

/// What it is to do.
fn named() -> Option<String> {
    let beside = || {
        let program = std::env::current_exe().ok()?;
        std::fs::read_to_string(program.parent()?.join("behavior")).ok()
    };
    Some(std::env::args().nth(1).or_else(beside)?.trim().to_owned())
}
