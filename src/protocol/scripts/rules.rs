//! What may programs do in each language? The answers are data.

use std::time::Duration;

use crate::protocol::commands::grammar::{GRAMMAR_2015, GRAMMAR_2020, Grammar};

/// What programs may do in a test, and what ends it.
#[derive(Debug)]
pub(super) struct LanguageRules {
    pub(super) grammar: &'static Grammar,
    /// Number of lines on either stream.
    pub(super) most_lines: usize,
    /// Number of messages that no instruction has taken.
    pub(super) most_unread: usize,
    /// A line with this on standard error fails the test.
    pub(super) fatal_error: Option<&'static str>,
    pub(super) first_end: FirstEnd,
    /// It has not ended [`CLOSING`] after the end of its input, and is killed.
    pub(super) overdue: Fault,
    /// It has ended, and lines for it are left.
    pub(super) unsent_lines: Fault,
}

/// What it means that the first of two scripts is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstEnd {
    /// Only its own program is closed.
    OfOne,
    /// Both are closed.
    OfBoth,
}

/// What a fault of a program does to the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Fails,
    Forgiven,
}

/// §1.
pub(super) static RULES_2020: LanguageRules = LanguageRules {
    grammar: &GRAMMAR_2020,
    most_lines: 3000,
    most_unread: 98,
    fatal_error: Some("Exception in thread \""),
    first_end: FirstEnd::OfOne,
    overdue: Fault::Fails,
    unsent_lines: Fault::Forgiven,
};

/// §2.
pub(super) static RULES_2015: LanguageRules = LanguageRules {
    grammar: &GRAMMAR_2015,
    most_lines: usize::MAX,
    most_unread: usize::MAX,
    fatal_error: None,
    first_end: FirstEnd::OfBoth,
    overdue: Fault::Forgiven,
    unsent_lines: Fault::Fails,
};

/// No wait is longer: a year, so that no clock overflows.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// A program has this long to end after the end of its input (§1).
pub(super) const CLOSING: Duration = Duration::from_secs(5);

/// A program may print no more messages and lines of dumps, in any language.
pub(super) const MOST_KEPT: usize = 100_000;

/// Lines have no limit (§1), but memory has: of a line of more bytes only the start counts, and in a dump it fails.
pub(super) const LONGEST_LINE: usize = 16 << 20;

/// A program may print no more bytes of dumps, in any language.
pub(super) const MOST_DUMPED: usize = 64 << 20;

/// Bytes of standard error that are kept, give or take a line.
pub(super) const MOST_ERRORS: usize = 16 << 20;
