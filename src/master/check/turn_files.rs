//! Checks of a checkers agent, which plays through `input.txt` and `output.txt`.

mod bench;

use std::time::Duration;

use anyhow::Result;

use super::Subject;
use super::common::{ENDS, Rung, SILENT, STARTS, climb, left_behind, some_turns};
use super::finding::ShownBoard;
use super::walk::{Requirement, StepResult, Walk, required, wise};
use crate::record::FaultKind;
use bench::{TurnFilesBench, habits, in_words};
use kingline::checkers::{Diagram, Position};
use kingline::game::{Game, LineError};
use kingline_players::protocol::turn_files::{CALIBRATION, INPUT, Mode, OUTPUT, PLAYDATA, TurnRequest};

macro_rules! sample {
    ($name:literal) => {
        include_str!(concat!("../samples/", $name, "/input.txt"))
    };
}

/// The contract's first example, with seven legal steps. Any of them is correct.
const FIRST: &str = sample!("opening");
const MIDDLE: &str = sample!("ten-milliseconds");
/// A middlegame position from another game: the contract's second example.
const OTHER: &str = sample!("double-jump");
/// A position with a single legal turn, which captures the last piece.
const NO_CHOICE: &str = sample!("last-piece");

/// Seconds left where the time does not matter.
const EASY: f64 = 30.0;
/// Seconds left in [`NO_CHOICE`], where there is nothing to search.
const SHORT: f64 = 10.0;

const RUNGS: [Rung; 5] = [
    STARTS,
    ENDS,
    required("§2", "it writes output.txt", SILENT),
    required("§2", "output.txt has the form of a turn", &[FaultKind::IllFormed]),
    required("§1", "it is a legal turn", &[FaultKind::Illegal]),
];

const NEVER_ASKED: &str = "not required in games: the master never asks this there";

/// Rules, and positions that an agent gets wrong if it does not know the rule.
const POSITIONS: [Requirement<&str>; 20] = [
    required("§1", "the start of a game", sample!("first-move")),
    required("§1", "jumping is compulsory", sample!("crlf")),
    required("§1", "jumping is compulsory, even if it loses", sample!("lured")),
    required("§1", "a jump continues as long as the piece can jump", sample!("double-jump")),
    required("§1", "a jump of three does not stop after two", sample!("three-jumps")),
    required("§1", "any of several jumps may be chosen", sample!("short-or-long")),
    required("§1", "a king's jump may return to its first square", sample!("king-circle")),
    required("§1", "a king's jump may cross its own path", sample!("king-ring")),
    required("§1", "a man does not jump backward", sample!("never-back")),
    required("§1", "a king may jump backward, and must", sample!("king-back")),
    required("§1", "no jump over two pieces, over a piece of the same side, or off the board", sample!("no-jump")),
    required("§1", "crowning ends the turn, even a jump that could continue", sample!("crowned")),
    required("§1", "a lone king, which can go back and forth", sample!("between-two-kings")),
    required("§1", "only one piece can move", sample!("all-but-blocked")),
    required("§1", "the only turn, which loses", sample!("one-move")),
    required("§1", "every turn loses, but one must be played", sample!("lost")),
    required("§1", "a win in one turn", sample!("win-in-one")),
    required("§1", "a jump that captures the last piece", sample!("last-piece")),
    // Hardly any game has such boards. The contract allows them, but an agent that fails there loses no game.
    wise("§2", "a board that no game can reach", sample!("crowning-row"), NEVER_ASKED),
    wise("§2", "twelve kings a side", sample!("twelve-kings"), NEVER_ASKED),
];

type FileStep = fn(&mut TurnFilesBench) -> Result<StepResult>;

const DELETED: &str = "not required: the master deletes playdata.txt before a game";

/// Steps about the agent's files: budgets of all sizes, and data that is missing, stale or garbage.
const FILES: [Requirement<FileStep>; 9] = [
    required("§2", "it reads seconds in every form that a master writes", forms_of_seconds),
    required("§2", "in a game it answers in time with budgets from 300 s down to 0.01 s", |bench| {
        budgets(bench, Mode::Game, Position::start(), &[300.0, 30.0, 5.2, 1.0, 0.1, 0.03, 0.01, 0.01, 0.01])
    }),
    required("§2", "for a single move it answers in time with budgets from 1 s down to 0.01 s", |bench| {
        budgets(bench, Mode::Single, position(MIDDLE)?, &[1.0, 0.1, 0.03, 0.01, 0.01, 0.01])
    }),
    wise(
        "§2",
        "playdata.txt may be missing in the middle of a game",
        no_playdata,
        "not required: the master keeps it, though the agent may be killed before it writes it",
    ),
    required("§2", "it copes with its own playdata.txt from an earlier turn", own_playdata),
    wise("§3", "playdata.txt from another game does no harm", stale_playdata, DELETED),
    wise(
        "§3",
        "garbage in playdata.txt does no harm",
        garbage_in_playdata,
        "not required: only the agent writes playdata.txt, though it may be killed while writing",
    ),
    wise(
        "§3",
        "it replaces the output.txt from an earlier turn",
        stale_output,
        "not required: the master deletes a stale output.txt",
    ),
    wise(
        "§2",
        "it plays without calibration.txt",
        no_calibration,
        "not required: the master runs calibrate before the first game, though it may fail",
    ),
];

