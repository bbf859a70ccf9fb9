//! Does an agent play checkers by `input.txt` and `output.txt`?

use super::bench::{TurnFilesBench, habits, in_words};
use super::files::{self, FileStep};
use super::ladder::{ENDS, Rung, SILENT, STARTS, climb};
use super::step::{StepResult, Walk};
use super::{ShownBoard, game, processes};
use crate::checkers::Position;
use crate::game::{Color, Game};
use crate::master::league::League;
use crate::master::players::{Contestant, Workspace};
use crate::master::record::FaultKind;
use crate::protocol::turn_files::{INPUT, Mode, TurnRequest};

/// The contract's first example: seven steps, any of them right.
const FIRST: &str = include_str!("../../../samples/opening/input.txt");

const RUNGS: [Rung; 5] = [
    STARTS,
    ENDS,
    Rung { section: "§2", title: "it writes output.txt", stops: SILENT },
    Rung { section: "§2", title: "output.txt has the form of a turn", stops: &[FaultKind::IllFormed] },
    Rung { section: "§1", title: "it is a legal turn", stops: &[FaultKind::Illegal] },
];

/// A rule, and a position where an agent that does not know it goes wrong.
const POSITIONS: [(&str, &str, &str); 20] = [
    ("§1", "the start of a game", include_str!("../../../samples/first-move/input.txt")),
    ("§1", "jumping is compulsory", include_str!("../../../samples/crlf/input.txt")),
    ("§1", "jumping is compulsory, also where it loses", include_str!("../../../samples/lured/input.txt")),
    ("§1", "a jump goes on until the piece can jump no more", include_str!("../../../samples/double-jump/input.txt")),
    ("§1", "a jump of three is not cut after two", include_str!("../../../samples/three-jumps/input.txt")),
    ("§1", "of several jumps any may be chosen", include_str!("../../../samples/short-or-long/input.txt")),
    ("§1", "a king's jump may return to where it began", include_str!("../../../samples/king-circle/input.txt")),
    ("§1", "a king's jump may cross its own way", include_str!("../../../samples/king-ring/input.txt")),
    ("§1", "a man does not jump backward", include_str!("../../../samples/never-back/input.txt")),
    ("§1", "a king jumps backward too, and must", include_str!("../../../samples/king-back/input.txt")),
    (
        "§1",
        "no jump over two pieces, over its own, or off the board",
        include_str!("../../../samples/no-jump/input.txt"),
    ),
    ("§1", "crowning ends the turn, also a jump that could go on", include_str!("../../../samples/crowned/input.txt")),
    ("§1", "a lone king, which can go back and forth", include_str!("../../../samples/between-two-kings/input.txt")),
    ("§1", "twelve kings a side", include_str!("../../../samples/twelve-kings/input.txt")),
    ("§1", "all pieces but one are blocked", include_str!("../../../samples/all-but-blocked/input.txt")),
    ("§1", "the only turn there is, and it loses", include_str!("../../../samples/one-move/input.txt")),
    ("§1", "every turn loses, and yet one is due", include_str!("../../../samples/lost/input.txt")),
    ("§1", "one turn before the end of a won game", include_str!("../../../samples/win-in-one/input.txt")),
    ("§1", "a jump that takes the last piece", include_str!("../../../samples/last-piece/input.txt")),
    ("§2", "a board that no game leads to", include_str!("../../../samples/crowning-row/input.txt")),
];

/// One turn, which takes the last piece.
const NO_CHOICE: &str = include_str!("../../../samples/last-piece/input.txt");

/// Seconds left in [`POSITIONS`]: plenty, since they are about rules.
const EASY: f64 = 30.0;
/// Seconds left where there is nothing to think about.
const SHORT: f64 = 10.0;

