//! Reads players from the command line.

use anyhow::{Context, Error, Result};
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Map, Value};

use crate::bad_input::BadInput;

/// Player given as a JSON object with optional fields.
pub(crate) trait FromJson: DeserializeOwned {
    /// Checks what types alone cannot check.
    ///
    /// # Errors
    /// Fails if a field is out of range.
    fn check(&self) -> serde_json::Result<()>;
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
    read(whole.clone()).map_err(|error| {
        let (field, error) = culprit(&whole, error, |value| read(value).err());
        Error::new(error).context(BadInput::new(format!("{}: {field}", expected())))
    })
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
