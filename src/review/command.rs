//! The program `review`: reads files of games, reviews them, writes the reviews.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use serde::Serialize;

use super::annotate::annotated;
use super::read::{FoundGame, RecordFormat, read_games};
use super::reviewed::Review;
use super::settings::{SECONDS_RANGE, Settings, SquareNames, all_cores};
use crate::files::{read_at_most, write_whole};
use crate::help::GuidePage;
use crate::terminal::{self, stderr_line, stderr_text};

/// Largest file of games, in MiB.
const LARGEST_FILE: u64 = 256;

/// Reviews games: tells where they were won and lost, and what would have been better.
///
/// Reads PDN (American checkers) and SGF (Lines of Action on 8x8 and 6x6), one game or many. A review of the same game
/// with the same --seconds is the same on every machine.
///
/// Exit codes: 0 done, 1 a file cannot be read or written, 2 bad usage, or a game that is broken or not played here; the
/// other games are reviewed all the same.
#[derive(Debug, Parser)]
#[command(name = "review", version, after_help = GuidePage::Review.line())]
pub struct ReviewArguments {
    /// Files of games.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Seconds for each position, 0.001 to 600. A second counts as a fixed number of nodes: 5,000,000 in checkers,
    /// 2,000,000 in Lines of Action.
    #[arg(long, value_name = "SECONDS", default_value = "0.2", value_parser = seconds)]
    seconds: f64,
    /// Form of the reviews; pdn and sgf are the games with comments, for other programs.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// File that receives the reviews. Default: standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Names of squares in checkers: 11-15, or c3-b4.
    #[arg(long, value_enum, default_value = "numbers")]
    squares: Squares,
    /// Number of threads. Default: one for each core.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// A page for a browser, in one file.
    Html,
    /// For programs.
    Json,
    /// Games of checkers with glyphs, comments and variations.
    Pdn,
    /// Games of Lines of Action, likewise.
    Sgf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Squares {
    Numbers,
    Letters,
}

/// Reviews of all games, as JSON.
#[derive(Serialize)]
struct Reviews<'a> {
    seconds: f64,
    games: Vec<&'a Review>,
    /// Games that were not reviewed: the file and the error.
    refused: &'a [String],
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| SECONDS_RANGE.contains(seconds));
    seconds.ok_or_else(|| "expected seconds, 0.001 to 600".to_owned())
}

impl ReviewArguments {
    /// Reviews the games and writes the reviews. Messages and progress go to standard error.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn run(&self) -> Result<ExitCode> {
        let names = match self.squares {
            Squares::Numbers => SquareNames::Numbers,
            Squares::Letters => SquareNames::Letters,
        };
        let settings = Settings { seconds: self.seconds, names };
        let (found, mut refused) = self.read()?;
        let mut reviewed = Vec::new();
        let mut progress = Progress::new(found.iter().map(|(_, game)| game.record.plies() + 1).sum());
        for (place, game) in &found {
            let before = progress.done;
            let threads = self.threads.unwrap_or_else(all_cores);
            let review = game.record.review(settings, threads, &mut |done| progress.show(before + done));
            let mut review = review.expect("progress never ends a review");
            review.broken = game.error.as_ref().map(ToString::to_string);
            refused.extend(review.broken.as_ref().map(|error| format!("{place}: {error}; reviewed up to there")));
            reviewed.push((&game.record, review));
        }
        drop(progress);
        let mut text = String::new();
        let reviews = || reviewed.iter().map(|(_, review)| review);
        match self.format {
            Format::Text => reviews().for_each(|review| text += &format!("{review}\n")),
            Format::Json => {
                let all = Reviews { seconds: self.seconds, games: reviews().collect(), refused: &refused };
                text = serde_json::to_string(&all).context("cannot write a review as JSON")?;
            }
            Format::Html => text = super::page::page(&reviews().collect::<Vec<_>>()),
            Format::Pdn | Format::Sgf => {
                reviewed.iter().for_each(|(record, review)| text += &(annotated(record, review) + "\n"));
            }
        }
        self.write(text.trim_end())?;
        for error in &refused {
            stderr_line(format_args!("review: {error}"));
        }
        Ok(if refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
    }

    /// Reads all files. Returns the games with their places, and the errors of those that cannot be reviewed.
    fn read(&self) -> Result<(Vec<(String, FoundGame)>, Vec<String>)> {
        let (mut found, mut refused) = (Vec::new(), Vec::new());
        for path in &self.files {
            let bytes = read_at_most(path, LARGEST_FILE).with_context(|| format!("cannot read {}", path.display()))?;
            let text = String::from_utf8_lossy(&bytes);
            let format = RecordFormat::of(path, &text);
            let games = read_games(&text, format);
            if games.is_empty() {
                refused.push(format!("{}: no games, expected PDN or SGF", path.display()));
            }
            let one = games.len() == 1;
            for (number, game) in (1..).zip(games) {
                let mut place = path.display().to_string();
                if !one {
                    let _ = write!(place, ", game {number}");
                }
                match game {
                    Ok(game) if self.fits(format) => found.push((place, game)),
                    Ok(_) => refused.push(format!("{place}: is not {:?}; help: use another --format", self.format)),
                    Err(error) => refused.push(format!("{place}: {error}")),
                }
            }
        }
        Ok((found, refused))
    }

    /// Returns `true` if games of this format can be written in the format asked for.
    fn fits(&self, format: RecordFormat) -> bool {
        match self.format {
            Format::Pdn => format == RecordFormat::Pdn,
            Format::Sgf => format == RecordFormat::Sgf,
            Format::Text | Format::Html | Format::Json => true,
        }
    }

    fn write(&self, text: &str) -> Result<()> {
        match &self.output {
            Some(path) => write_whole(path, format!("{text}\n").as_bytes()),
            None if self.format == Format::Json => terminal::stdout_json(text),
            None => terminal::stdout_line(text),
        }
    }
}

/// Progress on standard error, if that is a terminal.
struct Progress {
    done: usize,
    total: usize,
    is_terminal: bool,
}

impl Progress {
    fn new(total: usize) -> Progress {
        Progress { done: 0, total, is_terminal: io::stderr().is_terminal() }
    }

    /// Shows that this many positions are done. Returns `true`: go on.
    fn show(&mut self, done: usize) -> bool {
        self.done = done;
        if self.is_terminal {
            stderr_text(format_args!("\r\x1b[Kreviewing: {done} of {} positions", self.total));
        }
        true
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_terminal {
            stderr_text("\r\x1b[K");
        }
    }
}
