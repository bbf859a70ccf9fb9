//! Players of matches: how they are read from the command line, and how two of them play a game.

use std::fmt::Display;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Error, Result};
use kingline::evaluate::network::WeightsError;
use kingline::game::{Color, Ending, Game, History, Rules};
use kingline::score::Score;
use kingline_players::exit::BadInput;
use kingline_players::play::arguments::MOST_THREADS;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::process::ProgramFile;
use super::tally::PlayedGame;

/// Player given as a JSON object with optional fields.
pub(crate) trait Player: DeserializeOwned + Sync {
    type Position: Game + Send + Sync;

    /// Checks what types alone cannot check.
    fn check(&self) -> serde_json::Result<()>;

    /// Checks that the fields fit together if the player is a program, and that only a program has arguments.
    fn check_program(&self) -> Result<()>;

    /// Returns the path of the program, if the player is one.
    fn program(&mut self) -> Option<&mut PathBuf>;

    /// Returns the JSON of the default player, with all numbers that can be tuned.
    fn defaults() -> Result<Value>;

    /// Returns the nodes of a fixed search, which change with the search and the evaluation.
    fn engine() -> u64;

    /// Returns an endless list of openings, some of them equal. The same seed gives the same list.
    fn openings(seed: u64) -> impl Iterator<Item = Self::Position>;

    /// Returns the openings of a match.
    fn openings_of_match(count: usize, seed: u64) -> Vec<Self::Position> {
        Self::openings(seed).take(count).collect()
    }

    /// Returns the score of a position for the side to move by a short search of this player, in hundredths of a man or
    /// of the evaluation's unit. A program's score is unknown: the default player searches in its place.
    fn score(&self, position: Self::Position, nodes: u64) -> Score;

    /// Plays one game from `opening`, in which the first player has `color`.
    fn play(players: [&Self; 2], color: Color, opening: Self::Position, seed: u64) -> Result<PlayedGame>;
}

/// Player in a game.
pub(super) trait Seat<G: Game> {
    /// Word for its moves in messages.
    const MOVE: &'static str;

    /// Chooses a move after `used` of its time, in a game that is drawn after `plies` more; `None` if there is no legal
    /// one, or a program took far too long. Returns the time that it took.
    fn choose(&mut self, history: &History<G>, used: Duration, plies: u16) -> Result<(Option<G::Move>, Duration)>;

    /// Returns true if the player loses on time by a move that took `took`, after which it has used `used` in all.
    fn is_late(&self, took: Duration, used: Duration) -> bool;

    /// Returns true for another program, which loses if it does not answer.
    fn is_program(&self) -> bool;

    fn tell(&mut self, _mv: G::Move) {}
}

/// Plays a game between these seats, Black's first, in which the first player of the match has `color`. It is drawn by the
/// rules alone, or else after `longest` plies.
///
/// # Errors
/// Returns the error of a seat, with the game and the move.
pub(super) fn play_game<G: Game, S: Seat<G>>(
    seats: &mut [S; 2],
    color: Color,
    opening: G,
    seed: u64,
    longest: Option<u16>,
) -> Result<PlayedGame> {
    let mut history = History::new(opening).under(Rules::Course);
    let (mut used, mut moves) = ([Duration::ZERO; 2], [0; 2]);
    let mut played = PlayedGame::default();
    let most = longest.unwrap_or(u16::MAX);
    for ply in 0..most {
        match history.ending() {
            Some(Ending::Win(winner)) => played.winner = Some(winner),
            Some(Ending::Draw(reason)) if longest.is_none() => played.draw = Some(reason),
            _ => {}
        }
        if played.winner.is_some() || played.draw.is_some() {
            break;
        }
        let turn = history.position().turn();
        let at = turn.index();
        let (mv, took) = seats[at].choose(&history, used[at], most - ply).with_context(|| {
            let place = if turn == color { "first" } else { "second" };
            let (unit, number) = (S::MOVE, moves[at] + 1);
            format!("game {} from {opening}: {unit} {number} of the {place} player, {turn}", seed + 1)
        })?;
        used[at] += took;
        moves[at] += 1;
        if seats[at].is_late(took, used[at]) || (mv.is_none() && seats[at].is_program()) {
            (played.late, played.winner) = (Some(turn), Some(!turn));
            break;
        }
        let Some(mv) = mv else { break };
        history.play(mv);
        seats[(!turn).index()].tell(mv);
    }
    Ok(PlayedGame { used: used.map(|used| used.as_secs_f64()), moves, ..played })
}

