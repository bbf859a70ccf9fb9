//! A player's games against every reply are all seen.

use super::*;
use crate::progress::Status;
use crate::solve::walk::played::Played;
use crate::solve::walk::{Taken, Walk};

/// Walks the games on graph 3 of a player that makes `moves`, each from one place to another, with this aim.
fn walk(moves: &[(u8, u8, Aim)]) -> Walk {
    let policy = |position: &OnGraph<3>| {
        let found = moves.iter().find(|&&(from, ..)| from == position.place);
        Ok(found.map(|&(_, to, aim)| Taken { aim, after: position.play(to), nodes: to.into() }))
    };
    Walk::of(&[OnGraph::start()], &policy, Threads::new(Some(1)), &mut Status::new()).unwrap()
}

fn forms(walk: &Walk, places: &[usize]) -> Vec<u128> {
    places.iter().map(|&place| walk.form(place)).collect()
}

#[test]
fn a_player_meets_every_reply() {
    let played = walk(&[(0, 3, Aim::Win), (4, 5, Aim::Win)]).played();
    assert_eq!(played, Ok(Played { positions: 2, solved: 2, most_nodes: 5, held: 0, longest: 3 }));
    let stuck = walk(&[(0, 3, Aim::Win)]);
    assert_eq!(forms(&stuck, &stuck.stuck()), [4]);
    let around = walk(&[(0, 6, Aim::Win), (7, 6, Aim::Win)]);
    assert!(around.stuck().is_empty());
    assert_eq!(around.played().map_err(|ways| forms(&around, &ways[0])), Err(vec![7]));
    assert_eq!((around.way_to(1), around.way_to(0)), (vec![0], vec![]));
}

#[test]
fn a_cycle_is_enough_to_hold_but_not_to_win() {
    let holding = walk(&[(0, 6, Aim::Hold), (7, 6, Aim::Hold)]);
    assert!(holding.stuck().is_empty());
    assert_eq!(holding.played(), Ok(Played { positions: 2, solved: 2, most_nodes: 6, held: 2, longest: 0 }));
    // After a move to win, the player must go on to win.
    let astray = walk(&[(0, 6, Aim::Win), (7, 6, Aim::Hold)]);
    assert_eq!(forms(&astray, &astray.stuck()), [7]);
    // First reached by a move to hold, then by one to win.
    let late = walk(&[(0, 6, Aim::Hold), (7, 6, Aim::Win)]);
    assert_eq!((late.way_to(1), late.way_to(0)), (vec![1], vec![]));
    let won = walk(&[(0, 3, Aim::Hold), (4, 5, Aim::Win)]);
    assert_eq!((won.stuck().len(), won.held().count(), won.played().map(|it| it.longest)), (0, 1, Ok(1)));
}
