//! Checks of an agent that answers requests for 6x6 Lines of Action.

use super::asked::Asked;
use super::ladder::{ENDS, Rung, SILENT, STARTS, climb};
use super::step::{Finding, StepResult, Walk, run_fault};
use super::{ShownBoard, game, processes};
use crate::exam::samples;
use crate::league::clock_rules::Spent;
use crate::league::{Format, League};
use crate::record::FaultKind;
use crate::referee::players::{AgentProgram, Contestant, RequestPlayer, last_words, oddity};
use crate::referee::{Answer, Ask, Player};
use crate::sandbox::{JobEnd, Output, Workspace};
use kingline::game::{Color, Game, History};
use kingline::loa::{Move, Position};
use kingline_players::protocol::request::Request;

const RUNGS: [Rung; 5] = [
    STARTS,
    ENDS,
    Rung { section: "§2", title: "it prints an answer", stops: SILENT },
    Rung { section: "§2", title: "the answer is one line like D1B3", stops: &[FaultKind::IllFormed] },
    Rung { section: "§1", title: "it is a legal move", stops: &[FaultKind::Illegal] },
];

/// Sections, rules, and requests that an agent answers incorrectly if it does not know the rule.
const REQUESTS: [(&str, &str, &str); 7] = [
    ("§1", "a move is as long as the number of checkers on its line", samples::LOA6_SIX_WINS),
    ("§1", "one move connects all of X", samples::LOA6_WIN_IN_ONE),
    ("§1", "a capture that connects both sides", samples::LOA6_BOTH_CONNECTED),
    ("§1", "the only move", samples::LOA6_ONE_MOVE),
    ("§1", "one move defends; every other loses", samples::LOA6_ONLY_DEFENSE),
    ("§1", "every move loses, but one must be played", samples::LOA6_LONGEST_DEFENSE),
    ("§2", "X in the columns, since the driver shows White the board from White's side", WHITES_START),
];

/// Boards that no game reaches.
const ODD_REQUESTS: [(&str, &str, &str); 2] = [
    ("§1", "X is connected already, but must move", samples::LOA6_CONNECTED),
    ("§1", "O has no checkers", samples::LOA6_ALONE),
];

/// White's view after Black's first move, D1B3.
const WHITES_START: &str = "move\n2\n6\n.OO.O.\nX....X\nXO...X\nX....X\nX....X\n.OOOO.\n";

/// An agent being checked.
struct RequestBench<'a> {
    league: &'a League,
    player: RequestPlayer<'a>,
    /// Current strictness of parsing.
    format: Format,
}

/// Runs all steps, from `identify` to a few turns of a game.
pub(super) fn walk(
    walk: &mut Walk,
    workspace: Workspace,
    league: &League,
    contestant: &Contestant,
) -> anyhow::Result<()> {
    const IDENTIFY: &str = "identify is answered with a line of 1 to 80 printable ASCII characters";
    walk.step("§2", IDENTIFY, || identify(workspace, league, contestant))?;
    let cell = workspace.cell(Color::Black, &league.limits, contestant)?;
    let mut bench =
        RequestBench { league, player: RequestPlayer::new(contestant, league, cell), format: league.format };
    bench.player.begin(Color::Black)?;
    let start = Position::start();
    if !climb(walk, &RUNGS, &bench.ask(1, start)?) {
        walk.skip("§1", "all other steps", "the program cannot be started");
        return Ok(());
    }
    for (section, title, text) in REQUESTS {
        walk.step(section, title, || bench.asked(text))?;
    }
    for (section, title, text) in ODD_REQUESTS {
        walk.step(section, title, || Ok(bench.asked(text)?.unwise("not required: no game can reach such a board")))?;
    }
    for side in Color::ALL {
        walk.step("§3", &format!("a game as {side}"), || {
            game::some_turns::<Position<6>>(league, side, &mut bench.player, ShownBoard::request)
        })?;
    }
    drop(bench);
    let request = processes::FinalRequest { files: &[], input: Request::Move { turn: 1, position: start }.to_string() };
    walk.step("§3", processes::TITLE, || processes::left_behind(workspace, league, contestant, &request))
}

