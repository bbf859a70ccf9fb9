//! Rows of CSV files (RFC 4180) whose text comes from strangers.

use serde_json::Value;

use kingline_players::terminal::escaped;

/// The first line.
pub(crate) fn header(names: &[&str]) -> String {
    names.join(",") + "\r\n"
}

/// A line with these values; no value is an empty field.
pub(crate) fn row(values: &[Value]) -> String {
    let fields: Vec<String> = values
        .iter()
        .map(|value| match value {
            Value::Null => String::new(),
            Value::String(text) => field(text),
            other => other.to_string(),
        })
        .collect();
    fields.join(",") + "\r\n"
}

/// A line with these texts.
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
    use serde_json::json;

    #[test]
    fn values_are_fields() {
        let row = row(&[json!("a"), json!("a, \"b\""), json!("=1+1"), json!(null), json!(1.5), json!(-1)]);
        assert_eq!(row, "a,\"a, \"\"b\"\"\",'=1+1,,1.5,-1\r\n");
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