pub(super) fn walk(walk: &mut Walk, subject: Subject) -> Result<()> {
    let mut bench = TurnFilesBench::new(subject)?;
    let first = TurnRequest::parse(FIRST)?;
    let input = first.to_string();
    if !climb(walk, &RUNGS, &bench.turn(in_words(&first), &input, &first.position, first.left)?) {
        return Ok(());
    }
    walk.step("§2", "a turn with one legal move, to measure start-up time", || start_up(&mut bench))?;
    walk.steps(&POSITIONS, |input| both_colors(&mut bench, input))?;
    walk.steps(&FILES, |step| step(&mut bench))?;
    walk.games("§3", |side| some_turns::<Position>(subject.league, side, &mut bench.player, ShownBoard::Checkers))?;
    left_behind(walk, "§3", subject, &[(INPUT, &input)], "")?;
    for (section, title, found) in habits(&bench) {
        walk.done(section, title, found);
    }
    Ok(())
}

/// Asks for the only legal turn in a position. It wins at once, so there is nothing to search.
fn start_up(bench: &mut TurnFilesBench) -> Result<StepResult> {
    const TIMES: usize = 3;
    let position = position(NO_CHOICE)?;
    let mut found = StepResult::did(format!("asked {TIMES} times"));
    for _ in 0..TIMES {
        bench.ask_after_reset(&mut found, Mode::Single, position, SHORT)?;
        if !found.findings.is_empty() {
            break;
        }
    }
    if let Some(quickest) = bench.start_up.quickest {
        found.did += &format!("; the quickest turn so far took {:.3} s", quickest.as_secs_f64());
    }
    Ok(found)
}

/// Asks for a turn in a position as given, and again with the colors swapped. A single move, since an agent may take a
/// game without playdata.txt for the first turn of one.
fn both_colors(bench: &mut TurnFilesBench, input: &str) -> Result<StepResult> {
    let position = position(input)?;
    let did = format!("asked as {}, and as {} on the flipped board", position.turn(), !position.turn());
    StepResult::did(did).for_each([position, position.flipped()], |position, found| {
        bench.ask_after_reset(found, Mode::Single, position, EASY)
    })
}

fn position(input: &str) -> Result<Position, LineError> {
    TurnRequest::parse(input).map(|request| request.position)
}

fn forms_of_seconds(bench: &mut TurnFilesBench) -> Result<StepResult> {
    const FORMS: [&str; 8] = ["300", "300.0", "299.93", "293.68", "100.0", "6.6", "5.63999999999997", "0.9"];
    let position = Position::start();
    StepResult::did(format!("asked for a game's first turn with {}", FORMS.join(", "))).for_each(
        FORMS,
        |text, found| {
            bench.reset()?;
            let input = format!("GAME\nBLACK\n{text}\n{}", Diagram(&position));
            let left = Duration::from_secs_f64(text.parse()?);
            let asked = bench.turn(format!("GAME, BLACK, {text} s"), &input, &position, left)?;
            bench.add(found, &asked, left);
            Ok(())
        },
    )
}

fn budgets(bench: &mut TurnFilesBench, mode: Mode, position: Position, seconds: &[f64]) -> Result<StepResult> {
    let listed: Vec<String> = seconds.iter().map(f64::to_string).collect();
    StepResult::did(format!("asked with {} s", listed.join(", ")))
        .for_each(seconds, |&left, found| bench.ask_after_reset(found, mode, position, left))
}

fn no_playdata(bench: &mut TurnFilesBench) -> Result<StepResult> {
    let mut found = StepResult::did(format!("asked for a turn in the middle of a game, without {PLAYDATA}"));
    bench.ask_after_reset(&mut found, Mode::Game, position(MIDDLE)?, EASY)?;
    Ok(found)
}

fn own_playdata(bench: &mut TurnFilesBench) -> Result<StepResult> {
    let mut found = StepResult::did(format!("asked for two turns of one game, the second with its own {PLAYDATA}"));
    bench.reset()?;
    let start = Position::start();
    let first = bench.ask("", Mode::Game, start, EASY)?;
    first.add_to(&mut found);
    if let Ok(mv) = first.answer.mv {
        let after = start.play(mv);
        let replies = after.legal_moves();
        let position = after.play(replies[0]);
        bench.ask("the second turn: ", Mode::Game, position, EASY)?.add_to(&mut found);
    }
    Ok(found)
}

