//! One game, read part by part.

use std::collections::HashMap;
use std::mem::{replace, take};

use super::Record;
use super::fields::{check_name, is_date, own_tag, read_result};
use super::line::Line;
use super::tokens::{MoveWord, Token};
use super::variant::{self, Named};
use crate::checkers::rules::{not_a_move, squares};
use crate::checkers::{Position, Square};
use crate::game::{Game, LineError, LineNote, ParseError, plain};

/// A game as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadGame {
    /// The game, up to its first error; without moves if it is another game than American checkers.
    pub record: Record,
    /// Notes on parts that are not of the strict form, in the order of the lines.
    pub notes: Vec<LineNote>,
    /// The first error, if there is one.
    pub error: Option<LineError>,
    /// True if moves name squares by letters: `c3-b4`.
    pub has_letters: bool,
}

/// Kind of the part just read, as far as it matters for the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A number, which a parenthesis may close: `1)`.
    Number,
    /// A word that was skipped.
    Remark,
    Other,
}

pub(super) struct Reader<'a> {
    game: Line,
    /// Places of the tags read so far among `tags`, by name, so that lookups stay fast for any number of tags; none for
    /// tags that the record writes itself.
    names: HashMap<&'a str, Option<usize>>,
    /// Tags that the record merely stores, in the order in which their names first appeared.
    tags: Vec<(&'a str, String)>,
    /// The last `GameType` and `Variant`, each with its line.
    kinds: [Option<(usize, String)>; 2],
    /// True if anything but tags, clocks and words was read.
    in_moves: bool,
    last: Last,
    depth: usize,
    /// Line where the outermost variation begins.
    opened: usize,
    ended: bool,
    /// First error; later tags are not checked, and later moves are only searched for signs of another game.
    first_error: Option<LineError>,
    /// Error about a tag that names another game.
    refusal: Option<LineError>,
    /// The other game that the moves show, if they do.
    other_game: Option<&'static str>,
    /// Number of moves on squares past 32.
    on_larger_board: usize,
    /// Squares of all moves, to find out which game an illegal one belongs to.
    moves: Vec<Vec<Square>>,
    /// True if moves name squares by letters.
    has_letters: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new() -> Reader<'a> {
        Reader {
            game: Line::new(Record::new(Position::start())),
            names: HashMap::new(),
            tags: Vec::new(),
            kinds: [None, None],
            in_moves: false,
            last: Last::Other,
            depth: 0,
            opened: 0,
            ended: false,
            first_error: None,
            refusal: None,
            other_game: None,
            on_larger_board: 0,
            moves: Vec::new(),
            has_letters: false,
        }
    }

    pub(super) fn ends_before(&self, part: &Token<'_>) -> bool {
        match part {
            Token::Tag { name, apart, .. } => {
                self.in_moves || *apart && self.names.contains_key(own_tag(name).unwrap_or(name))
            }
            _ => false,
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    pub(super) fn read(&mut self, line: usize, part: Token<'a>) {
        if let Err(error) = self.read_part(line, part) {
            self.first_error.get_or_insert(LineError { line, error });
        }
    }

    fn read_part(&mut self, line: usize, part: Token<'a>) -> Result<(), ParseError> {
        let is_faulty_tag = matches!(part, Token::Stray(text) if !self.in_moves && text.starts_with('['));
        self.in_moves |= match part {
            Token::Tag { .. } | Token::Clock(_) | Token::Remark(_) => false,
            // Stray signs between tags do not begin the moves.
            Token::Stray(_) => self.names.is_empty() && !is_faulty_tag,
            _ => true,
        };
        let last = replace(&mut self.last, Last::Other);
        match part {
            Token::Tag { name, value, .. } => {
                self.names.entry(own_tag(name).unwrap_or(name)).or_insert(None);
                self.read_tag(line, name, value)?;
            }
            Token::Unclosed(text) => return Err(ParseError::new(text, "`}` at the end of the comment")),
            Token::Stray(text) if is_faulty_tag => {
                self.note(line, format!("{} is no tag like [Event \"Open\"] and was skipped", quoted(text)));
            }
            Token::Stray(text) => return Err(ParseError::new(text, stray(text))),
            Token::Open => {
                if self.depth == 0 {
                    self.opened = line;
                }
                self.depth += 1;
            }
            Token::Close if last == Last::Number && self.depth == 0 => {}
            Token::Close => {
                self.depth = self.depth.checked_sub(1).ok_or_else(|| ParseError::new(")", "`(` before `)`"))?;
            }
            _ if self.depth > 0 => {}
            Token::Clock(left) => self.game.set_clock(left),
            Token::Move(mv) => self.read_move(line, &mv)?,
            Token::Result(code) => {
                // A `*` only marks the end of a game (in PDN 3.0, of every game), so it does not override the tag.
                if code != "*" {
                    self.game.record.set_result(read_result(&code)?);
                }
                self.ended = true;
            }
            Token::Aside(_) => self.last = Last::Number,
            Token::Remark(word) => {
                // Words alone are no game.
                if self.names.is_empty() && self.moves.is_empty() {
                    self.in_moves = true;
                    return Err(not_a_move(word));
                }
                if last != Last::Remark {
                    self.note(line, format!("{} is no move, and was skipped with the words after it", quoted(word)));
                }
                self.last = Last::Remark;
            }
            Token::Word(_) => {}
        }
        Ok(())
    }

    /// Adds a note, as long as the game is read.
    fn note(&mut self, line: usize, text: String) {
        if self.first_error.is_none() {
            self.game.notes.push(LineNote { line, text });
        }
    }

    fn read_tag(&mut self, line: usize, name: &'a str, value: Option<String>) -> Result<(), ParseError> {
        if self.first_error.is_some() {
            return Ok(());
        }
        let Some(value) = value else {
            let error = ParseError::new(name, "a tag like [Event \"Open\"], with its value on one line");
            // Without its position, a game cannot be read.
            return if own_tag(name) == Some("FEN") { Err(error) } else { self.skipped(line, &error) };
        };
        let trimmed = value.trim();
        let is_known = !["", "?"].contains(&trimmed);
        if name.eq_ignore_ascii_case("Variant") {
            self.kinds[1] = is_known.then(|| (line, trimmed.to_owned()));
        }
        match own_tag(name) {
            None => {
                if let Err(error) = check_name(name) {
                    return self.skipped(line, &error);
                }
                if name == "Date" && is_known && !is_date(trimmed) {
                    self.note(line, format!("the date {} is not of the form 1998.03.07", quoted(trimmed)));
                }
                let place = self.names.entry(name).or_default().get_or_insert(self.tags.len());
                match self.tags.get_mut(*place) {
                    Some(tag) => tag.1 = value,
                    None => self.tags.push((name, value)),
                }
            }
            // Placeholders for unknown values.
            Some(_) if !is_known => {}
            Some("Result") => {
                let code: String = plain(trimmed).split_whitespace().collect();
                match read_result(&code) {
                    Ok(result) => self.game.record.set_result(result),
                    Err(error) => {
                        let expected = error.expected;
                        self.note(line, format!("the result {} is unknown, expected {expected}", quoted(trimmed)));
                    }
                }
            }
            Some("FEN") => {
                let start: Position = trimmed.parse()?;
                if trimmed.contains(|letter: char| !"BWK0123456789:,-. HF+".contains(letter)) {
                    self.note(line, format!("the position {} was read as {start}", quoted(trimmed)));
                }
                for oddity in start.oddities(|square| square.number().to_string()) {
                    self.note(line, oddity);
                }
                self.game.record.set_start(start);
            }
            Some("GameType") => self.kinds[0] = Some((line, trimmed.to_owned())),
            Some(_) => {}
        }
        Ok(())
    }

    /// Notes a tag that was skipped.
    fn skipped(&mut self, line: usize, error: &ParseError) -> Result<(), ParseError> {
        self.note(line, format!("{error}; the tag was skipped"));
        Ok(())
    }

    fn read_move(&mut self, line: usize, mv: &MoveWord<'_>) -> Result<(), ParseError> {
        if self.moves.is_empty() {
            self.check_kind();
        }
        let text = &*mv.text;
        self.on_larger_board += usize::from(variant::is_on_larger_board(text));
        let squares = squares(text).filter(|(squares, rest)| squares.len() > 1 && rest.is_empty());
        let Some((squares, _)) = squares else { return Err(not_a_move(text)) };
        self.moves.push(squares.clone());
        self.has_letters |= text.contains(|letter: char| matches!(letter.to_ascii_lowercase(), 'a'..='h'));
        if self.first_error.is_some() || self.refusal.is_some() {
            return Ok(());
        }
        let position = self.game.position();
        if let Err(error) = self.game.play(line, text, &squares) {
            self.other_game = self.other_game.or_else(|| variant::expected_instead(&position, &squares));
            return Err(error);
        }
        if !mv.remark.is_empty() {
            self.note(line, format!("{} was read as {text} and a remark", quoted(&format!("{text}{}", mv.remark))));
        }
        if mv.is_typeset {
            self.game.note_once(line, "typographic signs were read as - and x");
        }
        Ok(())
    }

    /// Checks that the tags name our game, unless they disagree: then the name decides, and the moves.
    fn check_kind(&mut self) {
        let expected = "game type 21, American checkers";
        let [number, name] = take(&mut self.kinds);
        let named = name.as_ref().map_or(Named::Unknown, |(_, name)| variant::of_name(name));
        let numbered = number.as_ref().map(|(line, number)| (*line, number, variant::of_game_type(number)));
        let error = match (numbered, named, &name) {
            (Some((line, number, Named::Other(game))), Named::Ours, Some((_, name))) => {
                self.note(
                    line,
                    format!(
                        "game type {} is {game}, but the variant is {}: read as that",
                        quoted(number),
                        quoted(name)
                    ),
                );
                None
            }
            (Some((line, number, Named::Other(game))), Named::Unknown, _) => {
                Some(LineError::new(line, &format!("{number} ({game})"), expected))
            }
            (_, Named::Other(game), Some((line, name))) => {
                let found = if name.eq_ignore_ascii_case(game) { name.clone() } else { format!("{name} ({game})") };
                Some(LineError::new(*line, &found, "American checkers"))
            }
            (Some((line, number, Named::Unknown)), ..) => {
                self.note(line, format!("the game type {} is unknown, expected {expected}", quoted(number)));
                None
            }
            _ => None,
        };
        self.refusal = error;
    }

    pub(super) fn finish(mut self) -> Option<ReadGame> {
        if self.moves.is_empty() {
            self.check_kind();
        }
        let unclosed = || LineError::new(self.opened, "(", "`)` at the end of the variation");
        let is_refused = self.refusal.is_some();
        let mut error = self.refusal.take().or(self.first_error.take()).or_else(|| (self.depth > 0).then(unclosed));
        if error.is_none() && self.names.is_empty() && self.moves.is_empty() && !self.ended {
            return None;
        }
        let (mut record, notes) = self.game.finish();
        if let Some(error) = error.as_mut().filter(|_| !is_refused) {
            let start = record.start();
            let read = record.moves().len();
            // A single square past 32 in a game of ours is a misprint.
            let is_larger = self.on_larger_board > usize::from(read > 0);
            let larger = is_larger.then_some(variant::SMALLER_BOARD);
            let mirrored = || variant::expected_instead_of_mirrored(&start, &self.moves, read);
            if let Some(expected) = larger.or(self.other_game).or_else(mirrored) {
                error.error.expected = expected.to_owned();
                // Nothing of another game is read as ours.
                record.set_start(start);
            }
        }
        record.set_tags(self.tags);
        Some(ReadGame { record, notes, error, has_letters: self.has_letters })
    }
}

/// Text in quotes, with its first 60 characters, for notes.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    let shown: String = text.chars().take(SHOWN).collect();
    let more = if shown.len() < text.len() { "..." } else { "" };
    format!("{shown:?}{more}")
}

/// Returns what is expected in place of `text`, which begins with a stray sign.
fn stray(text: &str) -> &'static str {
    match text.bytes().next() {
        Some(b'[') => "a tag like [Event \"Open\"]",
        Some(b']') => "`[` before `]`",
        _ => "`{` before `}`",
    }
}
