//! Tokens of PDN text: words and signs, each with its line. Blanks, comments without a clock and annotation glyphs are
//! skipped. Faulty text becomes a token as well, and reading continues after it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::iter::Peekable;
use std::time::Duration;

use super::fields::{is_blank, is_result, read_clock, tag_head, tag_value};
use crate::checkers::rules::{BETWEEN, squares};
use crate::game::plain;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`.
    Tag {
        name: &'a str,
        /// Value; `None` if it is unterminated, or if other text precedes the closing bracket.
        value: Option<String>,
        /// True if an empty line precedes it.
        apart: bool,
    },
    /// `(`, the start of a variation.
    Open,
    /// `)`, the end of a variation.
    Close,
    /// The mover's remaining time, from a comment.
    Clock(Duration),
    /// Any other text up to a blank or a special character, of which [`Parts`] make one of the next four.
    Word(&'a str),
    /// A move number, dots or annotation marks: nothing to play.
    Aside(&'a str),
    /// A word that is no move: a remark outside of braces.
    Remark(&'a str),
    Move(MoveWord<'a>),
    /// A result, which ends a game.
    Result(Cow<'a, str>),
    Unclosed(&'a str),
    /// A misplaced `[`, `]` or `}`, and the text after it.
    Stray(&'a str),
}

/// Presumed move, without its number and marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MoveWord<'a> {
    pub(super) text: Cow<'a, str>,
    /// Words that follow without a blank; usually empty.
    pub(super) remark: String,
    /// True if typographic signs were replaced.
    pub(super) is_typeset: bool,
}

impl Token<'_> {
    /// Text that represents the token in messages.
    pub(super) fn text(&self) -> &str {
        match self {
            Token::Tag { name, .. } => name,
            Token::Open => "(",
            Token::Close => ")",
            Token::Clock(_) => "{",
            Token::Word(text) | Token::Aside(text) | Token::Remark(text) => text,
            Token::Unclosed(text) | Token::Stray(text) => text,
            Token::Move(mv) => &mv.text,
            Token::Result(text) => text,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    braces: Braces<'a>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0, line: 1, braces: Braces::new(text) }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take_to(&mut self, end: usize) -> &'a str {
        let taken = &self.text[self.at..end];
        self.line += line_ends(taken);
        self.at = end;
        taken
    }

    /// Takes the text up to the first character that satisfies `ends`, or all of it.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        self.take_to(self.rest().find(ends).map_or(self.text.len(), |length| self.at + length))
    }

    /// First 80 characters of the rest of the line, for messages.
    fn glimpse(&self) -> &'a str {
        const SHOWN: usize = 80;
        let shown = self.rest().char_indices().take(SHOWN).take_while(|&(_, letter)| !is_line_end(letter));
        &self.rest()[..shown.map(|(place, letter)| place + letter.len_utf8()).last().unwrap_or(0)]
    }

    /// Reads the next token, which begins with `first`; `None` for text that is skipped.
    fn read(&mut self, first: char, apart: bool) -> Option<Token<'a>> {
        match first {
            '[' => return Some(self.read_tag(apart)),
            '{' => return self.read_comment(),
            ';' => {
                self.take_until(is_line_end);
            }
            '%' if self.starts_line() => {
                self.take_until(is_line_end);
            }
            '$' => {
                self.at += 1;
                self.take_until(|letter| !letter.is_ascii_digit());
            }
            '(' | ')' => {
                self.at += 1;
                return Some(if first == '(' { Token::Open } else { Token::Close });
            }
            '}' | ']' => {
                let seen = self.glimpse();
                self.at += 1;
                return Some(Token::Stray(seen));
            }
            _ => return Some(Token::Word(self.take_until(|letter| is_blank(letter) || "()[]{};$".contains(letter)))),
        }
        None
    }

    fn starts_line(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches('\u{feff}');
        before.is_empty() || before.ends_with(is_line_end)
    }

    fn read_comment(&mut self) -> Option<Token<'a>> {
        let seen = self.glimpse();
        match self.braces.end_of_comment(self.at) {
            Ok(end) => read_clock(self.take_to(end)).map(Token::Clock),
            Err(tag) => {
                self.take_to(tag);
                Some(Token::Unclosed(seen))
            }
        }
    }

    /// Reads a tag. After a faulty tag, the next token is another tag or begins on the next line.
    fn read_tag(&mut self, apart: bool) -> Token<'a> {
        let seen = self.glimpse();
        let head = tag_head(self.rest());
        if let Some(head) = &head
            && let Some((length, value)) = tag_value(&self.rest()[head.length..], head.quote)
        {
            self.take_to(self.at + head.length + length);
            return Token::Tag { name: head.name, value: Some(value), apart };
        }
        self.take_to(self.at + head.as_ref().map_or(1, |head| head.length));
        let tag = self.braces.next_tag(self.at);
        let line = self.text[self.at..tag].find(is_line_end).map(|length| self.at + length);
        self.take_to(line.unwrap_or(tag));
        head.map_or(Token::Stray(seen), |head| Token::Tag { name: head.name, value: None, apart })
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut apart = false;
        loop {
            let blanks = self.take_until(|letter| !is_blank(letter));
            apart |= line_ends(blanks) > 1;
            let (line, first) = (self.line, self.rest().chars().next()?);
            if let Some(token) = self.read(first, apart) {
                return Some((line, token));
            }
        }
    }
}

fn is_line_end(letter: char) -> bool {
    letter == '\n' || letter == '\r'
}

fn line_ends(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

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

/// Finds tags and the ends of comments.
///
/// In the standard, comments do not nest: a comment ends at the first `}`. In practice, people nest them and forget to
/// close them. A comment that contains another `{` therefore ends at its balancing brace if there is one before the
/// next tag, and otherwise at the first `}` before that tag. If there is none, the comment is unclosed and ends before
/// the tag.
///
/// Queries must be in text order, so that no part is scanned twice.
#[derive(Clone, Debug)]
pub(super) struct Braces<'a> {
    text: &'a str,
    /// Start of the first tag after the last queried place.
    tag: usize,
    /// End of the range that `ends` covers.
    paired: usize,
    /// Offset of the `}` that balances each `{`.
    ends: HashMap<usize, usize>,
}

impl<'a> Braces<'a> {
    pub(super) fn new(text: &'a str) -> Braces<'a> {
        Braces { text, tag: 0, paired: 0, ends: HashMap::new() }
    }

    /// Start of the first tag at or after `from`, which must not be 0; the end of the text if there is none.
    pub(super) fn next_tag(&mut self, from: usize) -> usize {
        if self.tag < from {
            let mut brackets = self.text[from..].match_indices('[').map(|(place, _)| from + place);
            self.tag = brackets.find(|&place| tag_head(&self.text[place..]).is_some()).unwrap_or(self.text.len());
        }
        self.tag
    }

    /// Offset after the comment whose `{` is at `start`.
    ///
    /// # Errors
    /// The comment is unclosed; returns the start of the tag that follows it.
    pub(super) fn end_of_comment(&mut self, start: usize) -> Result<usize, usize> {
        let inside = start + 1;
        let first = self.text[inside..].find(['{', '}']).map(|length| inside + length);
        if let Some(end) = first.filter(|&place| self.text[place..].starts_with('}')) {
            return Ok(end + 1);
        }
        let tag = self.next_tag(inside);
        if first.is_none() {
            return Err(tag);
        }
        if start >= self.paired {
            self.pair(start, tag);
        }
        let balancing = self.ends.get(&start).copied();
        let end = balancing.or_else(|| self.text[inside..tag].find('}').map(|length| inside + length));
        end.map(|end| end + 1).ok_or(tag)
    }

    fn pair(&mut self, start: usize, end: usize) {
        self.ends.clear();
        self.paired = end;
        let mut open = Vec::new();
        for (place, brace) in self.text[start..end].match_indices(['{', '}']) {
            if brace == "{" {
                open.push(start + place);
            } else if let Some(opened) = open.pop() {
                self.ends.insert(opened, start + place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(usize, Token<'_>)> {
        Tokens::new(text).collect()
    }

    #[test]
    fn words_are_split_at_signs_and_comments_are_skipped() {
        let text = "\u{feff}1.11-15!{a\n(comment}23-19$3(9-14);rest } of line\r\n%{ an escape\n a%b *\u{1a}";
        let words = [(1, "1.11-15!"), (2, "23-19"), (2, "("), (2, "9-14"), (2, ")"), (4, "a%b"), (4, "*")];
        let expected = words.map(|(line, word)| match word {
            "(" => (line, Token::Open),
            ")" => (line, Token::Close),
            word => (line, Token::Word(word)),
        });
        assert_eq!(read(text), expected);
    }

    #[test]
    fn tags_stand_on_one_line_or_many() {
        let text = "[Event \"a\"] [ Site  \"x]\" ]\r\n\r\n[\nDate\n\"b\"\n]\n{c}\n\n{d}[Round \"\"]";
        let tag = |line, name, value: &str, apart| (line, Token::Tag { name, value: Some(value.to_owned()), apart });
        let expected = [
            tag(1, "Event", "a", false),
            tag(1, "Site", "x]", false),
            tag(3, "Date", "b", true),
            tag(9, "Round", "", true),
        ];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn faulty_text_is_a_token_on_its_line_and_reading_continues() {
        let open = |name| Token::Tag { name, value: None, apart: false };
        let site = Token::Tag { name: "Site", value: Some("x".to_owned()), apart: false };
        for (text, expected) in [
            ("\n\n{open 11-15\n*", vec![(3, Token::Unclosed("{open 11-15"))]),
            ("{open {\n[Site \"x\"]", vec![(1, Token::Unclosed("{open {")), (2, site.clone())]),
            ("\n[Event \"x\n*", vec![(2, open("Event")), (3, Token::Word("*"))]),
            ("[Event \"a \"b\" c] [Site \"x\"]", vec![(1, open("Event")), (1, site.clone())]),
            ("[White Elo \"5\"]\n[Site \"x\"]", vec![(1, Token::Stray("[White Elo \"5\"]")), (2, site)]),
            ("[\n*", vec![(1, Token::Stray("[")), (2, Token::Word("*"))]),
            ("a\n}]", vec![(1, Token::Word("a")), (2, Token::Stray("}]")), (2, Token::Stray("]"))]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

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

    #[test]
    fn comments_end_where_their_authors_meant() {
        for (text, comment) in [
            ("{} *", "{}"),
            ("{a (b [%c] ;} d} *", "{a (b [%c] ;}"),
            ("{a {b} c} *", "{a {b} c}"),
            ("{a {b {c} {d}} e} f} *", "{a {b {c} {d}} e}"),
            ("{a {b} * {c} *", "{a {b}"),
            ("{a {b} c\n[Event \"x\"] {d} } *", "{a {b}"),
            ("{a [Event \"x\"] b} *", "{a [Event \"x\"] b}"),
        ] {
            assert_eq!(Braces::new(text).end_of_comment(0), Ok(comment.len()), "{text}");
        }
    }

    #[test]
    fn comments_without_an_end_reach_to_the_next_tag() {
        for text in
            ["{", "{a", "{a {b {", "{a\n|[Event \"x\"] *", "{a\n|[Event \"x\"] {b} *", "{a {b [c]\n|[Event \"x\"] } *"]
        {
            let tag = text.find('|').unwrap_or(text.len());
            assert_eq!(Braces::new(&text.replace('|', "")).end_of_comment(0), Err(tag), "{text}");
        }
    }
}
