//! Arguments of `loa`.

use std::num::NonZero;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;

use super::threads::threads;
use crate::help::GuidePage;
use crate::play::{Console, Session, Strictness, Typing, used_files};
use crate::protocol::commands::{Dialect, Pace, Vocabulary};
use kingline::evaluate::loa::Evaluation;

/// Plays Lines of Action by text commands; the command `help` lists them.
///
/// In a terminal, lines can be edited, the arrow keys go back to earlier lines, and Tab completes a command.
///
/// The input, the output and the log must be three different files.
///
/// Exit codes: 0 done, 1 a file cannot be opened or written, or bad usage, 2 an error with --strict.
#[derive(Debug, Parser)]
#[command(name = "loa", version, after_help = GuidePage::Loa.line())]
pub struct LoaArguments {
    /// Edition of the course whose commands it understands: 2020 or 2015.
    #[arg(long, value_name = "EDITION", default_value = "2020", value_parser = Dialect::named)]
    pub dialect: &'static Dialect,
    /// Understand `analyze`, which thinks about the position until `stop`, and prints what it finds.
    #[arg(long, conflicts_with = "display")]
    pub analyze: bool,
    /// Accepted and ignored, since the course's skeletons pass it.
    #[arg(long, value_name = "N")]
    pub debug: Option<i64>,
    /// Show the board in a browser, beside the commands in the terminal.
    #[arg(long)]
    pub display: bool,
    /// Port for the board in the browser. Default: 6280, or any free one if that is taken.
    #[arg(long, value_name = "N", requires = "display")]
    pub port: Option<u16>,
    /// Use the evaluation in FILE, written by `calibrate fit loa`. Default: the built-in one, which is also used if FILE is
    /// unusable.
    #[arg(long, value_name = "FILE")]
    pub evaluation: Option<PathBuf>,
    /// Write all commands and automatic moves to FILE.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// End at the first error, with exit code 2.
    #[arg(long)]
    pub strict: bool,
    /// Wall-clock seconds for each automatic move, above 0, at most 3600. Default: a share of the 4 s that each side
    /// has per game.
    #[arg(long, value_name = "SECONDS", value_parser = Pace::constant, overrides_with = "time")]
    pub time: Option<Pace>,
    /// Threads of each search, 1 to 256; no more than there are free cores. Moves that are limited by positions, as after
    /// `seed`, take one.
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    pub threads: NonZero<usize>,
    /// Command file; `-` is standard input.
    #[arg(value_name = "INPUT-FILE", default_value = "-")]
    pub input: PathBuf,
    /// Output file; `-` is standard output.
    #[arg(value_name = "OUTPUT-FILE", default_value = "-")]
    pub output: PathBuf,
}

impl LoaArguments {
    /// Opens the console with the named streams.
    ///
    /// # Errors
    /// See [`Console::open`].
    pub fn console(&self) -> Result<Console<'static>> {
        // The editor cannot share the screen with text that the page or an analysis causes at any time.
        let typing = if self.display || self.analyze { Typing::Plain } else { Typing::Edited(self.dialect) };
        Console::open(&self.input, &self.output, self.log.as_deref(), typing)
    }

    /// Session in the named dialect. Its `save` never replaces the console's files.
    pub fn session(&self) -> Session {
        let used = used_files(&self.input, &self.output, self.log.as_deref());
        let vocabulary = if self.analyze { Vocabulary::WithAnalysis } else { Vocabulary::Usual };
        let session = Session::new(self.dialect, self.time).with_vocabulary(vocabulary);
        session.with_threads(self.threads).with_used_files(used)
    }

    /// The named evaluation, or the built-in one.
    ///
    /// # Errors
    /// The file cannot be read, or is not an evaluation of this game.
    pub fn evaluation(&self) -> Result<Evaluation<8>> {
        let Some(path) = &self.evaluation else { return Ok(Evaluation::default()) };
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Evaluation::read(&bytes).with_context(|| format!("cannot use {}", path.display()))
    }

    /// Effect of an error in the commands.
    pub fn strictness(&self) -> Strictness {
        if self.strict { Strictness::EndAtError } else { Strictness::GoOn }
    }
}
