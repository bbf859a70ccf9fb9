//! Numbers to tune: read from a file, and set in the JSON of a player.

use std::path::Path;

use anyhow::{Context, Result};
use kingline_players::exit::BadInput;
use kingline_players::files::read_bytes;
use kingline_players::terminal::escaped;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct Number {
    /// Path in the player's JSON, with dots.
    pub(super) name: String,
    /// Value at the beginning.
    pub(super) begin: f64,
    /// Smallest value.
    pub(super) min: f64,
    /// Largest value.
    pub(super) max: f64,
    /// Distance of the players from the current value in the last games.
    pub(super) step: f64,
    pub(super) kind: Kind,
}

/// Values that a number can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Whole,
    Real,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    begin: Option<f64>,
    min: f64,
    max: f64,
    step: f64,
}

/// Reads the file with the numbers of a player.
pub(super) fn read(path: &Path, player: &Value) -> Result<Vec<Number>> {
    let shown = path.display();
    let bad = |why: String| BadInput::new(format!("{shown}: {why}"));
    let bytes = read_bytes(path).with_context(|| BadInput::new(format!("cannot read {shown}")))?;
    let all: Map<String, Value> = serde_json::from_slice(&bytes)
        .with_context(|| bad("expected a JSON object as `calibrate tune --help` describes it".to_owned()))?;
    if all.is_empty() {
        return Err(bad("found no number, expected at least one".to_owned()).into());
    }
    let number = |(name, value): (String, Value)| {
        let shown = escaped(&name);
        let found = number_in(player, &name).map_err(&bad)?;
        let described = serde_json::from_value::<Described>(value).with_context(|| bad(shown.clone()))?;
        let (kind, value) = found;
        let Described { begin, min, max, step } = described;
        let number = Number { name, begin: begin.unwrap_or(value), min, max, step, kind };
        number.check().map_err(|why| bad(format!("{shown}: {why}")))?;
        Ok(number)
    };
    all.into_iter().map(number).collect()
}

/// Returns the kind and the value of a number of a player.
fn number_in(player: &Value, name: &str) -> std::result::Result<(Kind, f64), String> {
    let (shown, mut at, mut before) = (escaped(name), player, String::new());
    for part in name.split('.') {
        if at.is_null() {
            return Err(format!("{shown}: {before} is off; help: switch it on in --player"));
        }
        let Some(next) = at.get(part) else {
            return Err(format!("found the name {shown}, expected one of {}", names(player).join(", ")));
        };
        before = if before.is_empty() { part.to_owned() } else { format!("{before}.{part}") };
        at = next;
    }
    match at {
        Value::Number(number) if number.is_f64() => Ok((Kind::Real, number.as_f64().unwrap_or_default())),
        Value::Number(number) => Ok((Kind::Whole, number.as_f64().unwrap_or_default())),
        Value::Null => Err(format!("{shown} is off; help: switch it on in --player")),
        _ => Err(format!("{shown} is not a number, expected one of {}", names(player).join(", "))),
    }
}

fn names(player: &Value) -> Vec<String> {
    let mut names = Vec::new();
    collect(player, "", &mut names);
    // More time or nodes always make a player stronger.
    names.retain(|name| !["nodes", "per_move", "seconds"].contains(&&**name));
    names
}

fn collect(at: &Value, path: &str, names: &mut Vec<String>) {
    match at {
        Value::Number(_) => names.push(path.to_owned()),
        Value::Object(fields) => {
            for (name, value) in fields {
                collect(value, &if path.is_empty() { name.clone() } else { format!("{path}.{name}") }, names);
            }
        }
        _ => {}
    }
}

impl Number {
    fn check(&self) -> std::result::Result<(), String> {
        let &Number { begin, min, max, step, kind, .. } = self;
        let least = if kind == Kind::Whole { 1.0 } else { 0.0 };
        if min >= max {
            return Err(format!("found min {min} and max {max}, expected min below max"));
        }
        if !(min..=max).contains(&begin) {
            return Err(format!("found begin {begin}, expected {min} to {max}"));
        }
        if step <= 0.0 || step < least || step > max - min {
            let above = if kind == Kind::Whole { "from 1" } else { "above 0" };
            return Err(format!("found step {step}, expected a number {above}, at most {}", max - min));
        }
        Ok(())
    }

