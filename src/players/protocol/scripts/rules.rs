//! Rules for programs in each language, as data.

use std::time::Duration;

use super::report::Language;
use super::settings::Tester;
use super::trace::{TraceMark, mark_2015, mark_2020};
use crate::protocol::commands::grammar::{COURSE_GRAMMAR_2015, GRAMMAR_2015, GRAMMAR_2020, Grammar};

/// Limits and faults of programs in a test.
#[derive(Debug)]
pub(super) struct LanguageRules {
    pub(super) grammar: &'static Grammar,
    pub(super) trace_mark: TraceMark,
    /// Largest number of lines on either stream.
    pub(super) most_lines: usize,
    /// Largest number of messages that no instruction has taken.
    pub(super) most_unread: usize,
    /// Text on standard error that fails the test.
    pub(super) fatal_error: Option<&'static str>,
    pub(super) first_end: FirstEnd,
    pub(super) malformed: Malformed,
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

/// Effect when the first of two scripts ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstEnd {
    /// Only its own program is closed.
    OfOne,
    /// Both are closed.
    OfBoth,
}

/// When a malformed message fails its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Malformed {
    /// As soon as it is printed.
    Printed,
    /// When an instruction would take it.
    Taken,
}

/// Effect of a program's fault on the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Fails,
    Forgiven,
}

/// Rules of a language, as a tester applies them.
pub(super) fn rules(language: Language, tester: Tester) -> &'static LanguageRules {
    static COURSE_2020: LanguageRules =
        LanguageRules { malformed: Malformed::Taken, ended_before_move: Fault::Forgiven, ..RULES_2020 };
    static COURSE_2015: LanguageRules = LanguageRules { grammar: &COURSE_GRAMMAR_2015, ..RULES_2015 };
    match (language, tester) {
        (Language::Of2020, Tester::Contract) => &RULES_2020,
        (Language::Of2020, Tester::Course) => &COURSE_2020,
        (Language::Of2015, Tester::Contract) => &RULES_2015,
        (Language::Of2015, Tester::Course) => &COURSE_2015,
    }
}

/// Rules of 2020 (§1).
static RULES_2020: LanguageRules = LanguageRules {
    grammar: &GRAMMAR_2020,
    trace_mark: mark_2020,
    most_lines: 3000,
    most_unread: 98,
    fatal_error: Some("Exception in thread \""),
    first_end: FirstEnd::OfOne,
    malformed: Malformed::Printed,
    ended_before_move: Fault::Fails,
    before_line: Duration::ZERO,
    overdue: Fault::Fails,
    unsent_lines: Fault::Forgiven,
};

/// Rules of 2015 (§2).
static RULES_2015: LanguageRules = LanguageRules {
    grammar: &GRAMMAR_2015,
    trace_mark: mark_2015,
    most_lines: usize::MAX,
    most_unread: usize::MAX,
    fatal_error: None,
    first_end: FirstEnd::OfBoth,
    malformed: Malformed::Printed,
    ended_before_move: Fault::Fails,
    before_line: Duration::from_millis(125),
    overdue: Fault::Forgiven,
    unsent_lines: Fault::Fails,
};

/// Longest wait: a year, so that no clock overflows.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// Time in which a program must end after the end of its input (§1).
pub(super) const CLOSING: Duration = Duration::from_secs(5);

/// Largest number of messages and dump lines that a program may print, in any language.
pub(super) const MOST_KEPT: usize = 100_000;

/// Longest line, in bytes, that is kept in full. Lines have no limit (§1), but memory is finite: only the start of a
/// longer line counts, and in a dump such a line fails the test.
pub(super) const LONGEST_LINE: usize = 16 << 20;

/// Largest number of dump bytes that a program may print, in any language.
pub(super) const MOST_DUMPED: usize = 64 << 20;

/// Approximate limit on the bytes kept from standard error; the last line may exceed it.
pub(super) const MOST_ERRORS: usize = 16 << 20;
