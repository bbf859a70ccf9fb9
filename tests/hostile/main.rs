//! A hostile or unlucky agent for the tests of the sandbox and the referee.
//!
//! Its first argument selects the behavior; without arguments, the file `behavior` beside it does. Behaviors that need
//! an answer give a legal one first. Exit code 66 means that a forbidden action worked; standard error names it.

#![expect(unsafe_code, reason = "no safe library offers what hostile programs do")]

mod answers;
mod breakouts;
mod burners;
mod channels;
mod ends;
mod fillers;
mod process;
mod wakers;

use std::process::ExitCode;
use std::time::Duration;

/// Every behavior by name.
const BEHAVIORS: &[(&str, fn())] = &[
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
    ("stampede", wakers::stampede),
    ("relay", wakers::relay),
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
    ("memory-files", fillers::memory_files),
    ("memory-shared", fillers::shared_memory),
    ("memory-children", fillers::memory_of_children),
    ("memory-udp", fillers::memory_in_udp),
    ("memory-tcp", fillers::memory_in_tcp),
    ("memory-unix", fillers::memory_in_unix_sockets),
    ("memory-tables", fillers::memory_in_page_tables),
    // Honest: the second argument is the memory in MB.
    ("hold", fillers::hold),
    ("hold-files", fillers::hold_files),
    ("hold-by-children", fillers::hold_by_children),
    ("hold-and-answer", || {
        fillers::with_memory();
        answers::answer();
    }),
    // Things that belong to others.
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
    ("residency", breakouts::residency),
    // Notes in the kernel; the second argument of some is a file.
    ("leave-locks", channels::leave_locks),
    ("find-locks", channels::find_locks),
    ("watch-files", channels::watch_files),
    ("evict", channels::evict),
    ("raise-counters", channels::raise_counters),
    ("print-counters", channels::print_counters),
    // The end of a turn.
    ("random-ends", ends::random),
    // CPU time; the second argument is the amount.
    ("burn", burners::plain),
    ("burn-threads", burners::threads),
    ("burn-fork", burners::fork_and_wait),
    ("burn-ignored", burners::ignored_children),
    ("burn-orphan", burners::orphan),
    ("burn-sibling", burners::sibling),
    ("burn-chain", burners::chain),
    ("burn-child", burners::burn_and_report),
    ("burn-mode", burners::hidden_by_mode),
    ("burn-created", burners::hidden_when_created),
    ("burn-umask", burners::hidden_by_umask),
    ("burn-list", burners::hidden_by_list),
    ("burn-memory", burners::hidden_in_memory),
];

fn main() -> ExitCode {
    let Some(name) = selected() else {
        eprintln!(
            "no behavior; expected one of {}",
            BEHAVIORS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
        );
        return ExitCode::from(2);
    };
    match BEHAVIORS.iter().find(|(known, _)| *known == name) {
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

/// Name of the selected behavior.
fn selected() -> Option<String> {
    let beside = || {
        let program = std::env::current_exe().ok()?;
        std::fs::read_to_string(program.parent()?.join("behavior")).ok()
    };
    Some(std::env::args().nth(1).or_else(beside)?.trim().to_owned())
}
