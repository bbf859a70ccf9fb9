//! Parts of a game: the words of the text joined to moves, numbers, remarks and results.

use std::borrow::Cow;
use std::iter::Peekable;

use super::fields::is_result;
use super::tokens::{MoveWord, Token, Tokens};
use crate::checkers::rules::{BETWEEN, squares};
use crate::game::plain;

#[derive(Clone, Debug)]
pub(super) struct Parts<'a> {
    tokens: Peekable<Tokens<'a>>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(text: &'a str) -> Parts<'a> {
        Parts { tokens: Tokens::new(text).peekable() }
    }

    /// Returns the part that begins with the word just read, and consumes the following words that belong to it.
    fn read(&mut self, word: &'a str) -> Token<'a> {
        let typed = plain(word);
        let mut is_typeset = matches!(typed, Cow::Owned(_));
        let unnumbered = typed.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let numbered = unnumbered.starts_with('.');
        let rest = if numbered { unnumbered.trim_start_matches('.') } else { &*typed };
        if !rest.contains(|letter: char| letter.is_alphanumeric() || BETWEEN.contains(&letter) || letter == '*') {
            return Token::Aside(word);
        }
        if is_remark(rest) {
            return Token::Remark(word);
        }
        let start = typed.len() - rest.len();
        let mut text = match typed {
            Cow::Borrowed(typed) => Cow::Borrowed(&typed[start..]),
            Cow::Owned(typed) => Cow::Owned(typed[start..].to_owned()),
        };
        while !is_result(&text)
            && let Some(gap) = self.gap_after(&text)
            && let Some((_, Token::Word(next))) = self.tokens.next()
        {
            let next = plain(next);
            is_typeset |= matches!(next, Cow::Owned(_));
            let text = text.to_mut();
            text.push_str(gap);
            text.push_str(&next);
        }
        if is_result(&text) {
            return Token::Result(text);
        }
        if is_number(&text) && !numbered {
            return Token::Aside(word);
        }
        let length = match squares(&text) {
            Some((found, rest)) if found.len() > 1 && is_remark_after(rest) => text.len() - rest.len(),
            _ => text.trim_end_matches(['!', '?', '*']).len(),
        };
        if length == 0 {
            return Token::Aside(word);
        }
        let after = &text[length..];
        let remark = if after.contains(char::is_alphanumeric) { after.to_owned() } else { String::new() };
        match &mut text {
            Cow::Borrowed(text) => *text = &text[..length],
            Cow::Owned(text) => text.truncate(length),
        }
        Token::Move(MoveWord { text, remark, is_typeset })
    }

    /// Returns the separator between `text` and the next word if that word continues `text`, otherwise `None`.
    fn gap_after(&mut self, text: &str) -> Option<&'static str> {
        let &(_, Token::Word(next)) = self.tokens.peek()? else { return None };
        let next = plain(next);
        if is_result(&next) {
            None
        } else if text.ends_with(BETWEEN) || next.starts_with(BETWEEN) {
            Some("")
        } else {
            // Squares without a sign between them cannot be distinguished from numbers, so they are not a move.
            (is_number(&next) && is_number(text)).then_some(" ")
        }
    }
}

/// Returns `true` for a word that begins like none of a move's squares and signs.
fn is_remark(word: &str) -> bool {
    let mut letters = word.chars().skip_while(|letter| !letter.is_alphanumeric() && !BETWEEN.contains(letter));
    let (first, second) = (letters.next(), letters.next());
    let is_sign =
        first.is_some_and(|first| BETWEEN.contains(&first)) && second.is_none_or(|next| !next.is_alphabetic());
    first.is_some_and(char::is_alphabetic) && !is_sign && !second.is_some_and(|next| next.is_ascii_digit())
}

/// Returns `true` for what may follow the squares of a move: marks and words, but no more numbers.
fn is_remark_after(text: &str) -> bool {
    text.chars().find(|letter| letter.is_alphanumeric()).is_none_or(char::is_alphabetic)
}

impl<'a> Iterator for Parts<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (line, token) = self.tokens.next()?;
        Some((line, if let Token::Word(word) = token { self.read(word) } else { token }))
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
            Token::Move(mv) if mv.remark.is_empty() => mv.text.into_owned(),
            Token::Move(mv) => format!("{}/{}", mv.text, mv.remark),
            Token::Result(text) => format!("<{text}>"),
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
    fn remarks_are_no_moves() {
        for (text, expected) in [
            ("8-11Redlostontime. 1-0", "8-11/Redlostontime. <1-0>"),
            ("8-11, 23-19. 4-8+", "8-11 23-19 4-8"),
            ("8-11 Red lost, on time; really", "8-11 R l o t"),
            ("1.Red 8-11 (x) max 23-19xx", "1 8-11 ( x ) m 23-19/xx"),
            ("d6e5good c3b4", "d6e5/good c3b4"),
            ("8-11 - a move", "8-11/-a m"),
            ("8-11-123 K29-K32", "8-11-123 K29-K32"),
        ] {
            assert_eq!(read_parts(text), expected, "{text}");
        }
    }

    #[test]
    fn typographic_signs_are_read_as_typed_ones() {
        let text = "1\u{2026} 11\u{2013}15 22 \u{2212} 18 15\u{d7}22 \u{bd}\u{2013}\u{bd} 1 \u{2013} 0";
        assert_eq!(read_parts(text), "1 11-15 22-18 15x22 <\u{bd}-\u{bd}> <1-0>");
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
