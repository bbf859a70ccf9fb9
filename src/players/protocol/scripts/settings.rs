//! Settings of a test run.

use super::replace::Replacement;
use super::trace::Trace;
use std::time::Duration;

/// Settings of a test run.
#[derive(Clone, Debug)]
pub struct ScriptSettings {
    /// Replacements for programs named in scripts.
    pub replacements: Vec<Replacement>,
    /// Number of failures reported in detail.
    pub details: usize,
    /// Treatment of `T-k.out` and `T-k.err` (§1).
    pub leftovers: Leftovers,
    /// Treatment of the output of programs.
    pub comparison: Comparison,
    /// Tester whose verdicts are given.
    pub tester: Tester,
    /// 2015: time per color for the whole run, if no command sets one; by default 15 s (§2).
    pub time: Option<Duration>,
    /// Destination of the trace of all input and output.
    pub trace: Trace,
}

/// Treatment of the output and standard error of 2020 programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftovers {
    /// Both are kept in files.
    Keep,
    /// No file is written. Files from an earlier run stay as they are.
    Discard,
}

/// Treatment of the output of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The output is compared with the expected output in its file.
    Compare,
    /// The output is written to `FILE.out.tmp`, to become the expected output.
    Write,
}

/// Tester whose verdicts are given, where the contract and the course's own tester differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tester {
    /// As the text of the contract.
    Contract,
    /// As the course's own tester of that edition.
    Course,
}
