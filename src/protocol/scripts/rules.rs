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
    pub(super) overdue: Overdue,
}

/// What it means that the first of two scripts is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstEnd {
    /// Only its own program is closed.
    OfOne,
    /// Both are closed.
    OfBoth,
}

/// What it means that a program has not ended [`CLOSING`] after its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overdue {
    Fails,
    /// It is killed, and that is all.
    Forgiven,
}

/// §1.
pub(super) static RULES_2020: LanguageRules = LanguageRules {
    grammar: &GRAMMAR_2020,
    most_lines: 3000,
    most_unread: 98,
    fatal_error: Some("Exception in thread \""),
    first_end: FirstEnd::OfOne,
    overdue: Overdue::Fails,
};

/// §2.
pub(super) static RULES_2015: LanguageRules = LanguageRules {
    grammar: &GRAMMAR_2015,
    most_lines: usize::MAX,
    most_unread: usize::MAX,
    fatal_error: None,
    first_end: FirstEnd::OfBoth,
    overdue: Overdue::Forgiven,
};

/// No wait is longer: a year, so that no clock overflows.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// A program has this long to end after the end of its input (§1).
pub(super) const CLOSING: Duration = Duration::from_secs(5);

/// A program may print no more messages and lines of dumps, in any language.
pub(super) const MOST_KEPT: usize = 100_000;

/// Bytes of standard error that are kept, give or take a line: more than 3000 of the longest lines.
pub(super) const MOST_ERRORS: usize = 4 << 20;

/// Characters of a line that are kept.
pub(super) const LONGEST_KEPT: usize = 1000;
