//! Checkers players that communicate through `input.txt` and `output.txt`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::contestant::Contestant;
use super::violation::{answer_of, is_clean, limits, printed, unspoiled, with_remark};
use crate::league::agent_limits::Bytes;
use crate::league::{Format, League};
use crate::record::{AgentBytes, Evidence, FaultKind, FoundFile, Violation};
use crate::referee::player::{Answer, Ask, Player};
use crate::sandbox::{Cell, Job, KeptFile, Output, Run, UntrustedFileError};
use kingline::checkers::{Move, Position};
use kingline::game::{Color, LineError, ParseError};
use kingline_players::protocol::turn_files::{
    AnswerError, CALIBRATION, INPUT, Mode, OUTPUT, PLAYDATA, TurnRequest, is_answer_line, line_slip, read_answer,
};

/// Maximum length of an answer in bytes: a jump has at most a dozen lines.
const LONGEST_ANSWER: usize = 4096;
/// Number of bytes of standard output shown if the answer is missing. Otherwise standard output is ignored (§2).
const MOST_SHOWN: usize = 1024;
/// Number of bytes of an output.txt and of a playdata.txt that are kept as evidence.
const MOST_EVIDENCE: [usize; 2] = [2 * LONGEST_ANSWER, 32 << 10];

/// Plays checkers with one process per turn, through `input.txt` and `output.txt` (§2).
pub struct TurnFilesPlayer<'a> {
    contestant: &'a Contestant,
    league: &'a League,
    cell: Cell,
    /// True if the working directory is ready for the next turn of the game.
    is_ready: bool,
    reading: Reading,
    evidence: Option<Evidence>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    By(Format),
    /// If the form is wrong, only the squares are read, so that the move itself can still be judged.
    BySquares,
}

