//! Kinds of words in PDN text: numbers, moves and results, joined where blanks split them.

use std::borrow::Cow;
use std::iter::Peekable;

use super::result;
use super::tokens::{Token, Tokens};

/// A part of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// A move number, dots or annotation marks: nothing to play.
    Aside(&'a str),
    /// Presumed move, without its number and marks.
    Move(Cow<'a, str>),
    /// A result, which ends a game.
    Result(Cow<'a, str>),
    /// Any token other than a word.
    Sign(Token<'a>),
}

impl Part<'_> {
    /// Text that represents the part in messages.
    pub(super) fn text(&self) -> &str {
        match self {
            Part::Aside(text) => text,
            Part::Move(text) | Part::Result(text) => text,
            Part::Sign(token) => token.text(),
        }
    }
}

/// Reads parts, each with its line.
#[derive(Clone, Debug)]
pub(super) struct Parts<'a> {
    tokens: Peekable<Tokens<'a>>,
}

/// Signs between the squares of a move.
const BETWEEN: [char; 4] = ['-', 'x', 'X', ':'];

impl<'a> Parts<'a> {
    pub(super) fn new(text: &'a str) -> Parts<'a> {
        Parts { tokens: Tokens::new(text).peekable() }
    }

    /// Returns the part that begins with the word just read, and consumes the following words that belong to it.
    fn read(&mut self, word: &'a str) -> Part<'a> {
        let unnumbered = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let numbered = unnumbered.starts_with('.');
        let rest = if numbered { unnumbered.trim_start_matches('.') } else { word };
        if rest.is_empty() {
            return Part::Aside(word);
        }
        let mut text = Cow::Borrowed(rest);
        while !result::is_result(&text)
            && let Some(gap) = self.gap_after(&text)
            && let Some((_, Token::Word(next))) = self.tokens.next()
        {
            let text = text.to_mut();
            text.push_str(gap);
            text.push_str(next);
        }
        if result::is_result(&text) {
            return Part::Result(text);
        }
        if is_number(&text) && !numbered {
            return Part::Aside(word);
        }
        match text.trim_end_matches(['!', '?', '*']).len() {
            0 => Part::Aside(word),
            length => {
                match &mut text {
                    Cow::Borrowed(text) => *text = &text[..length],
                    Cow::Owned(text) => text.truncate(length),
                }
                Part::Move(text)
            }
        }
    }

    /// Returns the separator between `text` and the next word if that word continues `text`, otherwise `None`.
    fn gap_after(&mut self, text: &str) -> Option<&'static str> {
        let &(_, Token::Word(next)) = self.tokens.peek()? else { return None };
        if result::is_result(next) {
            None
        } else if text.ends_with(BETWEEN) || next.starts_with(BETWEEN) {
            Some("")
        } else {
            // Squares without a sign between them cannot be distinguished from numbers, so they are not a move.
            (is_number(next) && is_number(text)).then_some(" ")
        }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = (usize, Part<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (line, token) = self.tokens.next()?;
        Some((line, if let Token::Word(word) = token { self.read(word) } else { Part::Sign(token) }))
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats moves verbatim, results in angle brackets, and all other parts as their first character.
    fn read_parts(text: &str) -> String {
        let parts = Parts::new(text).map(|(_, part)| match part {
            Part::Move(text) => text.into_owned(),
            Part::Result(text) => format!("<{text}>"),
            other => other.text().chars().take(1).collect(),
        });
        parts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_split_by_blanks_are_put_together() {
        for text in ["15x22", "15 x22", "15x 22", "15 x 22", "15\nx\n{then}\n22", "15\tx22!", "15 x 22 ?"] {
            assert_eq!(read_parts(text).trim_end_matches(" ?"), "15x22", "{text:?}");
        }
        assert_eq!(read_parts("14 x 23 x 32 22 - 18"), "14x23x32 22-18");
        assert_eq!(read_parts("c3 - b4 f6: d4"), "c3-b4 f6:d4");
        assert_eq!(read_parts("15x (16-20) 22 11-"), "15x ( 16-20 ) 2 11-");
    }

    #[test]
    fn numbers_and_marks_are_no_moves() {
        for (text, expected) in [
            ("1. 11-15 23-19 2. 8-11", "1 11-15 23-19 2 8-11"),
            ("1.11-15 1...23-19 2... 8-11", "11-15 23-19 2 8-11"),
            ("1 11-15 1 . ... 23-19", "1 11-15 1 . . 23-19"),
            ("11-15! 23-19?! 8-11!? !! 4-8*", "11-15 23-19 8-11 ! 4-8"),
        ] {
            assert_eq!(read_parts(text), expected, "{text}");
        }
    }

    #[test]
    fn squares_without_a_sign_between_them_are_not_read_as_numbers() {
        assert_eq!(read_parts("11 15 23 19"), "11 15 23 19");
        assert_eq!(Parts::new("11 15 23 19").count(), 2);
        assert_eq!(read_parts("12 1.11 -15 2.15 22-18"), "1 11-15 15 22-18");
    }

    #[test]
    fn results_are_distinguished_from_moves_and_marks() {
        for (text, expected) in [
            ("1-0 0-1 1/2-1/2 *", "<1-0> <0-1> <1/2-1/2> <*>"),
            ("1-5 2-7 1 - 0 10-15 0 -1", "1-5 2-7 <1-0> 10-15 <0-1>"),
            ("15x 1-0 15 1-0 1. 1-0 1.1-0", "15x <1-0> 1 <1-0> 1 <1-0> <1-0>"),
            ("11-15* 23-19 * 1-0 -5", "11-15 23-19 <*> <1-0> -5"),
        ] {
            assert_eq!(read_parts(text), expected, "{text}");
        }
    }

    #[test]
    fn parts_have_the_line_of_their_first_word() {
        let lines: Vec<usize> = Parts::new("\n15\nx\n22\n23-19").map(|(line, _)| line).collect();
        assert_eq!(lines, [2, 5]);
    }
}
