use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use serde::Serialize;

use super::player::PlayerSummary;
use super::puzzles::Puzzle;
use super::read::{FoundGame, RecordFormat, read_games};
use super::read::{annotated, puzzle_record};
use super::reviewed::Review;
use super::settings::{Settings, SquareNames, all_cores, parse_seconds};
use super::text::decode;
use super::words;
use crate::exit::ExitStatus;
use crate::files::{STANDARD_INPUT, read_input, write_whole};
use crate::help::GuidePage;
use crate::progress::Progress;
use crate::terminal::{self, stderr_line};
use kingline::game::Rules;

/// Largest file of games, in MiB.
const LARGEST_FILE: u64 = 256;

/// Reviews games: tells where they were won and lost, and what would have been better.
///
/// Reads PDN (American checkers) and SGF (Lines of Action on 8x8 and 6x6), one game or many, and lists of positions in
/// FEN, also packed with gzip. A record without moves is a position: its worth and best line are shown. A review of the
/// same game with the same --seconds is the same on every machine. --player adds a summary of one player over all games.
///
/// Exit codes: 0 done, 1 a file cannot be read or written, 2 bad usage, or a game that is broken or not played here; the
/// other games are reviewed all the same.
#[derive(Debug, Parser)]
#[command(name = "review", version, after_help = GuidePage::Review.line())]
pub struct ReviewArguments {
    /// Files of games; - is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Seconds for each position, 0.001 to 600. A second counts as a fixed number of nodes: 5,000,000 in checkers,
    /// 2,000,000 in Lines of Action.
    #[arg(long, value_name = "SECONDS", default_value = "0.2", value_parser = parse_seconds)]
    seconds: f64,
    /// Form of the reviews; pdn and sgf are the games with comments, for other programs.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// File that receives the reviews. Default: standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Names of squares in checkers: 11-15, or c3-b4. Default: on pages those of the record, else numbers.
    #[arg(long, value_enum)]
    squares: Option<Squares>,
    /// Rules of the games of checkers: those of the game, or of the course, which draws after 50 turns without a capture
    /// or a crowning. Default: those that a record names in its tag Rules, or else the game's.
    #[arg(long, value_name = "game|course")]
    rules: Option<Rules>,
    /// Collect puzzles instead: positions in which one move wins by force, in five to ten plies, and no other does. Each
    /// is verified with ten times the nodes.
    #[arg(long, conflicts_with = "player")]
    puzzles: bool,
    /// Also sum up the games of this player: results, accuracy, where chances are lost, and typical mistakes. For the
    /// formats text, html and json.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
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

/// Reviews of games: the output of `review --format json`. All chances are those of the side that moves; the other formats
/// list Black's.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Reviews<'a> {
    /// Seconds for each position; a second counts as a fixed number of nodes.
    seconds: f64,
    /// Summaries of the player asked for, one for each kind of game; only with --player.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<&'a [PlayerSummary]>,
    /// The games, in the order of the files.
    games: Vec<&'a Review>,
    /// Games that were not reviewed: the file and the error.
    refused: &'a [String],
}

/// A game with the place where it was found.
type Found = (String, FoundGame);

/// Counts a position. Returns `true`: go on.
fn stepped(progress: &mut Progress) -> bool {
    progress.step("");
    true
}

fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).context("cannot write JSON")
}

