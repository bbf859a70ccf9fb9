//! The main line of an SGF file, for any game.

use crate::game::LineError;

/// A property, such as `AB[b1][c1]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    pub(super) line: usize,
    /// The capital letters of its name. Older files put meaningless lower-case letters between them.
    pub(super) name: String,
    /// At least one value, unescaped.
    pub(super) values: Vec<String>,
}

pub(super) type Node = Vec<Property>;

/// Returns the nodes of the main line of the first game tree in `text`: all nodes before its first `)`.
pub(super) fn main_line(text: &str) -> Result<Vec<Node>, LineError> {
    let missing = || Err(LineError::new(1, text, "a game, which starts with `(;`"));
    main_lines(text).next().unwrap_or_else(missing)
}

/// Returns the nodes of the main line of each game tree in `text`. A malformed tree ends them, since nobody can tell
/// where the next one begins.
pub(super) fn main_lines(text: &str) -> impl Iterator<Item = Result<Vec<Node>, LineError>> {
    let mut scanner = Some(Scanner { rest: text, line: 1 });
    std::iter::from_fn(move || {
        let here = scanner.as_mut()?;
        let is_tree = |rest: &str| rest[1..].trim_start().starts_with(';');
        let mut starts = here.rest.match_indices('(');
        let (start, _) = starts.find(|&(place, _)| is_tree(&here.rest[place..]))?;
        here.take(start);
        let nodes = tree(here);
        if nodes.is_err() {
            scanner = None;
        }
        Some(nodes)
    })
}

/// Reads the game tree at the start of the text, and returns the nodes of its main line.
fn tree(scanner: &mut Scanner<'_>) -> Result<Vec<Node>, LineError> {
    let mut nodes = Vec::new();
    let (mut depth, mut is_main) = (0usize, true);
    loop {
        scanner.skip_blanks();
        match scanner.rest.chars().next() {
            None => return Err(scanner.error("`)` at the end of the game")),
            Some('(') => {
                depth += 1;
                scanner.take(1);
            }
            Some(')') => {
                depth -= 1;
                is_main = false;
                scanner.take(1);
                if depth == 0 {
                    return Ok(nodes);
                }
            }
            Some(';') => {
                scanner.take(1);
                if is_main {
                    nodes.push(Node::new());
                }
            }
            Some(_) => {
                let property = scanner.property()?;
                if let Some(node) = nodes.last_mut().filter(|_| is_main) {
                    node.push(property);
                }
            }
        }
    }
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Scanner<'a> {
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        taken
    }

    /// Takes the text up to the first character that satisfies `ends`, or all of it.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(ends).unwrap_or(self.rest.len()))
    }

    fn skip_blanks(&mut self) {
        self.take_until(|letter| !letter.is_whitespace());
    }

    fn error(&self, expected: &str) -> LineError {
        LineError::new(self.line, self.rest.lines().next().unwrap_or_default(), expected)
    }

    fn property(&mut self) -> Result<Property, LineError> {
        let here = self.error("a property like B[b1-b3]");
        let line = self.line;
        let name: String =
            self.take_until(|letter| !letter.is_ascii_alphabetic()).chars().filter(char::is_ascii_uppercase).collect();
        let mut values = Vec::new();
        self.skip_blanks();
        while self.rest.starts_with('[') {
            values.push(self.value()?);
            self.skip_blanks();
        }
        if name.is_empty() || values.is_empty() { Err(here) } else { Ok(Property { line, name, values }) }
    }

    /// Reads the text between `[` and `]`. A backslash escapes the next character; a backslash and the line break after
    /// it are both removed.
    fn value(&mut self) -> Result<String, LineError> {
        let unclosed = self.error("`]` at the end of the value");
        self.take(1);
        let mut value = String::new();
        loop {
            value += self.take_until(|letter| letter == ']' || letter == '\\');
            if self.take(self.rest.len().min(1)) == "]" {
                return Ok(value);
            }
            let Some(escaped) = self.rest.chars().next() else { return Err(unclosed) };
            let taken = self.take(if self.rest.starts_with("\r\n") { 2 } else { escaped.len_utf8() });
            value += taken.trim_start_matches(['\r', '\n']);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Vec<(String, Vec<String>)>> {
        let nodes = main_line(text).unwrap();
        nodes.into_iter().map(|node| node.into_iter().map(|one| (one.name, one.values)).collect()).collect()
    }

    fn one(name: &str, values: &[&str]) -> (String, Vec<String>) {
        (name.to_string(), values.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn the_main_line_follows_first_variations() {
        let text = "(;A[1](;B[2];C[3](;D[4])(;E[5]\n(;F[6])))(;G[7]))(;H[8])";
        let expected = ["A1", "B2", "C3", "D4"].map(|node| vec![one(&node[..1], &[&node[1..]])]);
        assert_eq!(read(text), expected);
    }

    #[test]
    fn text_around_the_game_and_blanks_within_are_ignored() {
        let text = "From (me): a game\n\n( ; AB [a1]\r\n[b2] PlaYer [x] ; )  rest [";
        assert_eq!(read(text), [vec![one("AB", &["a1", "b2"]), one("PY", &["x"])], vec![]]);
    }

    #[test]
    fn backslashes_escape_and_join_lines() {
        let text = "(;C[a\\]b\\\\c\\:d(;)\\\ne\\\r\nf\\g]N[x\\\u{e9}])";
        assert_eq!(read(text), [vec![one("C", &["a]b\\c:d(;)efg"]), one("N", &["x\u{e9}"])]]);
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        for (text, line, wanted) in [
            ("", 1, "a game, which starts with `(;`"),
            ("()", 1, "a game"),
            ("(;A[1]\n;B[2", 2, "found \"[2\", expected `]` at the end of the value"),
            ("(;A[1\\]\n)\\", 1, "`]` at the end of the value"),
            ("(;A[1]\n(;B[2])", 2, "found \"\", expected `)` at the end of the game"),
            ("(;A[1]\n;B;", 2, "found \"B;\", expected a property"),
            ("(;A[1]\n\n[2]\n*)", 4, "found \"*)\", expected a property"),
            ("(;\n[2])", 2, "expected a property"),
            ("(;ab[2])", 1, "expected a property"),
            ("(;A[1](;B[2])\nC)", 2, "found \"C)\", expected a property"),
        ] {
            let error = main_line(text).unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.to_string().contains(wanted), "{error}");
        }
    }

    #[test]
    fn deep_nesting_does_not_overflow_the_stack() {
        let deep = 200_000;
        let text = format!("{}A[1]{}", "(;".repeat(deep), ")".repeat(deep));
        assert_eq!(read(&text).len(), deep);
        let error = main_line(&"(;".repeat(deep)).unwrap_err();
        assert_eq!(error.error.expected, "`)` at the end of the game");
    }
}
