//! Rows of CSV files (RFC 4180) whose text comes from strangers.

use serde_json::Value;

use kingline_players::terminal::escaped;

/// The first line.
pub(super) fn header(names: &[&str]) -> String {
    names.join(",") + "\r\n"
}

/// A line with these values; no value is an empty field.
pub(super) fn row(values: &[Value]) -> String {
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

/// A text as a field. Text that a spreadsheet would take for a formula has an apostrophe in front; invisible
/// characters are escaped.
fn field(text: &str) -> String {
    let plain = escaped(text);
    let guard = if plain.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    if plain.contains(['"', ',']) || plain.starts_with(' ') || plain.ends_with(' ') {
        return format!("\"{guard}{}\"", plain.replace('"', "\"\""));
    }
    format!("{guard}{plain}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_is_quoted_where_needed_and_never_a_formula() {
        let row = row(&[json!("a"), json!("a, \"b\""), json!("=1+1"), json!("a\n\u{202e}"), json!(null), json!(1.5)]);
        assert_eq!(row, "a,\"a, \"\"b\"\"\",'=1+1,a\\n\\u{202e},,1.5\r\n");
    }
}
