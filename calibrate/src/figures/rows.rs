//! Rows of figures, read from their file.

use std::path::Path;

use anyhow::{Context, Result};
use kingline::game::LineError;
use kingline_players::figures::Row;
use kingline_players::files::read_text;
use kingline_players::terminal::is_deceptive;

/// Reads the last row of each figure and command, sorted by topic and, within a topic, in the order of the first rows.
///
/// # Errors
/// Fails if the file cannot be read, or with a [`LineError`] that names the line and what is wrong with it.
pub(super) fn read(path: &Path) -> Result<Vec<Row>> {
    let text = read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text).with_context(|| path.display().to_string())
}

fn parse(text: &str) -> Result<Vec<Row>, LineError> {
    let mut rows: Vec<Row> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let row = row(text).map_err(|expected| LineError::new(line, text, expected))?;
        let same = |before: &&mut Row| before.figure == row.figure && before.command == row.command;
        match rows.iter_mut().find(same) {
            Some(before) => *before = row,
            None => rows.push(row),
        }
    }
    rows.sort_by_key(|row| row.topic);
    Ok(rows)
}

/// Parses a row. The error says what was expected.
fn row(text: &str) -> Result<Row, String> {
    // serde_json counts the lines of this one-line text, so its line number is always 1.
    let row: Row = serde_json::from_str(text).map_err(|error| {
        format!("a row of figures ({})", error.to_string().replace(" at line 1 column ", " at column "))
    })?;
    let fields = [&row.figure, &row.measured, &row.machine, &row.version, &row.signature]
        .into_iter()
        .chain(&row.target)
        .chain(&row.command);
    let is_unprintable = fields.into_iter().any(|text| text.contains(is_deceptive));
    if is_unprintable || row.figure.trim().is_empty() || row.command.is_empty() {
        return Err("a row of figures: one line of printable text in each field".to_owned());
    }
    if row.met.is_some() && row.target.is_none() {
        return Err("a row of figures: `target` beside `met`".to_owned());
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = concat!(
        r#"{"topic":"The referee","figure":"a launch","measured":"2 ms","command":["c"],"machine":"m","time":1,"version":"1","signature":"s"}"#,
        "\n",
        r#"{"topic":"Search","figure":"perft","measured":"95 M","target":"60 M","met":true,"command":["a"],"machine":"m","time":1,"version":"1","signature":"s"}"#,
        "\n",
        r#"{"topic":"Search","figure":"perft","measured":"9 M","command":["b"],"machine":"m","time":1,"version":"1","signature":"s"}"#,
        "\n",
    );

    #[test]
    fn the_last_row_of_a_figure_stands_where_the_first_stood() {
        let again = TEXT.lines().nth(1).unwrap().replace("95 M", "96 M");
        let rows = parse(&format!("{TEXT}{again}\n")).unwrap();
        let shown: Vec<_> = rows.iter().map(|row| (row.measured.as_str(), row.command[0].as_str())).collect();
        assert_eq!(shown, [("96 M", "a"), ("9 M", "b"), ("2 ms", "c")]);
    }

    #[test]
    fn a_damaged_line_is_named_with_what_was_expected() {
        for (text, expected) in [
            (TEXT.replacen("\"met\"", "\"mat\"", 1), "unknown field `mat`, expected one of `topic`, `figure`, "),
            (TEXT.replacen(",\"machine\":\"m\"", "", 1), "line 1: found "),
            (TEXT.replacen(",\"machine\":\"m\"", "", 1), "a row of figures (missing field `machine`"),
            (TEXT.replace("The referee", "Referees"), "unknown variant `Referees`, expected one of `Search`, "),
            (TEXT.replace("2 ms", "2\\nms"), "expected a row of figures: one line of printable text in each field"),
            (TEXT.replace("[\"c\"]", "[]"), "expected a row of figures: one line of printable text in each field"),
            (TEXT.replace("\"target\":\"60 M\",", ""), "expected a row of figures: `target` beside `met`"),
            (format!("{TEXT}\n"), "line 4: found \"\", expected a row of figures (EOF while parsing"),
        ] {
            let error = parse(&text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}\n{expected}");
        }
    }
}
