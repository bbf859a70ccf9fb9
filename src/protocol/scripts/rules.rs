//! What the languages let programs do, as data.

use std::time::Duration;

use crate::protocol::commands::grammar::{GRAMMAR_2015, GRAMMAR_2020, Grammar};

/// What programs may do in a test, and what ends it.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) grammar: &'static Grammar,
    /// Lines on either stream.
    pub(super) most_lines: usize,
    /// Messages that no instruction has taken.
    pub(super) most_unread: usize,
    /// A line with this on standard error fails the test.
    pub(super) fatal_error: Option<&'static str>,
    pub(super) first_end: FirstEnd,
    pub(super) overdue: Overdue,
}

/// What it means that the first of two scripts is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstEnd {
    /// Its own program is closed.
    OfOne,
    /// Both are.
    OfBoth,
}

/// What it means that a program has not ended [`CLOSING`] after its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overdue {
    Fails,
    /// It is ended, and that is all.
    Forgiven,
}

/// §1.
pub(super) static RULES_2020: Rules = Rules {
    grammar: &GRAMMAR_2020,
    most_lines: 3000,
    most_unread: 100,
    fatal_error: Some("Exception in thread"),
    first_end: FirstEnd::OfOne,
    overdue: Overdue::Fails,
};

/// §2.
pub(super) static RULES_2015: Rules = Rules {
    grammar: &GRAMMAR_2015,
    most_lines: usize::MAX,
    most_unread: usize::MAX,
    fatal_error: None,
    first_end: FirstEnd::OfBoth,
    overdue: Overdue::Forgiven,
};

/// From the end of its input, a program has this time to end (§1).
pub(super) const CLOSING: Duration = Duration::from_secs(5);

/// Whatever a language allows, no more messages and lines of dumps of a program are kept.
pub(super) const MOST_KEPT: usize = 100_000;

/// Of standard error, not much more bytes are kept; more than 3000 lines of the longest need.
pub(super) const MOST_ERRORS: usize = 4 << 20;

/// Of a line, no more characters are kept.
pub(super) const LONGEST_KEPT: usize = 1000;