impl ReviewArguments {
    /// Reviews the games and writes the reviews. Messages and progress go to standard error.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn run(&self) -> Result<ExitStatus> {
        let (found, mut refused) = self.read()?;
        if let Some(error) = self.player.as_ref().and_then(|name| self.cannot_sum_up(name, &found)) {
            stderr_line(format_args!("review: {error}"));
            return Ok(ExitStatus::BadInput);
        }
        let text = if self.puzzles { self.puzzles_of(&found)? } else { self.reviews_of(&found, &mut refused)? };
        self.write(text.trim_end())?;
        for error in &refused {
            stderr_line(format_args!("review: {error}"));
        }
        Ok(if refused.is_empty() { ExitStatus::Done } else { ExitStatus::BadInput })
    }

    /// Reviews the games, and writes the reviews in the format asked for.
    fn reviews_of(&self, found: &[Found], refused: &mut Vec<String>) -> Result<String> {
        let mut progress = Progress::new("positions", found.iter().map(|(_, game)| game.record.plies() + 1).sum());
        let mut reviewed = Vec::new();
        for (place, game) in found {
            let review = game.record.review(self.settings(game), self.threads(), &mut |_| stepped(&mut progress));
            let mut review = review.expect("progress never ends a review");
            review.notes = game.notes.iter().map(ToString::to_string).collect();
            review.broken = game.error.as_ref().map(ToString::to_string);
            refused.extend(review.broken.as_ref().map(|error| format!("{place}: {error}; reviewed up to there")));
            reviewed.push((&game.record, review));
        }
        let reviews: Vec<&Review> = reviewed.iter().map(|(_, review)| review).collect();
        let player = self.player.as_ref().map(|name| PlayerSummary::of(name, &reviews));
        let summaries = player.as_deref().unwrap_or_default();
        Ok(match self.format {
            Format::Text => {
                let games = reviews.iter().map(|review| format!("{review}\n"));
                games.chain(summaries.iter().map(|summary| format!("{summary}\n"))).collect()
            }
            Format::Json => {
                to_json(&Reviews { seconds: self.seconds, player: player.as_deref(), games: reviews, refused })?
            }
            Format::Html => super::page::page(&reviews, summaries),
            Format::Pdn | Format::Sgf => {
                reviewed.iter().map(|(record, review)| annotated(record, review) + "\n").collect()
            }
        })
    }

    /// Collects the puzzles in the games, and writes them in the format asked for.
    fn puzzles_of(&self, found: &[Found]) -> Result<String> {
        let mut progress = Progress::new("positions", found.iter().map(|(_, game)| game.record.plies()).sum());
        let mut puzzles: Vec<Puzzle> = Vec::new();
        for (_, game) in found {
            let more = game.record.puzzles(self.settings(game), self.threads(), &mut |_| stepped(&mut progress));
            puzzles.extend(more.expect("progress never ends a search"));
        }
        Ok(match self.format {
            Format::Text if puzzles.is_empty() => words::NO_PUZZLES.to_owned(),
            Format::Text => (1..).zip(&puzzles).map(|(number, puzzle)| format!("{number}. {puzzle}\n")).collect(),
            Format::Json => to_json(&puzzles)?,
            Format::Html => super::page::puzzle_page(&puzzles),
            Format::Pdn | Format::Sgf => puzzles.iter().map(puzzle_record).collect::<Result<Vec<_>, _>>()?.join("\n"),
        })
    }

    fn settings(&self, game: &FoundGame) -> Settings {
        let names = match self.squares {
            None if self.format == Format::Html => game.names,
            None | Some(Squares::Numbers) => SquareNames::Numbers,
            Some(Squares::Letters) => SquareNames::Letters,
        };
        Settings { seconds: self.seconds, names }
    }

    fn threads(&self) -> NonZeroUsize {
        self.threads.unwrap_or_else(all_cores)
    }

    /// Reads all files. Returns the games with their places, and the errors of those that cannot be reviewed.
    fn read(&self) -> Result<(Vec<Found>, Vec<String>)> {
        let (mut found, mut refused) = (Vec::new(), Vec::new());
        for path in &self.files {
            let name = match path.to_str() {
                Some(STANDARD_INPUT) => "standard input".to_owned(),
                _ => path.display().to_string(),
            };
            let bytes = read_input(path, LARGEST_FILE).with_context(|| format!("cannot read {name}"))?;
            let text = decode(&bytes);
            let format = RecordFormat::of(path, &text);
            let games = read_games(&text, format);
            if games.is_empty() {
                refused.push(format!("{name}: no games, expected PDN or SGF"));
            }
            let one = games.len() == 1;
            for (number, game) in (1..).zip(games) {
                let mut place = name.clone();
                if !one {
                    let _ = write!(place, ", game {number}");
                }
                for note in game.iter().flat_map(|game| &game.notes) {
                    stderr_line(format_args!("review: {place}: note: {note}"));
                }
                let game = game.map(|game| match self.rules {
                    Some(rules) => game.under(rules),
                    None => game,
                });
                match game {
                    Ok(game) if self.fits(format) => found.push((place, game)),
                    Ok(_) => refused.push(format!("{place}: is not {:?}; help: use another --format", self.format)),
                    Err(error) => refused.push(format!("{place}: {error}")),
                }
            }
        }
        Ok((found, refused))
    }

    /// Returns the reason why there is no summary of the player, if there is one.
    fn cannot_sum_up(&self, name: &str, found: &[(String, FoundGame)]) -> Option<String> {
        /// Names that the message lists.
        const LISTED: usize = 20;
        if matches!(self.format, Format::Pdn | Format::Sgf) {
            return Some(format!("--player: {:?} has no place for a summary; help: use another --format", self.format));
        }
        let names: BTreeSet<&str> = found.iter().flat_map(|(_, game)| game.record.players()).collect();
        if names.contains(name) {
            return None;
        }
        let known: Vec<String> = names.iter().filter(|name| !name.is_empty()).map(|name| format!("{name:?}")).collect();
        let more = if known.len() > LISTED { format!(" and {} more", known.len() - LISTED) } else { String::new() };
        let listed = known[..known.len().min(LISTED)].join(", ");
        let expected =
            if listed.is_empty() { "but no player is named".to_owned() } else { format!("expected {listed}{more}") };
        Some(format!("--player: found no game of {name:?}, {expected}"))
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
