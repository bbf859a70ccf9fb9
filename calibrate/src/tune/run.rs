//! A run of the tuner: its games, its journal, and the final match.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use kingline::game::Color;
use kingline_players::chart::{Axis, Chart, Point, Series};
use kingline_players::exit::BadInput;
use kingline_players::files::{FileKind, check_target, write_whole};
use kingline_players::game_name::GameName;
use kingline_players::progress::Progress;
use kingline_players::terminal::escaped;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::numbers::{self, Number};
use super::spsa::Spsa;
use super::{TuneArguments, TuneReport, TunedNumber};
use crate::learn::game_seed;
use crate::matches::{Match, MatchRecord, MatchReport, Player, Sprt, change, player, shortest};
use kingline_players::journal::{Journal, Run};

/// Number of pairs that are played with the same values of the numbers. All threads share them, so that the result
/// does not depend on their number.
const BATCH: u32 = 16;
/// Number of batches after which the plot is drawn again.
const DRAWN: usize = 25;

const GAMES: &str = "games.jsonl";
const MATCH: &str = "match.jsonl";
const PLOT: &str = "numbers.svg";

/// Files in the folder, which replace only files of the same kind.
const OUTPUTS: [FileKind; 3] = [
    FileKind { name: GAMES, is_start: |start| contains(start, "\"journal\":\"tune\"") },
    FileKind { name: MATCH, is_start: |start| contains(start, "\"journal\":\"match\"") },
    FileKind { name: PLOT, is_start: |start| contains(start, "<svg") },
];

const RUN: Run = Run { name: "tuning run", help: "name another folder, or give --anew to delete its results" };

/// The header of both journals: everything that the games depend on.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct TuneHeader<'a> {
    /// Kind of the file: `tune`; `match` in match.jsonl.
    journal: &'static str,
    game: GameName,
    /// The player, as `calibrate match --help` describes players.
    #[cfg_attr(feature = "schemas", schemars(with = "serde_json::Map<String, Value>"))]
    player: &'a Value,
    /// The tuned numbers.
    numbers: &'a [Number],
    /// Pairs of games.
    pairs: u32,
    /// Rate of learning, above 0, at most 1.
    rate: f64,
    /// Seed of the run.
    seed: u64,
    /// Nodes of a fixed search.
    engine: u64,
    /// Version of the program.
    version: &'static str,
    /// The tuned player, in match.jsonl.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<serde_json::Map<String, Value>>"))]
    tuned: Option<&'a Value>,
}

/// Row of games.jsonl: a batch of pairs.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Batch {
    /// Games won less games lost by the first player of each pair.
    leads: Vec<i8>,
    /// Values of the numbers after the batch, for readers; a later run computes them again.
    values: Vec<f64>,
}

pub(super) fn tune<P: Player>(arguments: &TuneArguments) -> Result<TuneReport> {
    let TuneArguments { folder, pairs, rate, seed, .. } = arguments;
    let whole = whole_player::<P>(&arguments.player)?;
    let numbers = numbers::read(&arguments.numbers, &whole)?;
    check_bounds::<P>(&whole, &numbers)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for kind in OUTPUTS {
        let path = folder.join(kind.name);
        check_target(&path, kind).with_context(|| BadInput::new(format!("cannot use {}", folder.display())))?;
        if arguments.anew {
            delete(&path)?;
        }
    }
    let header = TuneHeader {
        journal: "tune",
        game: arguments.game,
        player: &whole,
        numbers: &numbers,
        pairs: *pairs,
        rate: *rate,
        seed: *seed,
        engine: P::engine(),
        version: env!("CARGO_PKG_VERSION"),
        tuned: None,
    };
    // As the header of a file is read, so that equal numbers are equal.
    let (mut journal, batches) = Journal::open::<Batch>(&folder.join(GAMES), RUN, &shortest(header)?)?;
    let mut spsa = Spsa::new(&numbers, *pairs, *rate, *seed);
    let (mut done, mut way) = (0, vec![spsa.values().to_vec()]);
    for Batch { leads, .. } in batches {
        done += learn(&mut spsa, done, &leads);
        way.push(spsa.values().to_vec());
    }
    let threads = arguments.threads.threads();
    let mut progress = Progress::new("tune", *pairs as usize);
    progress.skip(done as usize);
    while done < *pairs {
        let batch: Vec<u32> = (done..*pairs.min(&(done + BATCH))).collect();
        let leads = threads.map(&batch, |&pair| play_pair::<P>(&whole, &numbers, &spsa, pair, *seed))?;
        done += learn(&mut spsa, done, &leads);
        let values = spsa.values().to_vec();
        journal.add(&Batch { leads, values: values.clone() })?;
        progress.advance(batch.len(), &in_words(&numbers, &values));
        way.push(values);
        if way.len() % DRAWN == 0 {
            draw(folder, &numbers, &way, done)?;
        }
    }
    drop(progress);
    draw(folder, &numbers, &way, done)?;
    let values = spsa.values();
    let tuned = numbers::set(&whole, &numbers, values);
    let header = TuneHeader { journal: "match", tuned: Some(&tuned), ..header };
    let test = (arguments.openings > 0).then(|| final_match::<P>(arguments, header, &tuned));
    let number = |(number, value): (&Number, &f64)| {
        (number.name.clone(), TunedNumber { begin: number.begin, end: number.rounded(*value) })
    };
    let numbers = numbers.iter().zip(values).map(number).collect();
    Ok(TuneReport { numbers, pairs: *pairs, player: tuned, test: test.transpose()? })
}

