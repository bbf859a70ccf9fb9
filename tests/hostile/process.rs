//! Behaviors that waste time or leave processes behind.

use std::io::Write;
use std::time::{Duration, Instant};

use nix::sys::signal::{SigHandler, Signal, signal};
use nix::sys::wait::wait;
use nix::unistd::{ForkResult, fork, setsid};

use crate::answers::answer;

pub(crate) fn sleep(time: Duration) {
    std::thread::sleep(time);
}

pub(crate) fn spin() {
    loop {
        std::hint::spin_loop();
    }
}

pub(crate) fn spin_by_threads() {
    std::thread::spawn(spin);
    spin();
}

/// Forks and runs `child` in the child, which then ends. Returns true in the parent if that worked.
pub(crate) fn child(child: impl FnOnce()) -> bool {
    // SAFETY: no other thread runs when this program forks.
    match unsafe { fork() } {
        Ok(ForkResult::Child) => {
            child();
            std::process::exit(0);
        }
        Ok(ForkResult::Parent { .. }) => true,
        Err(_) => false,
    }
}

pub(crate) fn ignore(which: Signal) {
    // SAFETY: ignoring a signal runs no code.
    unsafe { signal(which, SigHandler::SigIgn) }.expect("a signal to ignore");
}

/// Ignores every signal that it can.
pub(crate) fn deaf() {
    for which in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP, Signal::SIGXCPU, Signal::SIGALRM, Signal::SIGPIPE] {
        ignore(which);
    }
    spin();
}

pub(crate) fn print_without_end(stream: &mut dyn Write) {
    let line = [b'x'; 4096];
    while stream.write_all(&line).is_ok() {}
}

/// Forks endlessly, as do all its children.
pub(crate) fn bomb() {
    loop {
        child(bomb);
    }
}

/// Answers, leaves an orphaned spinner behind, and ends.
pub(crate) fn orphan() {
    answer();
    child(|| {
        let _ = child(spin);
    });
    let _ = wait();
}

/// Answers, and leaves a process behind that spoils the working directory as long as it lives.
pub(crate) fn linger() {
    answer();
    child(|| {
        let _ = setsid();
        // By then the turn should be over.
        sleep(Duration::from_millis(10));
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(60) {
            for name in ["output.txt", "input.txt", "playdata.txt"] {
                let _ = std::fs::write(name, "lingered\n");
            }
            sleep(Duration::from_millis(1));
        }
    });
}

/// Answers, and leaves behind a daemon that has its own session and holds the streams open.
pub(crate) fn daemon() {
    answer();
    child(|| {
        let _ = setsid();
        child(|| sleep(Duration::from_secs(3600)));
    });
}
