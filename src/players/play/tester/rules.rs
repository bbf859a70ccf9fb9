use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::suite::TraceArguments;
use crate::protocol::commands::Edition;
use crate::protocol::commands::grammar::{COURSE_GRAMMAR_2015, GRAMMAR_2015, GRAMMAR_2020, Grammar};
use crate::terminal::stderr_line;

/// Limits and faults of programs in a test.
#[derive(Debug)]
pub(super) struct EditionRules {
    pub(super) grammar: &'static Grammar,
    pub(super) trace_mark: TraceMark,
    /// Largest number of lines on either stream.
    pub(super) most_lines: usize,
    /// Largest number of messages that no instruction has taken.
    pub(super) most_unread: usize,
    /// Text on standard error that fails the test.
    pub(super) fatal_error: Option<&'static str>,
    /// True if the end of the first of two scripts closes both programs, not only its own.
    pub(super) first_end_closes_both: bool,
    /// True if a malformed message fails its program only when an instruction would take it, not as soon as it is printed.
    pub(super) malformed_may_stay: bool,
    /// Fault of a 2020 program that has ended before `#*move`.
    pub(super) ended_before_move: Fault,
    /// Longest wait for the end of the output before a line of the script is sent, so that a line after `quit` finds
    /// the program ended.
    pub(super) before_line: Duration,
    /// Fault of a program that is killed because it has not ended within [`CLOSING`] after the end of its input.
    pub(super) overdue: Fault,
    /// Fault of a program that ended before it read all its lines.
    pub(super) unsent_lines: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Fails,
    Forgiven,
}

/// Rules of an edition: those of its contract, or those of the course's own tester where it differs.
pub(super) fn rules(edition: Edition, as_the_course: bool) -> &'static EditionRules {
    static COURSE_2020: EditionRules =
        EditionRules { malformed_may_stay: true, ended_before_move: Fault::Forgiven, ..RULES_2020 };
    static COURSE_2015: EditionRules = EditionRules { grammar: &COURSE_GRAMMAR_2015, ..RULES_2015 };
    match (edition, as_the_course) {
        (Edition::Of2020, false) => &RULES_2020,
        (Edition::Of2020, true) => &COURSE_2020,
        (Edition::Of2015, false) => &RULES_2015,
        (Edition::Of2015, true) => &COURSE_2015,
    }
}

/// Rules of 2020 (§1).
static RULES_2020: EditionRules = EditionRules {
    grammar: &GRAMMAR_2020,
    trace_mark: mark_2020,
    most_lines: 3000,
    most_unread: 98,
    fatal_error: Some("Exception in thread \""),
    first_end_closes_both: false,
    malformed_may_stay: false,
    ended_before_move: Fault::Fails,
    before_line: Duration::ZERO,
    overdue: Fault::Fails,
    unsent_lines: Fault::Forgiven,
};

/// Rules of 2015 (§2).
static RULES_2015: EditionRules = EditionRules {
    grammar: &GRAMMAR_2015,
    trace_mark: mark_2015,
    most_lines: usize::MAX,
    most_unread: usize::MAX,
    fatal_error: None,
    first_end_closes_both: true,
    malformed_may_stay: false,
    ended_before_move: Fault::Fails,
    before_line: Duration::from_millis(125),
    overdue: Fault::Forgiven,
    unsent_lines: Fault::Fails,
};

/// Time in which a program must end after the end of its input (§1).
pub(super) const CLOSING: Duration = Duration::from_secs(5);

/// Largest number of messages and dump lines that a program may print, in any edition.
pub(super) const MOST_KEPT: usize = 100_000;

/// Longest line, in bytes, that is kept in full. Lines have no limit (§1), but memory is finite: only the start of a
/// longer line counts, and in a dump such a line fails the test.
pub(super) const LONGEST_LINE: usize = 16 << 20;

/// Largest number of dump bytes that a program may print, in any edition.
pub(super) const MOST_DUMPED: usize = 64 << 20;

/// Approximate limit on the bytes kept from standard error; the last line may exceed it.
pub(super) const MOST_ERRORS: usize = 16 << 20;

/// Writer of the trace, for several threads. The trace contains every line that a program reads or prints, in the form of
/// its edition.
#[derive(Clone, Debug)]
pub(super) enum Tracer {
    Off,
    /// The trace goes to standard error.
    Printed,
    /// The trace goes to a file (§2), up to the first write error.
    Log(Arc<(PathBuf, Mutex<io::Result<File>>)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Sent,
    Received,
    Error,
}

/// Formats the start of a line of the trace, from the number of its program and its direction.
pub(super) type TraceMark = fn(usize, Flow) -> String;

/// Start of a line in a trace of 2020 (§1).
pub(super) fn mark_2020(program: usize, flow: Flow) -> String {
    match flow {
        Flow::Sent => format!("[{program}]<"),
        Flow::Received => format!("[{program}]>"),
        Flow::Error => format!("[{program}]E>"),
    }
}

/// Start of a line in a trace of 2015, with the arrows the other way (§1).
pub(super) fn mark_2015(program: usize, flow: Flow) -> String {
    match flow {
        Flow::Sent => format!(">Program {program}:"),
        Flow::Received => format!("<Program {program}:"),
        Flow::Error => format!("<Program {program}(e):"),
    }
}

impl Tracer {
    /// Opens the trace, and creates its file if it has one.
    pub(super) fn open(arguments: &TraceArguments) -> Result<Tracer, String> {
        Ok(match &arguments.log {
            Some(path) => {
                let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
                Tracer::Log(Arc::new((path.clone(), Mutex::new(Ok(file)))))
            }
            None if arguments.verbose || arguments.verbosity > 0 => Tracer::Printed,
            None => Tracer::Off,
        })
    }

    /// Shows a line of the program with the 0-based `number`.
    pub(super) fn show(&self, mark: TraceMark, number: usize, flow: Flow, line: &str) {
        let line = || format!("{} {}", mark(number + 1, flow), line.trim_end_matches(['\r', '\n']));
        match self {
            Tracer::Off => {}
            Tracer::Printed => stderr_line(line()),
            Tracer::Log(log) => {
                let mut file = log.1.lock().unwrap_or_else(PoisonError::into_inner);
                let written = file.as_mut().map_or(Ok(()), |open| open.write_all((line() + "\n").as_bytes()));
                if let Err(error) = written {
                    *file = Err(error);
                }
            }
        }
    }

    /// Checks that the whole trace has been written.
    pub(super) fn end(&self) -> io::Result<()> {
        let Tracer::Log(log) = self else { return Ok(()) };
        let file = log.1.lock().unwrap_or_else(PoisonError::into_inner);
        file.as_ref().map(drop).map_err(|error| io::Error::other(cannot_write(&log.0, error)))
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}