/// Returns the player's JSON with all numbers, as changed by `text`.
fn whole_player<P: Player>(text: &str) -> Result<Value> {
    let mut checked: P = player(text)?;
    if checked.program().is_some() {
        return Err(BadInput::new("found a program in --player, expected a player in this process").into());
    }
    let mut whole = P::defaults()?;
    // The text was read before, so it is JSON.
    change(&mut whole, &serde_json::from_str(text)?);
    Ok(whole)
}

/// Checks that a player can have the numbers' bounds.
fn check_bounds<P: Player>(whole: &Value, numbers: &[Number]) -> Result<()> {
    for number in numbers {
        for bound in [number.min, number.max] {
            let with = numbers::set(whole, std::slice::from_ref(number), &[bound]);
            player::<P>(&with.to_string())
                .with_context(|| BadInput::new(format!("{} cannot be {bound}", number.name)))?;
        }
    }
    Ok(())
}

/// Learns from the results of pairs that follow `done` earlier ones. Returns their number.
fn learn(spsa: &mut Spsa, done: u32, leads: &[i8]) -> u32 {
    (done..).zip(leads).for_each(|(pair, &lead)| spsa.learn(pair, lead.into()));
    leads.len() as u32
}

/// Plays a pair of games. Returns the first player's wins less its losses.
fn play_pair<P: Player>(whole: &Value, numbers: &[Number], spsa: &Spsa, pair: u32, seed: u64) -> Result<i8> {
    let read = |values: &Vec<f64>| player::<P>(&numbers::set(whole, numbers, values).to_string());
    let [first, second] = spsa.players(pair);
    let (first, second) = (read(&first)?, read(&second)?);
    let seed = game_seed(seed, pair);
    let opening = P::openings(seed).next().context("no opening")?;
    let mut lead = 0;
    for color in Color::ALL {
        let played = P::play([&first, &second], color, opening, seed >> 1)?;
        lead += played.winner.map_or(0, |winner| if winner == color { 1 } else { -1 });
    }
    Ok(lead)
}

/// Plays the tuned player against the one of the beginning, with a record in the folder.
fn final_match<P: Player>(arguments: &TuneArguments, header: TuneHeader<'_>, tuned: &Value) -> Result<MatchReport> {
    let TuneHeader { player: whole, numbers, .. } = header;
    let begin: Vec<f64> = numbers.iter().map(|number| number.begin).collect();
    let begin = numbers::set(whole, numbers, &begin);
    let players: [P; 2] = [player(&tuned.to_string())?, player(&begin.to_string())?];
    // Openings that were not played before.
    let openings = P::openings_of_match(arguments.openings, game_seed(arguments.seed, u32::MAX));
    let record = MatchRecord::open(&arguments.folder.join(MATCH), RUN, &shortest(header)?, &openings)?;
    let sprt = Some(Sprt { elo: arguments.sprt, alpha: 0.05, beta: 0.05 });
    let threads = arguments.threads.threads();
    Match { openings: &openings, threads, title: "match", sprt, record: Some(record) }.between(players.each_ref())
}

fn draw(folder: &Path, numbers: &[Number], way: &[Vec<f64>], pairs: u32) -> Result<()> {
    write_whole(&folder.join(PLOT), plot(numbers, way, pairs).as_bytes())
}

/// Colors of the lines, used again after the last one.
const COLORS: [&str; 8] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"];
/// Largest number of points in a line.
const POINTS: usize = 500;

/// Draws the values after each batch of games, each number between its bounds. `way` begins with the first values.
fn plot(numbers: &[Number], way: &[Vec<f64>], pairs: u32) -> String {
    let last = (way.len().max(2) - 1) as f64;
    let every = way.len().div_ceil(POINTS).max(1);
    let places = (0..way.len()).filter(|place| place % every == 0 || place + 1 == way.len());
    let line = |(index, number): (usize, &Number)| {
        let &Number { begin, min, max, .. } = number;
        let end = number.rounded(way.last().map_or(begin, |values| values[index]));
        let share = |place: usize| (way[place][index] - min) / (max - min);
        Series {
            name: format!("{}: {begin} to {end} (bounds {min} and {max})", escaped(&number.name)),
            color: COLORS[index % COLORS.len()],
            has_line: true,
            has_dots: false,
            points: places.clone().map(|at| Point { at: [at as f64, share(at)], ..Point::default() }).collect(),
        }
    };
    Chart {
        title: "Tuned numbers, each between its bounds".to_owned(),
        note: String::new(),
        size: [624.0, 264.0],
        x: Axis {
            ends: [0.0, last],
            marks: vec![(0.0, "0".to_owned()), (last, pairs.to_string())],
            label: "pairs of games".to_owned(),
        },
        y: Axis {
            ends: [0.0, 1.0],
            marks: vec![(0.0, "min".to_owned()), (1.0, "max".to_owned())],
            label: "value".to_owned(),
        },
        series: numbers.iter().enumerate().map(line).collect(),
    }
    .file()
}

fn in_words(numbers: &[Number], values: &[f64]) -> String {
    const SHOWN: usize = 3;
    let each = numbers.iter().zip(values).take(SHOWN).map(|(number, &value)| {
        let name = number.name.rsplit('.').next().unwrap_or_default();
        format!("{name} {}", number.rounded(value))
    });
    each.collect::<Vec<_>>().join(", ")
}

fn contains(start: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(start).contains(text)
}

fn delete(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot delete {}", path.display()))
        }
        _ => Ok(()),
    }
}