/// From the first answer to some turns of a game.
pub(super) fn walk(
    walk: &mut Walk,
    workspace: Workspace,
    league: &League,
    contestant: &Contestant,
) -> anyhow::Result<()> {
    let mut bench = TurnFilesBench::new(workspace, league, contestant)?;
    if !first_answer(walk, &mut bench)? {
        walk.skip("§1", "all else", "the program has to start first");
        return Ok(());
    }
    walk.step("§2", "a turn without a choice, which shows what it needs to start", || start_up(&mut bench))?;
    for (section, title, input) in POSITIONS {
        walk.step(section, title, || as_both(&mut bench, input))?;
    }
    for FileStep { section, title, step, unwise } in files::STEPS {
        walk.step(section, title, || {
            let found = step(&mut bench)?;
            Ok(match unwise {
                Some(why) => found.unwise(why),
                None => found,
            })
        })?;
    }
    for side in Color::ALL {
        walk.step("§3", &format!("a game as {side}"), || {
            game::some_turns::<Position>(league, side, &mut bench.player, ShownBoard::Checkers)
        })?;
    }
    let input = TurnRequest::parse(FIRST)?.to_string();
    let request = processes::FinalRequest { files: &[(INPUT, input)], input: String::new() };
    walk.step("§3", processes::TITLE, || processes::left_behind(workspace, league, contestant, &request))?;
    for (section, title, found) in habits(&bench) {
        walk.done(section, title, found);
    }
    Ok(())
}

/// Reports the first answer as steps; returns whether the program can be started.
fn first_answer(walk: &mut Walk, bench: &mut TurnFilesBench) -> anyhow::Result<bool> {
    let request = TurnRequest::parse(FIRST)?;
    let first = bench.turn(in_words(&request), &request.to_string(), &request.position, request.left)?;
    Ok(climb(walk, &RUNGS, &first))
}

/// The only turn there is wins at once: however an agent searches, it has nothing to search.
fn start_up(bench: &mut TurnFilesBench) -> anyhow::Result<StepResult> {
    const TIMES: usize = 3;
    let position = TurnRequest::parse(NO_CHOICE)?.position;
    let mut found = StepResult::did(format!("asked {TIMES} times"));
    for _ in 0..TIMES {
        bench.ask_after_reset(&mut found, Mode::Game, position, SHORT)?;
        if !found.findings.is_empty() {
            break;
        }
    }
    if let Some(quickest) = bench.start_up.quickest() {
        found.did += &format!("; the quickest turn so far took {:.3} s", quickest.as_secs_f64());
    }
    Ok(found)
}

/// A position as it is, and with colors swapped.
fn as_both(bench: &mut TurnFilesBench, input: &str) -> anyhow::Result<StepResult> {
    let position = TurnRequest::parse(input)?.position;
    let mut found =
        StepResult::did(format!("asked as {}, and as {} on the turned board", position.turn(), !position.turn()));
    for position in [position, position.flipped()] {
        bench.ask_after_reset(&mut found, Mode::Game, position, EASY)?;
        if found.is_stuck() {
            break;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkers::Route;

    /// All turns of a position of the table, by squares.
    fn turns(title: &str) -> Vec<String> {
        let (.., input) = POSITIONS.iter().find(|(_, known, _)| known.starts_with(title)).unwrap();
        ShownBoard::Checkers(TurnRequest::parse(input).unwrap().position).legal()
    }

    #[test]
    fn every_position_has_a_turn_from_both_sides() {
        for (_, title, input) in POSITIONS {
            let position = TurnRequest::parse(input).unwrap().position;
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
        assert!(jumps("jumping is compulsory", 1) && jumps("a jump goes on", 2) && jumps("a jump of three", 3));
        assert!(jumps("of several", 1) && jumps("of several", 2));
        assert!(turns("a king's jump may return").iter().all(|turn| turn[..2] == turn[turn.len() - 2..]));
        for title in ["a man does not jump", "no jump over"] {
            assert!(turns(title).iter().all(|turn| !turn.contains('x')), "{title}");
        }
        assert!(jumps("a king jumps backward", 1));
        assert_eq!((turns("all pieces but one").len(), turns("the only turn").len()), (1, 1));
    }
}
