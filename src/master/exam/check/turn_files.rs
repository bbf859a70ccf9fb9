//! Checks of a checkers agent, which plays through `input.txt` and `output.txt`.

use super::bench::{TurnFilesBench, habits, in_words};
use super::files::{self, FileStep};
use super::ladder::{ENDS, Rung, SILENT, STARTS, climb};
use super::step::{StepResult, Walk};
use super::{ShownBoard, game, processes};
use crate::exam::samples;
use crate::league::League;
use crate::record::FaultKind;
use crate::referee::players::Contestant;
use crate::sandbox::Workspace;
use kingline::checkers::Position;
use kingline::game::{Color, Game};
use kingline_players::protocol::turn_files::{INPUT, Mode, TurnRequest};

/// The contract's first example, with seven legal steps. Any of them is correct.
const FIRST: &str = samples::OPENING;

const RUNGS: [Rung; 5] = [
    STARTS,
    ENDS,
    Rung { section: "§2", title: "it writes output.txt", stops: SILENT },
    Rung { section: "§2", title: "output.txt has the form of a turn", stops: &[FaultKind::IllFormed] },
    Rung { section: "§1", title: "it is a legal turn", stops: &[FaultKind::Illegal] },
];

/// Sections, rules, and positions that an agent gets wrong if it does not know the rule.
const POSITIONS: [(&str, &str, &str); 18] = [
    ("§1", "the start of a game", samples::FIRST_MOVE),
    ("§1", "jumping is compulsory", samples::CRLF),
    ("§1", "jumping is compulsory, even if it loses", samples::LURED),
    ("§1", "a jump continues as long as the piece can jump", samples::DOUBLE_JUMP),
    ("§1", "a jump of three does not stop after two", samples::THREE_JUMPS),
    ("§1", "any of several jumps may be chosen", samples::SHORT_OR_LONG),
    ("§1", "a king's jump may return to its first square", samples::KING_CIRCLE),
    ("§1", "a king's jump may cross its own path", samples::KING_RING),
    ("§1", "a man does not jump backward", samples::NEVER_BACK),
    ("§1", "a king may jump backward, and must", samples::KING_BACK),
    ("§1", "no jump over two pieces, over a piece of the same side, or off the board", samples::NO_JUMP),
    ("§1", "crowning ends the turn, even a jump that could continue", samples::CROWNED),
    ("§1", "a lone king, which can go back and forth", samples::BETWEEN_TWO_KINGS),
    ("§1", "only one piece can move", samples::ALL_BUT_BLOCKED),
    ("§1", "the only turn, which loses", samples::ONE_MOVE),
    ("§1", "every turn loses, but one must be played", samples::LOST),
    ("§1", "a win in one turn", samples::WIN_IN_ONE),
    ("§1", "a jump that captures the last piece", samples::LAST_PIECE),
];

/// Boards that hardly any game has. The contract allows them, but an agent that fails there loses no game.
const UNREACHABLE: [(&str, &str, &str); 2] = [
    ("§2", "a board that no game can reach", samples::CROWNING_ROW),
    ("§2", "twelve kings a side", samples::TWELVE_KINGS),
];

/// A position with a single legal turn, which captures the last piece.
const NO_CHOICE: &str = samples::LAST_PIECE;

/// Seconds left in [`POSITIONS`]: plenty, since they test only the rules.
const EASY: f64 = 30.0;
/// Seconds left in [`NO_CHOICE`], where there is nothing to search.
const SHORT: f64 = 10.0;

/// Runs all steps, from the first answer to a few turns of a game.
pub(super) fn walk(
    walk: &mut Walk,
    workspace: Workspace,
    league: &League,
    contestant: &Contestant,
) -> anyhow::Result<()> {
    let mut bench = TurnFilesBench::new(workspace, league, contestant)?;
    if !first_answer(walk, &mut bench)? {
        walk.skip("§1", "all other steps", "the program cannot be started");
        return Ok(());
    }
    walk.step("§2", "a turn with one legal move, to measure start-up time", || start_up(&mut bench))?;
    for (section, title, input) in POSITIONS {
        walk.step(section, title, || both_colors(&mut bench, input))?;
    }
    for (section, title, input) in UNREACHABLE {
        walk.step(section, title, || {
            Ok(both_colors(&mut bench, input)?.unwise("not required in games: the master never asks this there"))
        })?;
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

/// Reports the first answer as steps; returns true if the program can be started.
fn first_answer(walk: &mut Walk, bench: &mut TurnFilesBench) -> anyhow::Result<bool> {
    let request = TurnRequest::parse(FIRST)?;
    let first = bench.turn(in_words(&request), &request.to_string(), &request.position, request.left)?;
    Ok(climb(walk, &RUNGS, &first))
}

/// Asks for the only legal turn in a position. It wins at once, so there is nothing to search.
fn start_up(bench: &mut TurnFilesBench) -> anyhow::Result<StepResult> {
    const TIMES: usize = 3;
    let position = TurnRequest::parse(NO_CHOICE)?.position;
    let mut found = StepResult::did(format!("asked {TIMES} times"));
    for _ in 0..TIMES {
        bench.ask_after_reset(&mut found, Mode::Single, position, SHORT)?;
        if !found.findings.is_empty() {
            break;
        }
    }
    if let Some(quickest) = bench.start_up.quickest() {
        found.did += &format!("; the quickest turn so far took {:.3} s", quickest.as_secs_f64());
    }
    Ok(found)
}

/// Asks for a turn in a position as given, and again with the colors swapped. A single move, since an agent may take a
/// game without playdata.txt for the first turn of one.
fn both_colors(bench: &mut TurnFilesBench, input: &str) -> anyhow::Result<StepResult> {
    let position = TurnRequest::parse(input)?.position;
    let mut found =
        StepResult::did(format!("asked as {}, and as {} on the flipped board", position.turn(), !position.turn()));
    for position in [position, position.flipped()] {
        bench.ask_after_reset(&mut found, Mode::Single, position, EASY)?;
        if found.is_stuck() {
            break;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::checkers::Route;

    /// All legal turns in a position of the table, as squares.
    fn turns(title: &str) -> Vec<String> {
        let (.., input) = POSITIONS.iter().find(|(_, known, _)| known.starts_with(title)).unwrap();
        ShownBoard::Checkers(TurnRequest::parse(input).unwrap().position).legal()
    }

    #[test]
    fn every_position_has_a_turn_from_both_sides() {
        for (_, title, input) in POSITIONS.into_iter().chain(UNREACHABLE) {
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
