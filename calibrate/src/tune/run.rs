//! A run of the tuner: its games, its journal, and the final match.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use kingline::game::Color;
use kingline_players::files::{FileKind, check_target, write_whole};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::TuneArguments;
use super::game::Tunable;
use super::numbers::{self, Number};
use super::plot;
use super::report::TuneReport;
use super::spsa::Spsa;
use crate::learn::game_seed;
use crate::matches::{FromJson, Match, MatchRecord, MatchReport, Sprt, change, engine, player};
use crate::progress::Progress;
use crate::threads::Threads;
use kingline_players::exit::BadInput;
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

/// Row of the journal: a batch of pairs.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    /// Games won less games lost by the first player of each pair.
    leads: Vec<i8>,
    /// Values of the numbers after the batch, for readers; a later run computes them again.
    values: Vec<f64>,
}

/// Tunes the numbers and plays the final match.
///
/// # Errors
/// Fails if the numbers or the player are wrong, if the folder has another run's results, or if a file cannot be
/// written.
pub(super) fn tune<G: Tunable>(arguments: &TuneArguments) -> Result<TuneReport> {
    let TuneArguments { folder, pairs, rate, seed, .. } = arguments;
    let whole = whole_player::<G>(&arguments.player)?;
    let numbers = numbers::read(&arguments.numbers, &whole)?;
    check_bounds::<G>(&whole, &numbers)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for kind in OUTPUTS {
        let path = folder.join(kind.name);
        check_target(&path, kind).with_context(|| BadInput::new(format!("cannot use {}", folder.display())))?;
        if arguments.anew {
            delete(&path)?;
        }
    }
    let header = header(arguments, &whole, &numbers)?;
    let (mut journal, batches) = Journal::open::<Batch>(&folder.join(GAMES), RUN, &header)?;
    let mut spsa = Spsa::new(&numbers, *pairs, *rate, *seed);
    let (mut done, mut way) = (0, vec![spsa.values().to_vec()]);
    for Batch { leads, .. } in batches {
        done += learn(&mut spsa, done, &leads);
        way.push(spsa.values().to_vec());
    }
    let threads = Threads::new(arguments.threads);
    let mut progress = Progress::new("tune", *pairs as usize);
    progress.skip(done as usize);
    while done < *pairs {
        let batch: Vec<u32> = (done..*pairs.min(&(done + BATCH))).collect();
        let leads = threads.map(&batch, |&pair| play_pair::<G>(&whole, &numbers, &spsa, pair, *seed))?;
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
    let values = spsa.values().to_vec();
    let tuned = numbers::set(&whole, &numbers, &values);
    let test = (arguments.openings > 0).then(|| final_match::<G>(arguments, &header, &whole, &numbers, &tuned));
    Ok(TuneReport { values, pairs: *pairs, player: tuned, test: test.transpose()?, numbers })
}

/// Returns the player's JSON with all numbers, as changed by `text`.
fn whole_player<G: Tunable>(text: &str) -> Result<Value> {
    let mut checked: G::Player = player(text)?;
    if checked.program().is_some() {
        return Err(BadInput::new("found a program in --player, expected a player in this process").into());
    }
    let mut whole = G::defaults()?;
    // The text was read before, so it is JSON.
    change(&mut whole, &serde_json::from_str(text)?);
    Ok(whole)
}

/// Checks that a player can have the numbers' bounds.
fn check_bounds<G: Tunable>(whole: &Value, numbers: &[Number]) -> Result<()> {
    for number in numbers {
        for bound in [number.min, number.max] {
            let with = numbers::set(whole, std::slice::from_ref(number), &[bound]);
            player::<G::Player>(&with.to_string())
                .with_context(|| BadInput::new(format!("{} cannot be {bound}", number.name)))?;
        }
    }
    Ok(())
}

/// Returns what the games of a run depend on.
fn header(arguments: &TuneArguments, whole: &Value, numbers: &[Number]) -> Result<Map<String, Value>> {
    let fields = [
        ("journal", json!("tune")),
        ("game", json!(arguments.game.word())),
        ("player", whole.clone()),
        ("numbers", serde_json::to_value(numbers)?),
        ("pairs", json!(arguments.pairs)),
        ("rate", json!(arguments.rate)),
        ("seed", json!(arguments.seed)),
        ("engine", json!(engine(arguments.game))),
        ("version", json!(env!("CARGO_PKG_VERSION"))),
    ];
    // Written and read, as the header of the file is, so that equal numbers are equal.
    let fields: Map<String, Value> = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Ok(serde_json::from_str(&serde_json::to_string(&fields)?)?)
}

/// Learns from the results of pairs that follow `done` earlier ones. Returns their number.
fn learn(spsa: &mut Spsa, done: u32, leads: &[i8]) -> u32 {
    (done..).zip(leads).for_each(|(pair, &lead)| spsa.learn(pair, lead.into()));
    leads.len() as u32
}

/// Plays a pair of games. Returns the first player's wins less its losses.
fn play_pair<G: Tunable>(whole: &Value, numbers: &[Number], spsa: &Spsa, pair: u32, seed: u64) -> Result<i8> {
    let read = |values: &Vec<f64>| player::<G::Player>(&numbers::set(whole, numbers, values).to_string());
    let [first, second] = spsa.players(pair);
    let (first, second) = (read(&first)?, read(&second)?);
    let seed = game_seed(seed, pair);
    let opening = G::opening(seed);
    let mut lead = 0;
    for color in Color::ALL {
        let played = G::play([&first, &second], color, opening, seed >> 1)?;
        lead += played.winner.map_or(0, |winner| if winner == color { 1 } else { -1 });
    }
    Ok(lead)
}

/// Plays the tuned player against the one of the beginning, with a record in the folder.
fn final_match<G: Tunable>(
    arguments: &TuneArguments,
    header: &Map<String, Value>,
    whole: &Value,
    numbers: &[Number],
    tuned: &Value,
) -> Result<MatchReport> {
    let begin: Vec<f64> = numbers.iter().map(|number| number.begin).collect();
    let begin = numbers::set(whole, numbers, &begin);
    let players: [G::Player; 2] = [player(&tuned.to_string())?, player(&begin.to_string())?];
    // Openings that were not played before.
    let openings = G::openings(arguments.openings, game_seed(arguments.seed, u32::MAX));
    let mut header = header.clone();
    header.insert("journal".to_owned(), json!("match"));
    header.insert("tuned".to_owned(), tuned.clone());
    let names = openings.iter().map(ToString::to_string).collect();
    let record = MatchRecord::open(&arguments.folder.join(MATCH), RUN, &header, names)?;
    let sprt = Some(Sprt { elo: arguments.sprt, alpha: 0.05, beta: 0.05 });
    let threads = Threads::new(arguments.threads);
    let the_match = Match { openings: &openings, threads, title: "match", sprt, record: Some(record) };
    let [first, second] = &players;
    let tally = the_match.play(|color, opening, game| G::play([first, second], color, opening, game))?;
    Ok(MatchReport { tally, sprt })
}

fn draw(folder: &Path, numbers: &[Number], way: &[Vec<f64>], pairs: u32) -> Result<()> {
    write_whole(&folder.join(PLOT), plot::svg(numbers, way, pairs as usize).as_bytes())
}

/// Returns the values for the progress bar.
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

/// Deletes a file of an earlier run, if there is one.
fn delete(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot delete {}", path.display()))
        }
        _ => Ok(()),
    }
}
