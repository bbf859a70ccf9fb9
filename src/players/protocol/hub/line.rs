//! Parts of a line: a word, and arguments with names and values.

use kingline::game::ParseError;

/// A line, split into its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) word: String,
    /// Names and values of the arguments, in their order. An argument without `=` has an empty value.
    arguments: Vec<(String, String)>,
}

impl Line {
    /// Splits a line.
    ///
    /// # Errors
    /// A quotation does not end, the line is empty, or its first word has a value.
    pub(super) fn split(text: &str) -> Result<Line, ParseError> {
        let wrong = |expected: &str| ParseError::new(text, expected);
        let mut parts = parts(text).ok_or_else(|| wrong("a second quotation mark"))?.into_iter();
        match parts.next() {
            Some((word, None)) => {
                let arguments = parts.map(|(name, value)| (name, value.unwrap_or_default())).collect();
                Ok(Line { word, arguments })
            }
            _ => Err(wrong("a command, like go think")),
        }
    }

    /// Value of the argument with this name.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// Names of all arguments.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().map(|(name, _)| name.as_str())
    }
}

/// Names, each with the value after its `=`; `None` if a quotation does not end.
fn parts(text: &str) -> Option<Vec<(String, Option<String>)>> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == '=').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let (value, after) = match after.strip_prefix('=') {
            None => (None, after),
            Some(after) => {
                let (value, after) = value(after)?;
                (Some(value.to_owned()), after)
            }
        };
        parts.push((name.to_owned(), value));
        rest = after.trim_start();
    }
    Some(parts)
}

/// The value at the start of a text, without quotation marks, and the text after it.
fn value(text: &str) -> Option<(&str, &str)> {
    match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"'),
        None => Some(text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))),
    }
}

/// A value as it stands in a line: in quotation marks if it needs them. Quotation marks in it become apostrophes, and line
/// ends blanks, since the protocol has no way to write them.
pub(super) fn quoted(value: &str) -> String {
    let plain = value.replace('"', "'").replace(char::is_control, " ");
    if plain.is_empty() || plain.contains([' ', '=']) { format!("\"{plain}\"") } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_at_blanks_outside_quotations() {
        let line = Line::split("  pos  pos=Wbw moves=\"12-16 24-20\" x= y").unwrap();
        assert_eq!(line.word, "pos");
        assert_eq!(line.names().collect::<Vec<_>>(), ["pos", "moves", "x", "y"]);
        let values = ["pos", "moves", "x", "y", "z"].map(|name| line.value(name));
        assert_eq!(values, [Some("Wbw"), Some("12-16 24-20"), Some(""), Some(""), None]);
    }

    #[test]
    fn damaged_lines_are_refused() {
        for (line, expected) in
            [("", "a command"), ("pos=1", "a command"), ("pos moves=\"12-16", "a second quotation mark")]
        {
            let error = Line::split(line).unwrap_err().to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn values_survive_a_line() {
        for value in ["", "a", "12-16 24-20", "a=b"] {
            let line = Line::split(&format!("word name={}", quoted(value))).unwrap();
            assert_eq!(line.value("name"), Some(value));
        }
        assert_eq!(quoted("a \"b\"\nc"), "\"a 'b' c\"");
    }
}
