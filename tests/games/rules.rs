//! Legal turns compared with those of an independent program.

use std::collections::BTreeSet;

use kingline::checkers::Route;
use kingline::draw;
use kingline::game::{Game, Outcome};

use crate::support::moves::{lines, loa_lines};

#[test]
fn checkers_moves_match_the_data() {
    let mut positions = 0;
    for (position, expected) in lines() {
        let list = position.legal_moves();
        let found: BTreeSet<Vec<usize>> = list
            .iter()
            .flat_map(|&mv| Route::all(&position, mv))
            .map(|route| route.squares().iter().map(|square| square.number()).collect())
            .collect();
        assert_eq!(found, expected, "{position}\n{}", draw::framed(&position, &draw::CHECKERS));
        for &mv in &list {
            assert_eq!(position.parse_move(&position.notation(mv).to_string()), Ok(mv), "{position}");
        }
        positions += 1;
    }
    assert_eq!(positions, 600);
}

fn every_line_of_action<const N: usize>() {
    let (mut positions, mut wins, mut losses) = (0, 0, 0);
    for (position, expected) in loa_lines::<N>() {
        let list = position.legal_moves();
        let outcome = |mv| match position.play(mv).outcome() {
            Some(Outcome::Win(color)) if color == position.turn() => "+",
            Some(_) => "?",
            None => "",
        };
        let found: BTreeSet<String> =
            list.iter().map(|&mv| format!("{}{}", position.notation(mv), outcome(mv))).collect();
        assert_eq!(found, expected, "{position}");
        assert_eq!(found.len(), list.len(), "a move is listed twice");
        wins += usize::from(found.iter().any(|mv| mv.ends_with('+')));
        losses += usize::from(found.iter().any(|mv| mv.ends_with('?')));
        for &mv in &list {
            assert_eq!(position.parse_move(&position.notation(mv).to_string()), Ok(mv), "{position}");
        }
        positions += 1;
    }
    assert_eq!(positions, 600);
    assert!(wins > 40 && losses > 30, "{wins} {losses}");
}

#[test]
fn lines_of_action_moves_match_the_data() {
    every_line_of_action::<8>();
    every_line_of_action::<6>();
}