/// Reads a player.
///
/// # Errors
/// Fails if a field is wrong. The error names it, what was found and what was expected.
pub(crate) fn player<P: Player>(text: &str) -> Result<P> {
    let expected = || format!("expected a player as `calibrate match --help` describes it, not {text}");
    let whole: Value = serde_json::from_str(text).with_context(|| BadInput::new(expected()))?;
    if !whole.is_object() {
        return Err(Error::new(serde_json::Error::custom("it is not a JSON object")).context(BadInput::new(expected())));
    }
    let read = |value: Value| {
        let player: P = serde_json::from_value(value)?;
        player.check().map(|()| player)
    };
    let mut player = read(whole.clone()).map_err(|error| {
        let (field, error) = culprit(&whole, error, |value| read(value).err());
        let at = if field.is_empty() { expected() } else { format!("{}: {field}", expected()) };
        Error::new(error).context(BadInput::new(at))
    })?;
    player.check_program().with_context(|| BadInput::new(expected()))?;
    if let Some(path) = player.program() {
        *path = ProgramFile::find(path)?;
    }
    Ok(player)
}

/// Returns the innermost field that is wrong by itself as `outer.inner`, and its error. Searches only objects with
/// optional fields.
fn culprit(
    whole: &Value,
    mut error: serde_json::Error,
    fault: impl Fn(Value) -> Option<serde_json::Error>,
) -> (String, serde_json::Error) {
    let (mut path, mut at) = (Vec::new(), whole);
    while let Value::Object(fields) = at {
        let with = |fields| fault(within(&path, Value::Object(fields)));
        if with(Map::new()).is_some() {
            break;
        }
        let alone = |(name, value): (&String, &Value)| with(Map::from_iter([(name.clone(), value.clone())]));
        let Some((wrong, cause)) = fields.iter().find_map(|field| Some((field, alone(field)?))) else { break };
        error = cause;
        path.push(wrong.0.clone());
        at = wrong.1;
    }
    (path.join("."), error)
}

/// Returns an object that contains only the value at this path.
fn within(path: &[String], value: Value) -> Value {
    path.iter().rev().fold(value, |value, name| Value::Object(Map::from_iter([(name.clone(), value)])))
}

/// Checks the fields of a player that may be a program. `own` are fields that a program would not learn of, each with
/// whether it is set; `time` names the fields that give a program time, with the seconds that they give.
pub(super) fn check_program(
    program: Option<&Path>,
    arguments: &[String],
    own: &[(&str, bool)],
    (time, seconds): (&str, f64),
) -> Result<()> {
    let own = own.iter().find(|(_, is_set)| *is_set);
    let wrong = match (program, own) {
        (None, _) if !arguments.is_empty() => "found arguments, expected a program beside them".to_owned(),
        (Some(_), Some((own, _))) => format!("found {own}, expected it only without a program"),
        (Some(_), None) if seconds <= 0.0 => format!("found no time for the program, expected {time} above 0"),
        _ => return Ok(()),
    };
    Err(Error::msg(wrong))
}

/// Checks numbers of seconds and threads.
pub(super) fn check_limits(
    seconds: &[f64],
    threads: Option<NonZero<usize>>,
    nodes: Option<u64>,
) -> serde_json::Result<()> {
    const MOST: f64 = 1e6;
    let wrong = match (seconds.iter().find(|seconds| !(0.0..=MOST).contains(*seconds)), threads) {
        (Some(seconds), _) => format!("found {seconds} seconds, expected 0 to {MOST}"),
        (None, Some(threads)) if threads.get() > MOST_THREADS => {
            format!("found {threads} threads, expected 1 to {MOST_THREADS}")
        }
        (None, Some(_)) if nodes.is_some() => "found nodes and threads, expected one of them".to_owned(),
        _ => return Ok(()),
    };
    Err(serde_json::Error::custom(wrong))
}

/// Reads an evaluation, by `read`, from the file that the JSON names.
pub(super) fn evaluation<'de, D: Deserializer<'de>, E>(
    json: D,
    read: fn(&[u8]) -> std::result::Result<E, WeightsError>,
) -> std::result::Result<Option<E>, D::Error> {
    let Some(name) = Option::<PathBuf>::deserialize(json)? else { return Ok(None) };
    let failed = |error: &dyn Display| D::Error::custom(format!("the evaluation {}: {error}", name.display()));
    let bytes = std::fs::read(&name).map_err(|error| failed(&error))?;
    read(&bytes).map(Some).map_err(|error| failed(&error))
}

/// Overwrites the fields of `known` that `wanted` names, object by object.
pub(crate) fn change(known: &mut Value, wanted: &Value) {
    match (known, wanted) {
        (_, Value::Null) => {}
        (Value::Object(known), Value::Object(wanted)) => {
            for (name, value) in wanted {
                match known.get_mut(name) {
                    Some(part @ Value::Object(_)) if value.is_object() => change(part, value),
                    _ => drop(known.insert(name.clone(), value.clone())),
                }
            }
        }
        (known, wanted) => known.clone_from(wanted),
    }
}

/// Returns a value as JSON. Converts it to text and back, since text has each number in its shortest form.
pub(crate) fn shortest(value: impl Serialize) -> Result<Value> {
    Ok(serde_json::from_str(&serde_json::to_string(&value)?)?)
}