impl RequestBench<'_> {
    /// Asks for a move. A slip in an answer's form is reported once; later answers are parsed leniently, so that it
    /// hides nothing else.
    fn ask(&mut self, turn: u32, position: Position<6>) -> anyhow::Result<Asked<Move>> {
        let (asked, shown) = (format!("move, turn {turn}:"), ShownBoard::request(position));
        let strict = self.answer(turn, position)?;
        let is_ill_formed = |answer: &Answer<Move>| kind(answer) == Some(FaultKind::IllFormed);
        if !is_ill_formed(&strict) || self.format == Format::Lenient {
            return Ok(Asked { asked, shown, answer: strict, slip: None });
        }
        self.read_as(Format::Lenient);
        let lenient = self.answer(turn, position)?;
        if matches!(kind(&lenient), None | Some(FaultKind::Illegal)) {
            return Ok(Asked { asked, shown, answer: lenient, slip: strict.mv.err() });
        }
        self.read_as(Format::Strict);
        Ok(Asked { asked, shown, answer: strict, slip: None })
    }

    fn answer(&mut self, turn: u32, position: Position<6>) -> anyhow::Result<Answer<Move>> {
        let (history, before) = (History::new(position), vec![Move::default(); turn as usize - 1]);
        let within = self.league.clock.turn.unwrap_or(self.league.clock.patience);
        self.player.choose(&Ask { history: &history, moves: &before, left: None, within })
    }

    fn read_as(&mut self, format: Format) {
        self.format = format;
        self.player.read_as(format);
    }

    /// Sends a request for a move and reports the result.
    fn asked(&mut self, text: &str) -> anyhow::Result<StepResult> {
        let Request::Move { turn, position } = Request::read(text.as_bytes())? else {
            anyhow::bail!("{text:?} is not a request for a move");
        };
        let mut found = StepResult::did(format!("asked for turn {turn}"));
        self.ask(turn, position)?.add_to(&mut found);
        Ok(found)
    }
}

/// The fault in an answer, if any.
fn kind<M>(answer: &Answer<M>) -> Option<FaultKind> {
    answer.mv.as_ref().err().map(|wrong| wrong.kind)
}

fn identify(workspace: Workspace, league: &League, contestant: &Contestant) -> anyhow::Result<StepResult> {
    const MOST: usize = 4096;
    let mut cell = workspace.cell(Color::Black, &league.limits, contestant)?;
    let limits = league.limits.of_job(None, league.clock.patience);
    let input = Request::Identify.to_string().into_bytes();
    let run = cell.run(&contestant.job(&cell, AgentProgram::Player, input, Output::Keep { bytes: MOST }, limits))?;
    let mut found = StepResult::did("asked for its name");
    found.add(Spent { cpu: run.cpu, wall: run.wall });
    let text = String::from_utf8_lossy(&run.stdout);
    let name = text.strip_suffix('\n').unwrap_or(&text);
    if (1..=80).contains(&name.len()) && name.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        found.notes.extend(oddity(&run.end));
        return Ok(found);
    }
    found.ended(run_fault(&run), Spent { cpu: run.cpu, wall: run.wall });
    let said = if run.end == JobEnd::Exited(0) { String::new() } else { format!("; {}{}", run.end, last_words(&run)) };
    let read = format!("\"{}\"{said}", name.chars().take(200).flat_map(char::escape_debug).collect::<String>());
    Ok(found.wrong(Finding::plain("identify:", read, "a line of 1 to 80 printable ASCII characters, and nothing else")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_asks_for_a_move() {
        for (_, title, text) in REQUESTS.into_iter().chain(ODD_REQUESTS) {
            let Request::Move { position, .. } = Request::read(text.as_bytes()).unwrap() else { panic!("{title}") };
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
