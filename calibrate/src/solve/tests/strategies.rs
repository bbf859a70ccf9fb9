//! Whole strategies are right, and every altered one is refused.

use super::*;

/// Returns the complete strategy for 5x5 Lines of Action.
fn small() -> Vec<(u128, u8)> {
    let folder = Folder::new();
    let store = Store::open::<Position<5>>(&folder.store()).unwrap();
    let start = Position::<5>::start();
    proved(&store, start, Winner::First).unwrap();
    strategy::whole(&store, &[Goal::new(start, Winner::First)]).unwrap()
}

#[test]
fn a_whole_strategy_is_verified_and_every_altered_one_refused() {
    let whole = small();
    assert_eq!(failures(&whole), []);
    let start = Position::<5>::start();
    let longest = whole.iter().map(|&(_, plies)| plies).max().unwrap();
    assert_eq!(Known::new(&whole).won(&start), Some(u16::from(longest) + 1));
    for place in 0..whole.len() {
        // Removes a reply. Each position that needs it is refused; if none does, the start is not won.
        let mut missing = whole.clone();
        let (form, plies) = missing.remove(place);
        assert!(!failures(&missing).is_empty() || Known::new(&missing).won(&start).is_none(), "{form:#x}");
        if plies > 0 {
            // A distance that does not decrease.
            let mut nearer = whole.clone();
            nearer[place].1 = plies - 1;
            assert!(!failures(&nearer).is_empty(), "{form:#x}");
        }
    }
    // An incomplete strategy.
    let bytes = Strategy::<Position<5>>::to_bytes(whole.iter().copied(), 6);
    let cut = Strategy::<Position<5>>::open(&bytes).unwrap();
    let goals = [Goal::new(start, Winner::First)];
    let error = verify::run(&cut, &goals, Threads::new(Some(1))).unwrap_err().to_string();
    assert!(error.ends_with("of fewer than 6 plies, expected a complete one"), "{error}");
    // A wrong move, and a leaf that is not a win: a position that is not lost.
    for (form, _) in &whole[..20] {
        let position = Position::<5>::of_form(*form, Color::White).unwrap();
        let mut more = whole.clone();
        let after = position.legal_moves().into_iter().map(|mv| position.play(mv)).find(|it| it.outcome().is_none());
        let Some(won) = after else { continue };
        more.push((won.form(), 0));
        let failures = failures(&more);
        assert!(failures.iter().any(|failure| failure.to_string().starts_with(&shown(won.form()))), "{failures:?}");
    }
    // A form without a position, and a position where the game is over.
    let over: Position<5> = "bb---/-----/w---w/-----/----- white".parse().unwrap();
    for (form, what) in [(u128::from(u64::MAX), "no position has this form"), (over.form(), "the game is over")] {
        let wrong = failures(&[(form, 2)]);
        assert!(wrong[0].to_string().ends_with(what), "{wrong:?}");
    }
}

/// Returns a position as a failure names it.
fn shown(form: u128) -> String {
    Position::<5>::of_form(form, Color::White).unwrap().to_string()
}

#[test]
fn the_longest_game_has_the_plies_of_the_strategy() {
    let bytes = Strategy::<Position<5>>::to_bytes(small(), 0);
    let strategy = Strategy::<Position<5>>::open(&bytes).unwrap();
    let start = Position::<5>::start();
    let record = longest::game(&strategy, start).unwrap();
    assert_eq!(record.result(), Some(Outcome::Win(Color::Black)));
    assert_eq!(Some(record.moves().len() as u16), strategy.winning_move(&start).map(|(_, plies)| plies));
    assert!(longest::game(&strategy, start.with_turn(Color::White).play(start.legal_moves()[0])).is_err());
}
