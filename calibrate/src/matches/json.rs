//! Reads players from the command line.

use std::fmt::Display;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result};
use kingline::evaluate::network::WeightsError;
use kingline_players::play::arguments::MOST_THREADS;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Map, Value};

use super::programs::ProgramFile;
use kingline_players::exit::BadInput;

/// Player given as a JSON object with optional fields.
pub(crate) trait FromJson: DeserializeOwned {
    /// Checks what types alone cannot check.
    ///
    /// # Errors
    /// Fails if a field is out of range.
    fn check(&self) -> serde_json::Result<()>;

    /// Checks that the fields fit together if the player is a program, and that only a program has arguments.
    ///
    /// # Errors
    /// See [`check_program`].
    fn check_program(&self) -> Result<()>;

    /// Returns the path of the program, if the player is one.
    fn program(&mut self) -> Option<&mut PathBuf>;
}

/// Reads a player.
///
/// # Errors
/// Fails if a field is wrong. The error names it, what was found and what was expected.
pub(crate) fn player<P: FromJson>(text: &str) -> Result<P> {
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
        *path = ProgramFile::find(path, &[])?.path;
    }
    Ok(player)
}

/// Checks the fields of a player that may be a program. `own` is a field set here that a program would not learn of;
/// `time` is an error with the names of the fields that give it time, if none of them does.
///
/// # Errors
/// Fails if these fields do not fit together.
pub(crate) fn check_program(
    program: Option<&Path>,
    arguments: &[String],
    own: Option<&str>,
    time: std::result::Result<(), &str>,
) -> Result<()> {
    let wrong = match (program, own, time) {
        (None, ..) if !arguments.is_empty() => "found arguments, expected a program beside them".to_owned(),
        (Some(_), Some(own), _) => format!("found {own}, expected it only without a program"),
        (Some(_), None, Err(fields)) => format!("found no time for the program, expected {fields} above 0"),
        _ => return Ok(()),
    };
    Err(Error::msg(wrong))
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

/// Reads an evaluation, by `read`, from the file that the JSON names.
///
/// # Errors
/// Fails if the file cannot be read or is of another kind.
pub(crate) fn evaluation<R, E: serde::de::Error>(
    name: &Path,
    read: fn(&[u8]) -> std::result::Result<R, WeightsError>,
) -> std::result::Result<R, E> {
    let failed = |error: &dyn Display| E::custom(format!("the evaluation {}: {error}", name.display()));
    let bytes = std::fs::read(name).map_err(|error| failed(&error))?;
    read(&bytes).map_err(|error| failed(&error))
}

/// Checks a number of seconds.
///
/// # Errors
/// Fails if it is not between 0 and a million.
pub(crate) fn check_seconds(seconds: f64) -> serde_json::Result<()> {
    const MOST: f64 = 1e6;
    if (0.0..=MOST).contains(&seconds) {
        return Ok(());
    }
    Err(serde_json::Error::custom(format!("found {seconds} seconds, expected 0 to {MOST}")))
}

/// Checks a number of threads.
///
/// # Errors
/// Fails if there are too many, or if nodes limit the search as well.
pub(crate) fn check_threads(threads: Option<NonZero<usize>>, nodes: Option<u64>) -> serde_json::Result<()> {
    let error = match threads {
        None => return Ok(()),
        Some(threads) if threads.get() > MOST_THREADS => {
            format!("found {threads} threads, expected 1 to {MOST_THREADS}")
        }
        Some(_) if nodes.is_some() => "found nodes and threads, expected one of them".to_owned(),
        Some(_) => return Ok(()),
    };
    Err(serde_json::Error::custom(error))
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
