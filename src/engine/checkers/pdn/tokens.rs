//! Tokens of PDN text: words and signs, each with its line. Blanks, comments without a clock and annotation glyphs are
//! skipped. Faulty text becomes a token as well, and reading continues after it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

use super::fields::{is_blank, read_clock, tag_head, tag_value};

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
    /// Any other text up to a blank or a special character, of which `Parts` make one of the next four.
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
