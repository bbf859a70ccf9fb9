//! Rows of CSV files (RFC 4180) whose text comes from strangers.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use kingline_players::terminal::escaped;

/// The fields of a struct, in their order.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Fields, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a struct")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        from.deserialize_map(Read)
    }
}

fn fields(row: &impl Serialize) -> serde_json::Result<Vec<(String, Value)>> {
    let Fields(fields) = serde_json::from_str(&serde_json::to_string(row)?)?;
    Ok(fields)
}

/// The first line of a table of such rows: the names of their fields.
pub(crate) fn names(row: &impl Serialize) -> serde_json::Result<String> {
    Ok(line(fields(row)?.iter().map(|(name, _)| &**name)))
}

/// A row as a line; no value is an empty field.
pub(crate) fn row(row: &impl Serialize) -> serde_json::Result<String> {
    let texts = fields(row)?.into_iter().map(|(_, value)| match value {
        Value::Null => String::new(),
        Value::String(text) => field(&text),
        other => other.to_string(),
    });
    Ok(texts.collect::<Vec<String>>().join(",") + "\r\n")
}

pub(crate) fn line<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().map(field).collect::<Vec<String>>().join(",") + "\r\n"
}

/// A text as a field, in one line. Text that a spreadsheet would take for a formula has an apostrophe in front; invisible
/// characters are escaped.
fn field(text: &str) -> String {
    let text = escaped(text);
    let guard = if text.trim_start().starts_with(FORMULA) { "'" } else { "" };
    // Where the comma is the decimal separator, spreadsheets split lines at semicolons.
    if text.contains([',', ';', '"']) || text.starts_with(' ') || text.ends_with(' ') {
        return format!("\"{guard}{}\"", text.replace('"', "\"\""));
    }
    format!("{guard}{text}")
}

/// First characters of a formula, also in their wide forms.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_fields_in_their_order() {
        #[derive(Serialize)]
        struct Row {
            name: &'static str,
            also: &'static str,
            formula: &'static str,
            none: Option<u32>,
            points: f64,
            change: i32,
        }
        let value = Row { name: "a", also: "a, \"b\"", formula: "=1+1", none: None, points: 1.5, change: -1 };
        assert_eq!(names(&value).unwrap(), "name,also,formula,none,points,change\r\n");
        assert_eq!(row(&value).unwrap(), "a,\"a, \"\"b\"\"\",'=1+1,,1.5,-1\r\n");
    }

    #[test]
    fn no_field_is_a_formula_or_more_than_a_field() {
        for (text, written) in [
            ("ann", "ann"),
            ("ann ", "\"ann \""),
            (" @cmd", "\"' @cmd\""),
            ("\u{a0}@cmd", "'\u{a0}@cmd"),
            ("\t=cmd", "\\t=cmd"),
            ("-1+1", "'-1+1"),
            ("\u{ff1d}cmd", "'\u{ff1d}cmd"),
            ("a;=cmd", "\"a;=cmd\""),
            ("a\n=cmd\r", "a\\n=cmd\\r"),
            ("a\u{202e}vsc", "a\\u{202e}vsc"),
            ("=a\",b", "\"'=a\"\",b\""),
        ] {
            assert_eq!(field(text), written, "{text:?}");
        }
    }
}
