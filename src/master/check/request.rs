//! Checks of an agent that answers requests for 6x6 Lines of Action.

use anyhow::{Result, bail};

use super::Subject;
use super::common::{Asked, ENDS, Rung, SILENT, STARTS, climb, left_behind, some_turns};
use super::finding::{Finding, ShownBoard};
use super::walk::{Requirement, StepResult, Walk, required, wise};
use crate::league::clock_rules::Spent;
use crate::league::{Format, League};
use crate::record::FaultKind;
use crate::referee::players::{RequestPlayer, last_words, oddity};
use crate::referee::{Answer, Ask, Player};
use crate::sandbox::{JobEnd, Output};
use kingline::game::{Color, Game, History};
use kingline::loa::{Move, Position};
use kingline_players::protocol::request::Request;

macro_rules! sample {
    ($name:literal) => {
        include_str!(concat!("../samples/loa6/", $name, ".request"))
    };
}

const RUNGS: [Rung; 5] = [
    STARTS,
    ENDS,
    required("§2", "it prints an answer", SILENT),
    required("§2", "the answer is one line like D1B3", &[FaultKind::IllFormed]),
    required("§1", "it is a legal move", &[FaultKind::Illegal]),
];

const UNREACHABLE: &str = "not required: no game can reach such a board";

/// Rules, and requests that an agent answers incorrectly if it does not know the rule.
const REQUESTS: [Requirement<&str>; 9] = [
    required("§1", "a move is as long as the number of checkers on its line", sample!("six-wins")),
    required("§1", "one move connects all of X", sample!("win-in-one")),
    required("§1", "a capture that connects both sides", sample!("both-connected")),
    required("§1", "the only move", sample!("one-move")),
    required("§1", "one move defends; every other loses", sample!("only-defense")),
    required("§1", "every move loses, but one must be played", sample!("longest-defense")),
    required("§2", "X in the columns, since the driver shows White the board from White's side", WHITES_START),
    wise("§1", "X is connected already, but must move", sample!("connected"), UNREACHABLE),
    wise("§1", "O has no checkers", sample!("alone"), UNREACHABLE),
];

/// White's view after Black's first move, D1B3.
const WHITES_START: &str = "move\n2\n6\n.OO.O.\nX....X\nXO...X\nX....X\nX....X\n.OOOO.\n";

struct RequestBench<'a> {
    league: &'a League,
    player: RequestPlayer<'a>,
    /// Current strictness of parsing.
    format: Format,
}

pub(super) fn walk(walk: &mut Walk, subject: Subject) -> Result<()> {
    const IDENTIFY: &str = "identify is answered with a line of 1 to 80 printable ASCII characters";
    walk.step("§2", IDENTIFY, || identify(subject))?;
    let Subject { workspace, league, contestant } = subject;
    let cell = workspace.cell(Color::Black, &league.limits, contestant)?;
    let player = RequestPlayer::new(contestant, league, cell);
    let mut bench = RequestBench { league, player, format: league.format };
    bench.player.begin(Color::Black)?;
    let start = Position::start();
    if !climb(walk, &RUNGS, &bench.ask(1, start)?) {
        return Ok(());
    }
    walk.steps(&REQUESTS, |text| bench.asked(text))?;
    walk.games("§3", |side| some_turns::<Position<6>>(league, side, &mut bench.player, ShownBoard::request))?;
    drop(bench);
    left_behind(walk, "§3", subject, &[], &Request::Move { turn: 1, position: start }.to_string())
}

impl RequestBench<'_> {
    /// Asks for a move. A slip in an answer's form is reported once; later answers are parsed leniently, so that it
    /// hides nothing else.
    fn ask(&mut self, turn: u32, position: Position<6>) -> Result<Asked<Move>> {
        let (asked, shown) = (format!("move, turn {turn}:"), ShownBoard::request(position));
        let strict = self.answer(turn, position)?;
        if kind(&strict) != Some(FaultKind::IllFormed) || self.format == Format::Lenient {
            return Ok(Asked { asked, shown, answer: strict, slip: None });
        }
        self.player.read_as(Format::Lenient);
        let lenient = self.answer(turn, position)?;
        if matches!(kind(&lenient), None | Some(FaultKind::Illegal)) {
            self.format = Format::Lenient;
            return Ok(Asked { asked, shown, answer: lenient, slip: strict.mv.err() });
        }
        self.player.read_as(Format::Strict);
        Ok(Asked { asked, shown, answer: strict, slip: None })
    }

    fn answer(&mut self, turn: u32, position: Position<6>) -> Result<Answer<Move>> {
        let (history, before) = (History::new(position), vec![Move::default(); turn as usize - 1]);
        let within = self.league.clock.turn.unwrap_or(self.league.clock.patience);
        self.player.choose(&Ask { history: &history, moves: &before, left: None, within })
    }

    fn asked(&mut self, text: &str) -> Result<StepResult> {
        let Request::Move { turn, position } = Request::read(text.as_bytes())? else {
            bail!("{text:?} is not a request for a move");
        };
        let mut found = StepResult::did(format!("asked for turn {turn}"));
        self.ask(turn, position)?.add_to(&mut found);
        Ok(found)
    }
}

fn kind<M>(answer: &Answer<M>) -> Option<FaultKind> {
    answer.mv.as_ref().err().map(|wrong| wrong.kind)
}

fn identify(subject: Subject) -> Result<StepResult> {
    const MOST: usize = 4096;
    let Subject { workspace, league, contestant } = subject;
    let mut cell = workspace.cell(Color::Black, &league.limits, contestant)?;
    let limits = league.limits.of_job(None, league.clock.patience);
    let input = Request::Identify.to_string().into_bytes();
    let run =
        cell.run(&contestant.job(&cell, &contestant.agent().player, input, Output::Keep { bytes: MOST }, limits))?;
    let mut found = StepResult::did("asked for its name");
    let text = String::from_utf8_lossy(&run.stdout);
    let name = text.strip_suffix('\n').unwrap_or(&text);
    if (1..=80).contains(&name.len()) && name.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        found.spent = Spent { cpu: run.cpu, wall: run.wall };
        found.notes.extend(oddity(&run.end));
        return Ok(found);
    }
    found.ran(&run);
    let said = if run.end == JobEnd::Exited(0) { String::new() } else { format!("; {}{}", run.end, last_words(&run)) };
    let read = format!("\"{}\"{said}", name.chars().take(200).flat_map(char::escape_debug).collect::<String>());
    Ok(found.wrong(Finding::plain("identify:", read, "a line of 1 to 80 printable ASCII characters, and nothing else")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_asks_for_a_move() {
        for Requirement { title, asks, .. } in REQUESTS {
            let Request::Move { position, .. } = Request::read(asks.as_bytes()).unwrap() else { panic!("{title}") };
            assert!(!ShownBoard::request(position).legal().is_empty(), "{title}");
        }
    }

    #[test]
    fn white_is_shown_its_own_side_as_x() {
        let start = Position::<6>::start();
        let after = start.play(start.parse_move("d6-b4").unwrap());
        let Request::Move { position, .. } = Request::read(WHITES_START.as_bytes()).unwrap() else { panic!() };
        assert_eq!(ShownBoard::request(after), ShownBoard::request(position));
    }
}
