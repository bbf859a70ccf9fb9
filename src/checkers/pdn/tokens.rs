//! The words of PDN text, each with its line; blanks, comments without a clock and annotation glyphs left out.

use std::time::Duration;

use super::clock;
use crate::game::LineError;

/// One thing that PDN text is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// `(`, the start of a variation.
    Open,
    /// `)`, its end.
    Close,
    /// What a comment says that the mover had left.
    Clock(Duration),
    /// Anything else up to a blank or a sign with a meaning: a move, a move number, a result.
    Word(&'a str),
}

impl<'a> Token<'a> {
    /// What shows it in a message.
    pub(super) fn text(&self) -> &'a str {
        match *self {
            Token::Tag(name, _) => name,
            Token::Open => "(",
            Token::Close => ")",
            Token::Clock(_) => "{",
            Token::Word(word) => word,
        }
    }
}

/// Reads tokens, each with its line; ends after an error.
pub(super) struct Tokens<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        // Some editors put a byte order mark before the text.
        Tokens { rest: text.trim_start_matches('\u{feff}'), line: 1 }
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        taken
    }

    /// Takes what lies before the first character that `ends`, or all.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(ends).unwrap_or(self.rest.len()))
    }

    fn fail(&mut self, expected: &str) -> LineError {
        let found = self.rest.lines().next().unwrap_or_default();
        self.rest = "";
        LineError::new(self.line, found, expected)
    }

    /// The next token; `None` for what is left out.
    fn read(&mut self, first: char) -> Result<Option<Token<'a>>, LineError> {
        Ok(Some(match first {
            '(' | ')' => {
                self.take(1);
                if first == '(' { Token::Open } else { Token::Close }
            }
            '[' => {
                let line = self.rest.lines().next().unwrap_or_default();
                let Some((length, name, value)) = tag(line) else {
                    return Err(self.fail("a tag like [Event \"Open\"] on one line"));
                };
                self.take(length);
                Token::Tag(name, value)
            }
            '{' => {
                let Some(end) = self.rest.find('}') else { return Err(self.fail("a } that ends the comment")) };
                return Ok(clock::read(self.take(end + 1)).map(Token::Clock));
            }
            ';' => {
                self.take_until(|letter| letter == '\n');
                return Ok(None);
            }
            '$' => {
                self.take(1);
                self.take_until(|letter| !letter.is_ascii_digit());
                return Ok(None);
            }
            '}' | ']' => return Err(self.fail(&format!("no {first} without its beginning"))),
            _ => Token::Word(self.take_until(|letter| letter.is_whitespace() || "()[]{};$".contains(letter))),
        }))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<(usize, Token<'a>), LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.take_until(|letter| !letter.is_whitespace());
            let (line, first) = (self.line, self.rest.chars().next()?);
            if let Some(item) = self.read(first).transpose() {
                return Some(item.map(|token| (line, token)));
            }
        }
    }
}

/// The tag at the start of `line`: its length, name and value.
fn tag(line: &str) -> Option<(usize, &str, String)> {
    let (name, rest) = line.strip_prefix('[')?.split_once('"')?;
    let mut value = String::new();
    let mut letters = rest.chars();
    loop {
        match letters.next()? {
            '"' => break,
            // Other backslashes stand for themselves: people put paths into tags.
            '\\' if letters.as_str().starts_with(['"', '\\']) => value.extend(letters.next()),
            letter => value.push(letter),
        }
    }
    let after = letters.as_str().trim_start().strip_prefix(']')?;
    Some((line.len() - after.len(), name.trim(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(usize, Token<'_>)>, LineError> {
        Tokens::new(text).collect()
    }

    #[test]
    fn words_are_split_at_signs_and_comments_are_left_out() {
        let text = "\u{feff}1.11-15!{a\n(comment}23-19$3(9-14);rest } of line\r\n*";
        let words =
            [(1, "1.11-15!"), (2, "23-19"), (2, "("), (2, "9-14"), (2, ")"), (3, "*")].map(|(line, word)| match word {
                "(" => (line, Token::Open),
                ")" => (line, Token::Close),
                word => (line, Token::Word(word)),
            });
        assert_eq!(read(text).unwrap(), words);
    }

    #[test]
    fn tags_keep_quotes_and_backslashes() {
        let tokens = read(r#"[Event "a \"b\" c\\d e\f"] [ Site  "x]" ]"#).unwrap();
        let tag = |name, value: &str| (1, Token::Tag(name, value.to_string()));
        assert_eq!(tokens, [tag("Event", r#"a "b" c\d e\f"#), tag("Site", "x]")]);
    }

    #[test]
    fn what_never_ends_is_an_error_on_its_line() {
        for (text, line) in [("\n\n{open\n", 3), ("\n[Event \"x\n\"]", 2), ("[Event \"x\"", 1), ("a\n}", 2), ("]", 1)] {
            assert_eq!(read(text).unwrap_err().line, line, "{text}");
        }
    }
}
