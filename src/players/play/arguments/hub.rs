//! Arguments of `hub`.

use clap::Parser;

use crate::help::GuidePage;

/// Plays and analyzes checkers for board programs, by the protocol Hub on standard input and output.
///
/// Exit codes: 0 done, 1 an answer cannot be written, 2 bad usage.
#[derive(Debug, Parser)]
#[command(name = "hub", version, after_help = GuidePage::BoardPrograms.line())]
pub struct HubArguments {}