impl<'a> TurnFilesPlayer<'a> {
    /// A player for an agent in its own cell.
    pub fn new(contestant: &'a Contestant, league: &'a League, cell: Cell) -> TurnFilesPlayer<'a> {
        let reading = Reading::By(league.format);
        TurnFilesPlayer { contestant, league, cell, is_ready: false, reading, evidence: None }
    }

    /// Sets how answers are read, overriding the league's format.
    pub(crate) fn read_as(&mut self, reading: Reading) {
        self.reading = reading;
    }

    /// The cell with the agent's working directory.
    pub fn cell(&self) -> &Cell {
        &self.cell
    }

    /// Files before and after the agent's last turn; `None` before the first.
    pub fn into_evidence(self) -> Option<Evidence> {
        self.evidence
    }

    /// Plays one turn: writes the files, runs the program, reads and judges the answer.
    pub fn turn(&mut self, mode: Mode, position: Position, left: Duration) -> anyhow::Result<Answer<Move>> {
        if !self.is_ready {
            self.renew()?;
        }
        let request = TurnRequest { mode, left, position, warnings: Vec::new() };
        self.ask(&request.to_string(), &position, left)
    }

    /// Plays one turn in `position` with this input.txt; other files in the directory stay.
    pub fn ask(&mut self, input: &str, position: &Position, left: Duration) -> anyhow::Result<Answer<Move>> {
        let [most_output, most_playdata] = MOST_EVIDENCE;
        let playdata = self.found(PLAYDATA, most_playdata);
        let run = self.run(input, left)?;
        let (output, stderr) = (self.found(OUTPUT, most_output), AgentBytes(run.stderr.clone()));
        self.evidence = Some(Evidence { playdata, output, stderr, ended: run.end.to_string() });
        let mut answer = answer_of(&run, self.contestant.agent(), self.league, left, || self.answer(&run, position))?;
        answer.notes.extend(self.dropped());
        Ok(answer)
    }

    /// Runs the program, and reruns it if the machine spoiled the turn.
    fn run(&mut self, input: &str, left: Duration) -> anyhow::Result<Run> {
        let job = self.job(left);
        self.is_ready = false;
        let playdata = self.playdata();
        let clock = &self.league.clock;
        let mut is_first = true;
        unspoiled(clock, || {
            if !std::mem::replace(&mut is_first, false) {
                self.settle(playdata.as_ref())?;
            }
            self.cell.write(INPUT, input.as_bytes())?;
            Ok(self.cell.run(&job)?)
        })
    }

    fn job(&self, left: Duration) -> Job {
        let (limits, output) = (limits(self.league, left), Output::Keep { bytes: MOST_SHOWN });
        self.contestant.job(&self.cell, &self.contestant.agent().player, Vec::new(), output, limits)
    }

    /// Throws away all files but playdata.txt (§2).
    fn renew(&mut self) -> anyhow::Result<()> {
        let playdata = self.playdata();
        self.settle(playdata.as_ref())
    }

    fn settle(&mut self, playdata: Option<&KeptFile>) -> anyhow::Result<()> {
        self.contestant.settle(&mut self.cell, playdata.map(|kept| (PLAYDATA, kept)))
    }

    /// The playdata.txt that the agent left, if it is a regular file.
    fn playdata(&self) -> Option<KeptFile> {
        self.cell.keep(PLAYDATA, self.league.limits.playdata).ok()
    }

    /// A note if it left a playdata.txt that is too large to be kept.
    fn dropped(&self) -> Option<String> {
        let most = self.league.limits.playdata;
        match self.cell.open(PLAYDATA, most) {
            Err(UntrustedFileError::TooLarge { bytes }) => {
                Some(format!("{PLAYDATA} has {}, expected at most {}: it is dropped", Bytes(bytes), Bytes(most)))
            }
            _ => None,
        }
    }

    fn found(&self, name: &str, most: usize) -> FoundFile {
        match self.cell.excerpt(name, most) {
            Ok(bytes) => FoundFile::Content(AgentBytes(bytes)),
            Err(error) => FoundFile::Missing(error.to_string()),
        }
    }

    /// Names the files that it wrote in place of output.txt, with a hint if one of them was meant to be it.
    fn other_files(&self) -> String {
        let names = |folder: &Path| {
            let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).take(1000);
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        let is_known = |name: &String| {
            [INPUT, OUTPUT, PLAYDATA, CALIBRATION].contains(&name.as_str()) || self.contestant.files().contains(name)
        };
        let mut others: Vec<String> = names(self.cell.dir()).into_iter().filter(|name| !is_known(name)).collect();
        for name in &mut others {
            // One level down, since a program may make a folder of its own for its output. A link may lead anywhere.
            let path = self.cell.dir().join(&*name);
            let is_folder = fs::symlink_metadata(&path).is_ok_and(|about| about.is_dir());
            if is_folder && names(&path).iter().any(|inside| inside == OUTPUT) {
                *name = format!("{name}/{OUTPUT}");
            }
        }
        others.sort_by_key(|name| (!is_misnamed(name), name.clone()));
        let Some(first) = others.first() else { return String::new() };
        let hint = if is_misnamed(first) {
            format!("; help: its name must be {OUTPUT}, in the current folder")
        } else {
            String::new()
        };
        others.truncate(MOST_NAMED);
        format!("; it wrote {}{hint}", others.join(", "))
    }

    fn answer(&self, run: &Run, position: &Position) -> Result<Move, Violation> {
        let wrong = |kind, read: String| Violation { kind, read, expected: "a turn in output.txt".into() };
        let bytes = self.cell.read(OUTPUT, LONGEST_ANSWER).map_err(|error| {
            let kind = match error {
                UntrustedFileError::Missing if is_clean(&run.end) => FaultKind::NoAnswer,
                UntrustedFileError::Missing => FaultKind::Crashed,
                UntrustedFileError::TooLarge { .. } => FaultKind::TooLong,
                _ => FaultKind::NotAFile,
            };
            let what = match kind {
                // The fault is how it ended, not what it could not do any more.
                FaultKind::Crashed => String::new(),
                FaultKind::NoAnswer if run.peak.processes > 1 => {
                    format!("no {OUTPUT}; it had other processes or threads, which end with its first process; ")
                }
                FaultKind::NoAnswer => format!("no {OUTPUT}; "),
                _ => format!("{error}; "),
            };
            wrong(kind, with_hint(format!("{what}{}{}{}", run.end, self.other_files(), printed(run)), run))
        })?;
        let text = String::from_utf8_lossy(&bytes);
        let text = match self.reading {
            Reading::By(Format::Strict) => text.into_owned(),
            Reading::By(Format::Lenient) | Reading::BySquares => plain(&text),
        };
        if text.trim().is_empty() {
            let read = format!("an output.txt of {} bytes; {}{}", bytes.len(), run.end, printed(run));
            return Err(wrong(FaultKind::EmptyAnswer, with_hint(read, run)));
        }
        let read = match read_answer(&text, position) {
            Err(AnswerError::IllFormed(error)) if self.reading == Reading::BySquares => {
                let squares = by_squares(&text).map(|text| read_answer(&text, position));
                squares
                    .filter(|read| !matches!(read, Err(AnswerError::IllFormed(_))))
                    .unwrap_or(Err(AnswerError::IllFormed(error)))
            }
            read => read,
        };
        read.map_err(|error| match error {
            AnswerError::IllFormed(error) => match other_text(&bytes) {
                Some(found) => {
                    let expected = "plain text, each line ended by LF alone".into();
                    Violation { kind: FaultKind::IllFormed, read: format!("output.txt {found}"), expected }
                }
                None => ill_formed(&text, error),
            },
            AnswerError::Illegal(error) => Violation::parsing(FaultKind::Illegal, error),
        })
    }
}

/// Describes an answer that is not lines of UTF-8; `None` for one that is.
fn other_text(bytes: &[u8]) -> Option<&'static str> {
    // Letters and digits in UTF-16 have a zero as every other byte.
    let is_zero_from = |start: usize| bytes.iter().skip(start).step_by(2).all(|&byte| byte == 0);
    let is_marked = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if is_marked || bytes.len() > 1 && is_zero_from(0) != is_zero_from(1) {
        return Some("in UTF-16");
    }
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.trim_ascii_end().contains(&b'\r').then_some("whose lines end in CR")
}

const MOST_NAMED: usize = 3;