fn stale_playdata(bench: &mut TurnFilesBench) -> Result<StepResult> {
    let did = format!("asked for turns of several games, as both sides, each with the {PLAYDATA} from the game before");
    let mut found = StepResult::did(did);
    bench.ask_after_reset(&mut found, Mode::Game, Position::start(), EASY)?;
    for position in [position(OTHER)?, position(MIDDLE)?.flipped(), Position::start()] {
        if found.is_stuck() {
            break;
        }
        bench.ask("after a turn of another game: ", Mode::Game, position, EASY)?.add_to(&mut found);
    }
    Ok(found)
}

fn garbage_in_playdata(bench: &mut TurnFilesBench) -> Result<StepResult> {
    let long = "9".repeat(100_000);
    let garbage: [(&str, &[u8]); 5] = [
        ("nothing", b""),
        ("a line ending", b"\n"),
        ("words", b"not what it wrote\nnan\n-1\n"),
        ("invalid UTF-8", b"\xff\xfe\x00\x80\n\x00\xc3"),
        ("100000 digits", long.as_bytes()),
    ];
    let names: Vec<&str> = garbage.iter().map(|(name, _)| *name).collect();
    let found = StepResult::did(format!("asked with a {PLAYDATA} that contains {}", names.join(", ")));
    found.for_each(garbage, |(name, bytes), found| {
        bench.reset()?;
        bench.player.cell().write(PLAYDATA, bytes)?;
        let asked = bench.ask(&format!("{PLAYDATA} contains {name}: "), Mode::Game, position(MIDDLE)?, EASY)?;
        asked.add_to(found);
        Ok(())
    })
}

fn stale_output(bench: &mut TurnFilesBench) -> Result<StepResult> {
    const MOST: usize = 1 << 12;
    let mut found =
        StepResult::did(format!("asked for two turns, the second with the first one's {OUTPUT} still in place"));
    bench.reset()?;
    if !bench.ask("", Mode::Game, Position::start(), EASY)?.add_to(&mut found) {
        return Ok(found);
    }
    let before = bench.player.cell().read(OUTPUT, MOST).ok();
    let second = position(OTHER)?;
    let left = Duration::from_secs_f64(EASY);
    let input = TurnRequest { mode: Mode::Game, left, position: second, warnings: Vec::new() }.to_string();
    let mut asked = bench.turn("the second turn:", &input, &second, left)?;
    if before.is_some() && bench.player.cell().read(OUTPUT, MOST).ok() == before {
        asked.asked = format!("the second turn; {OUTPUT} is unchanged since the first:");
    }
    asked.add_to(&mut found);
    Ok(found)
}

fn no_calibration(bench: &mut TurnFilesBench) -> Result<StepResult> {
    let mut found = StepResult::did(format!("asked without {CALIBRATION}"));
    bench.reset()?;
    bench.player.cell().remove(CALIBRATION)?;
    bench.ask("", Mode::Single, position(MIDDLE)?, EASY)?.add_to(&mut found);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::checkers::Route;

    /// All legal turns in a position of the table, as squares.
    fn turns(title: &str) -> Vec<String> {
        let found = POSITIONS.iter().find(|known| known.title.starts_with(title)).unwrap();
        ShownBoard::Checkers(position(found.asks).unwrap()).legal()
    }

    #[test]
    fn every_position_has_a_turn_from_both_sides() {
        for Requirement { title, asks, .. } in POSITIONS {
            let position = position(asks).unwrap();
            for position in [position, position.flipped()] {
                let list = position.legal_moves();
                assert!(!list.is_empty(), "{title}");
                assert!(list.iter().all(|&mv| !Route::all(&position, mv).is_empty()), "{title}");
            }
        }
    }

    #[test]
    fn positions_match_their_titles() {
        let jumps = |title: &str, length: usize| turns(title).iter().any(|turn| turn.matches('x').count() == length);
        assert!(jumps("jumping is compulsory", 1) && jumps("a jump continues", 2) && jumps("a jump of three", 3));
        assert!(jumps("any of several", 1) && jumps("any of several", 2));
        assert!(turns("a king's jump may return").iter().all(|turn| turn[..2] == turn[turn.len() - 2..]));
        for title in ["a man does not jump", "no jump over"] {
            assert!(turns(title).iter().all(|turn| !turn.contains('x')), "{title}");
        }
        assert!(jumps("a king may jump backward", 1));
        assert_eq!((turns("only one piece can move").len(), turns("the only turn").len()), (1, 1));
    }
}