    /// Returns the value as the player has it.
    pub(super) fn rounded(&self, value: f64) -> f64 {
        match self.kind {
            Kind::Whole => value.round(),
            Kind::Real if value == 0.0 => value,
            // Four digits are more than games can tell apart.
            Kind::Real => {
                let unit = 10f64.powi(3 - value.abs().log10().floor() as i32);
                (value * unit).round() / unit
            }
        }
    }
}

/// Returns the player's JSON with these values of the numbers.
pub(super) fn set(player: &Value, numbers: &[Number], values: &[f64]) -> Value {
    let mut player = player.clone();
    for (number, &value) in numbers.iter().zip(values) {
        let rounded = number.rounded(value);
        let at = number.name.split('.').try_fold(&mut player, |at, part| at.get_mut(part));
        if let Some(at) = at {
            *at = if number.kind == Kind::Whole { json!(rounded as i64) } else { json!(rounded) };
        }
    }
    player
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player() -> Value {
        json!({"nodes": 9, "params": {"cut": {"margin": 25, "divisor": 1.5}, "null": null, "killers": true}})
    }

    fn read_text(text: &str) -> Result<Vec<Number>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("numbers.json");
        std::fs::write(&path, text)?;
        read(&path, &player())
    }

    #[test]
    fn numbers_are_read_with_their_defaults_and_set_rounded() {
        let text = r#"{"params.cut.margin": {"min": 0, "max": 50, "step": 4},
            "params.cut.divisor": {"begin": 2, "min": 1, "max": 3, "step": 0.1}}"#;
        let numbers = read_text(text).expect("two numbers");
        let begins: Vec<_> = numbers.iter().map(|number| (number.begin, number.kind)).collect();
        assert_eq!(begins, [(2.0, Kind::Real), (25.0, Kind::Whole)]);
        let set = set(&player(), &numbers, &[2.345_67, 31.6]);
        assert_eq!(set["params"]["cut"], json!({"margin": 32, "divisor": 2.346}));
    }

    #[test]
    fn errors_name_the_number_and_what_was_expected() {
        let known = "expected one of params.cut.divisor, params.cut.margin";
        for (text, message) in [
            ("[]", "expected a JSON object"),
            ("{", "expected a JSON object"),
            ("{}", "found no number"),
            (r#"{"params.cut.marge": {"min": 0, "max": 50, "step": 4}}"#, known),
            (r#"{"params.killers": {"min": 0, "max": 50, "step": 4}}"#, known),
            (r#"{"params.null.depth": {"min": 0, "max": 50, "step": 4}}"#, "params.null is off; help: "),
            (r#"{"params.cut.margin": {"min": 0, "max": 50, "steps": 4}}"#, "params.cut.margin: unknown field `steps`"),
            (r#"{"params.cut.margin": {"min": 0, "max": 50}}"#, "params.cut.margin: missing field `step`"),
            (r#"{"params.cut.margin": {"min": 50, "max": 0, "step": 4}}"#, "params.cut.margin: found min 50 and max 0"),
            (r#"{"params.cut.margin": {"min": 30, "max": 50, "step": 4}}"#, "found begin 25, expected 30 to 50"),
            (r#"{"params.cut.margin": {"min": 0, "max": 50, "step": 0}}"#, "params.cut.margin: found step 0, expected"),
            (
                r#"{"params.cut.margin": {"min": 0, "max": 50, "step": 0.5}}"#,
                "found step 0.5, expected a number from 1",
            ),
            (r#"{"params.cut.divisor": {"min": 1, "max": 2, "step": -1}}"#, "found step -1, expected a number above 0"),
            (r#"{"params.cut.divisor": {"min": 1, "max": 2, "step": 2}}"#, "at most 1"),
        ] {
            let error = read_text(text).expect_err("an error");
            assert!(error.is::<BadInput>() && format!("{error:#}").contains(message), "{text}: {error:#}");
        }
    }
}