/// True for a name that is meant to be output.txt: `Output.txt`, `output`, `output.txt.txt`.
fn is_misnamed(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name).to_lowercase();
    name.split('.').next().is_some_and(|stem| stem.trim() == "output")
}

/// Adds a hint for an agent without an answer if its standard output is the answer.
fn with_hint(read: String, run: &Run) -> String {
    let is_turn = plain(&String::from_utf8_lossy(&run.stdout)).lines().any(is_answer_line);
    let hint = "help: write the turn to output.txt, since standard output is ignored";
    if is_turn { with_remark(&read, hint) } else { read }
}

/// Violation in an ill-formed output.txt with this text.
pub(crate) fn ill_formed(text: &str, error: LineError) -> Violation {
    let LineError { line, error } = error;
    let found = text.split('\n').nth(line - 1).unwrap_or_default();
    let (read, expected) = match line_slip(found) {
        Some(slip) if found.trim().is_empty() => (format!("line {line} of output.txt {slip}"), error.expected),
        // The parser's expectation at the first wrong word would not help.
        Some(slip) => (
            format!("line {line} of output.txt {slip}: \"{}\"", ParseError::new(found, "").found),
            "exactly a line like E c3 b4 or J f6 d4, ended by LF alone".into(),
        ),
        None => (format!("\"{}\" in line {line} of output.txt", error.found), error.expected),
    };
    Violation { kind: FaultKind::IllFormed, read, expected }
}

/// Writes the squares of an answer in the right form, whatever else is there: `E c3 b4` for `c3 -> b4`. `None` if there
/// are fewer than two.
fn by_squares(text: &str) -> Option<String> {
    let mut hops = String::new();
    for line in text.to_lowercase().lines() {
        let squares: Vec<&str> =
            line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| is_square(word)).collect();
        for hop in squares.windows(2) {
            let column = |square: &str| square.as_bytes()[0];
            let letter = if column(hop[0]).abs_diff(column(hop[1])) == 1 { 'E' } else { 'J' };
            hops += &format!("{letter} {} {}\n", hop[0], hop[1]);
        }
    }
    (!hops.is_empty()).then_some(hops)
}

fn is_square(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

/// Normalizes an answer as the course's own master did: extra blanks, letter case, blank lines, CR.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if let Some(letter) = words.next() {
            plain += &letter.to_uppercase();
            words.for_each(|square| plain.extend([" ", &square.to_lowercase()]));
            plain.push('\n');
        }
    }
    plain
}

impl Player<Position> for TurnFilesPlayer<'_> {
    fn begin(&mut self, _: Color) -> anyhow::Result<()> {
        // §3: playdata.txt is deleted before a game.
        self.is_ready = false;
        self.settle(None)
    }

    fn choose(&mut self, ask: &Ask<Position>) -> anyhow::Result<Answer<Move>> {
        let answer = self.turn(Mode::Game, ask.history.position(), ask.within)?;
        self.renew()?;
        self.is_ready = true;
        self.cell.prepare(&self.job(ask.within));
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::game::Game;

    #[test]
    fn slips_in_an_ill_formed_answer_are_described() {
        let position = Position::start();
        let exactly = "exactly a line like E c3 b4 or J f6 d4, ended by LF alone";
        for (text, read, expected) in [
            ("E c3 b4 \n", "line 1 of output.txt ends in a blank: \"E c3 b4 \"", exactly),
            ("E f6 e5\r\n", "line 1 of output.txt ends in CR: \"E f6 e5\\r\"", exactly),
            ("E f6 e5\n\n", "line 2 of output.txt is blank", "no blank line after the turn"),
            ("f6 e5\n", "\"f6 e5\" in line 1 of output.txt", "a step like E c3 b4 or a jump like J f6 d4"),
        ] {
            let Err(AnswerError::IllFormed(error)) = read_answer(text, &position) else { panic!("{text:?}") };
            let violation = ill_formed(text, error);
            assert_eq!((&*violation.read, &*violation.expected), (read, expected));
        }
    }

    #[test]
    fn lenient_reading_ignores_blanks_case_blank_lines_and_cr() {
        for text in ["j F6 D4\r\nJ d4 f2", "\n  J f6  d4 \n\n\tj\tD4 F2\n\n"] {
            assert_eq!(plain(text), "J f6 d4\nJ d4 f2\n", "{text:?}");
        }
        assert_eq!(plain(" \r\n\n"), "");
    }

    #[test]
    fn squares_are_read_whatever_is_around_them() {
        for (text, hops) in [
            ("E c3 b4\nthe best of 7 moves\n", "E c3 b4\n"),
            ("c3 -> B4", "E c3 b4\n"),
            ("J f6 d4 f2", "J f6 d4\nJ d4 f2\n"),
            ("move: (f6, d4)\nmove: (d4, f2)\n", "J f6 d4\nJ d4 f2\n"),
        ] {
            assert_eq!(by_squares(text).as_deref(), Some(hops), "{text:?}");
        }
        for text in ["", "pass", "c3", "11-15"] {
            assert_eq!(by_squares(text), None, "{text:?}");
        }
    }
}
