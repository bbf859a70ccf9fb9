//! Parser of calibration.txt. A bad field is ignored; the others still apply.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::{Calibration, Costs, VERSION};

const FIELDS: [&str; 7] = ["frugality", "game_seconds", "tables", "evaluation", "costs", "nodes_per_second", "version"];
const GAME_SECONDS: RangeInclusive<f64> = 0.1..=1e9;
/// Maximum number of bad fields reported one by one; the others are only counted.
const MAX_WARNINGS: usize = 8;
/// Maximum number of characters printed of a name or a string.
const SHOWN: usize = 40;

/// Numeric field: its name, its destination, and its maximum. The minimum is 0.
type Number<'a> = (&'static str, &'a mut f64, f64);

impl Calibration {
    /// Reads the text of a calibration file. A field that is unknown, has a wrong type or is out of range keeps its
    /// default, and adds a sentence to `warnings`: what was read, and what was expected.
    ///
    /// # Errors
    /// The text is not a JSON object, or has another version.
    pub fn parse(text: &str, warnings: &mut Vec<String>) -> Result<Calibration> {
        let Fields { values, repeated } = serde_json::from_str(text).context("not the JSON that calibrate writes")?;
        if let Some(version) = values.get("version") {
            ensure!(version.as_u64() == Some(VERSION.into()), "version is {}, expected {VERSION}", shown(version));
        }
        let mut field_warnings = FieldWarnings { warnings, warned: 0, unmentioned: 0 };
        for name in repeated {
            field_warnings
                .warn(|| format!("{} occurs more than once, expected once; the last one counts", quoted(&name)));
        }
        let mut calibration = Calibration::default();
        for (name, value) in &values {
            match (name.as_str(), value) {
                ("version", _) | ("game_seconds" | "tables" | "evaluation", Value::Null) => {}
                ("tables", Value::String(path)) => calibration.tables = Some(path.into()),
                ("evaluation", Value::String(path)) => calibration.evaluation = Some(path.into()),
                ("tables" | "evaluation", _) => field_warnings.ignored(name, value, "a file path in quotes"),
                ("frugality", _) => field_warnings.number(name, value, (&mut calibration.frugality, 0.0..=1.0)),
                ("game_seconds", _) => {
                    let mut seconds = f64::INFINITY;
                    field_warnings.number(name, value, (&mut seconds, GAME_SECONDS));
                    calibration.game_seconds = Duration::try_from_secs_f64(seconds).ok();
                }
                ("costs", _) => field_warnings.numbers(name, value, &mut calibration.costs.numbers()),
                ("nodes_per_second", _) => {
                    let speeds = &mut calibration.nodes_per_second;
                    field_warnings.numbers(name, value, &mut [("checkers", &mut speeds.checkers, 1e12)]);
                }
                _ => field_warnings.unknown(name, "", &FIELDS),
            }
        }
        if field_warnings.unmentioned > 0 {
            let more = format!("{} more bad fields; ignored", field_warnings.unmentioned);
            field_warnings.warnings.push(more);
        }
        Ok(calibration)
    }
}

impl Costs {
    fn numbers(&mut self) -> [Number<'_>; 6] {
        [
            ("start_up_ms", &mut self.start_up_ms, 1e4),
            ("exit_ms", &mut self.exit_ms, 1e4),
            ("exit_ms_per_mib", &mut self.exit_ms_per_mib, 1e2),
            ("files_ms", &mut self.files_ms, 1e4),
            ("clock_ms", &mut self.clock_ms, 1e3),
            ("clock_step_ms", &mut self.clock_step_ms, 1e3),
        ]
    }
}

struct FieldWarnings<'a> {
    warnings: &'a mut Vec<String>,
    /// Number of bad fields with a warning.
    warned: usize,
    /// Number of bad fields without one.
    unmentioned: usize,
}

impl FieldWarnings<'_> {
    fn warn(&mut self, what: impl FnOnce() -> String) {
        if self.warned < MAX_WARNINGS {
            self.warned += 1;
            self.warnings.push(what());
        } else {
            self.unmentioned += 1;
        }
    }

    fn ignored(&mut self, name: &str, value: &Value, expected: &str) {
        self.warn(|| format!("{name} is {}, expected {expected}; ignored", shown(value)));
    }

    fn number(&mut self, name: &str, value: &Value, (number, range): (&mut f64, RangeInclusive<f64>)) {
        match value.as_f64().filter(|read| range.contains(read)) {
            Some(read) => *number = read,
            None => self.ignored(name, value, &format!("{} to {}", range.start(), range.end())),
        }
    }

    /// Reads an object of numbers, each optional.
    fn numbers(&mut self, section: &str, value: &Value, known: &mut [Number<'_>]) {
        let Value::Object(fields) = value else {
            let names: Vec<String> = known.iter().map(|(name, ..)| format!("\"{name}\"")).collect();
            return self.ignored(section, value, &format!("an object with the fields {}", names.join(", ")));
        };
        for (name, value) in fields {
            match known.iter_mut().find(|(known, ..)| known == name) {
                Some((_, number, max)) => self.number(&format!("{section}.{name}"), value, (&mut **number, 0.0..=*max)),
                None => {
                    let names: Vec<&str> = known.iter().map(|&(name, ..)| name).collect();
                    self.unknown(name, &format!(" in {section}"), &names);
                }
            }
        }
    }

    /// Warns about a name that is not in `known`, and lists the known names, the closest first.
    fn unknown(&mut self, name: &str, place: &str, known: &[&str]) {
        self.warn(|| {
            let letters: Vec<char> = name.chars().take(SHOWN).collect();
            let mut known: Vec<(usize, &str)> = known.iter().map(|&name| (distance(&letters, name), name)).collect();
            known.sort_by_key(|&(distance, _)| distance);
            let guess = match known.first() {
                Some(&(distance, name)) if distance <= 2 => format!(" (did you mean {name}?)"),
                _ => String::new(),
            };
            let names: Vec<&str> = known.into_iter().map(|(_, name)| name).collect();
            let one_of = if names.len() > 1 { "one of " } else { "" };
            format!("unknown field {}{place}{guess}, expected {one_of}{}; ignored", quoted(name), names.join(", "))
        });
    }
}

/// Edit distance between two names: letters inserted, deleted or changed (V. Levenshtein, 1966).
fn distance(letters: &[char], name: &str) -> usize {
    let mut row: Vec<usize> = (0..=letters.len()).collect();
    for (above, wanted) in (0..).zip(name.chars()) {
        let mut diagonal = std::mem::replace(&mut row[0], above + 1);
        for (column, &letter) in letters.iter().enumerate() {
            let changed = diagonal + usize::from(letter != wanted);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[letters.len()]
}

/// Value as in the file, or only its type if it may be long.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        short => short.to_string(),
    }
}

/// Start of an arbitrary text, in quotes.
fn quoted(text: &str) -> String {
    let rest = if text.chars().nth(SHOWN).is_some() { "..." } else { "" };
    format!("{:?}{rest}", text.chars().take(SHOWN).collect::<String>())
}

/// JSON object, with the names that occur more than once.
struct Fields {
    values: Map<String, Value>,
    repeated: Vec<String>,
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Fields { values: Map::new(), repeated: Vec::new() };
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            if fields.values.insert(name.clone(), value).is_some() {
                fields.repeated.push(name);
            }
        }
        Ok(fields)
    }
}
