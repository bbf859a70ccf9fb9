//! How are tests run?

use super::replace::Replacement;
use super::trace::Trace;
use std::time::Duration;

/// How tests are run.
#[derive(Clone, Debug)]
pub struct ScriptSettings {
    /// Programs that stand in for those that scripts name.
    pub replacements: Vec<Replacement>,
    /// Number of failures reported in detail.
    pub details: usize,
    /// What becomes of `T-k.out` and `T-k.err` (§1).
    pub leftovers: Leftovers,
    /// What is done with the output of programs.
    pub comparison: Comparison,
    /// 2015: the time of a color over the whole run, where no command names one; usually 15 s (§2).
    pub time: Option<Duration>,
    /// Where all input and output of programs is shown.
    pub trace: Trace,
}

/// What becomes of the output of the programs of 2020, and of their standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftovers {
    /// They are kept in files.
    Keep,
    /// No file is written, and none of an earlier run is touched.
    Discard,
}

/// What is done with the output of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It is compared with the expected output in its file.
    Compare,
    /// It is written to `FILE.out.tmp`, to become that file.
    Write,
}
