//! Properties of every game and its evaluation, on random games and boards.
//!
//! The games are listed once, at the end; a test fails if a game of the library is missing there.

pub(crate) mod conforming;

use std::collections::HashMap;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

use conforming::Conforming;
use kingline::game::{Color, Evaluator, Game, History, MAX_MOVES, MoveList, Outcome, Progress, perft};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::{TestError, TestRunner};

fn moves<G: Game>(position: &G) -> Vec<G::Move> {
    let list = position.legal_moves();
    list.to_vec()
}

/// Plays a random game, choosing each move by the next pick, until the rules end it or the picks run out. Returns its
/// positions and moves.
pub(crate) fn play<G: Game>(start: G, picks: &[Index]) -> Vec<(G, G::Move)> {
    let mut position = start;
    let mut game = Vec::new();
    for pick in picks {
        let list = moves(&position);
        if list.is_empty() || position.outcome().is_some() {
            break;
        }
        let mv = *pick.get(&list);
        game.push((position, mv));
        position = position.play(mv);
    }
    game
}

pub(crate) fn picks() -> impl Strategy<Value = Vec<Index>> {
    vec(any::<Index>(), 0..160)
}

/// The last position of a random game.
pub(crate) fn played<G: Conforming>() -> impl Strategy<Value = G> {
    picks().prop_map(|picks| play(G::start(), &picks).last().map_or(G::start(), |&(position, mv)| position.play(mv)))
}

pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

#[track_caller]
fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    match TestRunner::new(config(cases)).run(&strategy, test) {
        Ok(()) => {}
        Err(TestError::Abort(why)) => panic!("gave up: {why}"),
        Err(TestError::Fail(why, value)) => panic!("{why}\nwith {value:?}"),
    }
}

/// Generates the same values every time.
fn samples<T: Debug>(count: usize, strategy: impl Strategy<Value = T>) -> impl Iterator<Item = T> {
    let mut runner = TestRunner::deterministic();
    (0..count).map(move |_| strategy.new_tree(&mut runner).expect("a value").current())
}

fn positions<G: Conforming>() {
    let position = || prop_oneof![played::<G>(), G::any_board()];
    check(1000, position(), |position| {
        let again: G = position.to_string().parse().expect("its own text");
        prop_assert_eq!((again, again.key()), (position, position.key()));

        let list = moves(&position);
        prop_assert!(list.len() < MAX_MOVES);
        let written: Vec<String> = list.iter().map(|&mv| position.notation(mv).to_string()).collect();
        for (index, &mv) in list.iter().enumerate() {
            prop_assert!(!list[..index].contains(&mv), "{} twice", &written[index]);
            prop_assert!(!written[..index].contains(&written[index]), "{} twice", &written[index]);
            prop_assert_eq!(position.parse_move(&written[index]), Ok(mv));
            prop_assert!(G::slot(mv) < G::SLOTS);
            let after = position.play(mv);
            prop_assert_eq!(after.turn(), !position.turn());
            let again: G = after.to_string().parse().expect("its own text");
            prop_assert_eq!((again, again.key()), (after, after.key()), "{} from {}", &written[index], position);
            let quiet = after.placed().len() == position.placed().len();
            // Games whose static evaluation suffices have no quiescence search.
            let calm = G::STATIC_EVAL_SUFFICES && position.is_quiet(mv);
            prop_assert!(calm || position.is_quiet(mv) == quiet, "{}", &written[index]);
            prop_assert!(quiet || position.progress(mv) == Progress::Zeroing, "{}", &written[index]);
        }

        let won = Some(Outcome::Win(position.turn()));
        let wins = list.iter().any(|&mv| position.play(mv).outcome() == won);
        prop_assert_eq!(position.wins_at_once(), wins, "{}", position);

        let mut noisy = MoveList::new();
        let has_quiet = position.noisy_moves(&mut noisy);
        let is_noisy = |mv: &&G::Move| !position.is_quiet(**mv);
        prop_assert_eq!(noisy.to_vec(), list.iter().filter(is_noisy).copied().collect::<Vec<_>>());
        prop_assert_eq!(has_quiet, noisy.len() < list.len());

        if let Some(passed) = position.pass() {
            prop_assert_eq!((passed.turn(), passed.placed()), (!position.turn(), position.placed()));
            prop_assert_eq!(passed.to_string().parse(), Ok(passed));
            prop_assert_eq!(passed.pass(), Some(position));
        }
        Ok(())
    });
}

fn images<G: Conforming>() {
    let position = || prop_oneof![played::<G>(), G::any_board()];
    let children = |position: &G| -> Vec<G> { moves(position).into_iter().map(|mv| position.play(mv)).collect() };
    let sorted = |positions: Vec<G>| {
        let mut keys: Vec<u64> = positions.iter().map(Game::key).collect();
        keys.sort_unstable();
        keys
    };
    check(200, position(), |position| {
        let leaves = perft(position, 3);
        for (number, image) in position.images().into_iter().enumerate() {
            let winner = |color: Color| if image.turn() == position.turn() { color } else { !color };
            let expected = position.outcome().map(|outcome| match outcome {
                Outcome::Win(color) => Outcome::Win(winner(color)),
                Outcome::Draw => Outcome::Draw,
            });
            prop_assert_eq!(image.outcome(), expected, "{} and {}", position, image);
            let expected = children(&position).iter().map(|child| child.images()[number]).collect();
            prop_assert_eq!(sorted(children(&image)), sorted(expected), "{} and {}", position, image);
            prop_assert_eq!(perft(image, 3), leaves, "{} and {}", position, image);
        }
        Ok(())
    });
}

fn keys<G: Conforming>() {
    let mut known: HashMap<u64, G> = HashMap::new();
    for picks in samples(60, picks()) {
        for (position, _) in play(G::start(), &picks) {
            for after in moves(&position).into_iter().map(|mv| position.play(mv)).chain(position.pass()) {
                let other = known.insert(after.key(), after);
                assert!(other.is_none_or(|other| other == after), "same key: {after} and {other:?}");
            }
        }
    }
    assert!(known.len() > 10_000, "{}", known.len());
}

fn histories<G: Conforming>() {
    check(300, picks(), |picks| {
        let mut history = History::new(G::start());
        let (mut quiet, mut seen) = (0, vec![G::start()]);
        for (position, mv) in play(G::start(), &picks) {
            history.play(mv);
            quiet = if position.progress(mv) == Progress::Zeroing { 0 } else { quiet + 1 };
            seen.push(position.play(mv));
            prop_assert_eq!(history.position(), position.play(mv));
            prop_assert_eq!((history.quiet_turns(), history.positions().len()), (quiet, usize::from(quiet) + 1));
            // Counts all earlier positions, not only those that the history keeps.
            prop_assert_eq!(history.occurrences(), seen.iter().filter(|&&one| one == history.position()).count());
        }
        Ok(())
    });
}

/// Plays games that take moves back where possible: positions must repeat after reversible moves, and only then.
fn progress<G: Conforming>() {
    let mut back = 0;
    for (start, picks) in samples(400, (G::any_board(), picks())) {
        let mut seen = vec![start];
        let mut reversible = 0;
        for pick in &picks {
            let position = seen[seen.len() - 1];
            let list = moves(&position);
            if list.is_empty() {
                break;
            }
            let returns = |&&mv: &&G::Move| seen.contains(&position.play(mv));
            let mv = list.iter().find(returns).copied().unwrap_or_else(|| *pick.get(&list));
            reversible = if position.progress(mv) == Progress::Reversible { reversible + 1 } else { 0 };
            let after = position.play(mv);
            if let Some(since) = seen.iter().rev().position(|&earlier| earlier == after) {
                assert!(since < reversible, "{after} recurs after an irreversible move");
                back += 1;
            }
            seen.push(after);
        }
    }
    assert!(back > 100, "{back}");
}

fn evaluation<G: Conforming>() {
    let evaluator = G::Evaluator::default();
    let value = |position: &G| evaluator.evaluate(&evaluator.start(position), position);
    check(200, (prop_oneof![Just(G::start()), G::any_board()], picks()), |(start, picks)| {
        let mut state = evaluator.start(&start);
        let mut next = state.clone();
        for (position, mv) in play(start, &picks) {
            prop_assert!(!value(&position).is_decided());
            for image in position.valued_alike() {
                prop_assert_eq!(value(&image), value(&position), "{} and {}", image, position);
            }
            let after = position.play(mv);
            evaluator.advance(&state, &position, mv, &after, &mut next);
            std::mem::swap(&mut state, &mut next);
            prop_assert_eq!(&state, &evaluator.start(&after));
            if let Some(passed) = after.pass() {
                evaluator.passed(&state, &passed, &mut next);
                prop_assert_eq!(&next, &evaluator.start(&passed));
            }
        }
        Ok(())
    });
}

fn texts<G: Conforming>() {
    check(2000, (any::<String>(), G::any_board()), |(text, position)| {
        let _ = text.parse::<G>();
        let _ = position.parse_move(&text);
        Ok(())
    });
}

#[test]
fn every_game_of_the_library_is_listed() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut folders, mut found) = (vec![source.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a source file");
            if text.lines().any(|line| line.starts_with("impl") && line.contains(" Game for ")) {
                let inside = path.strip_prefix(source).expect("a file of the library").with_extension("");
                let module = inside.iter().next().expect("a module").to_string_lossy();
                let listed = GAMES.iter().any(|game| game.contains(&format!("::{module}::")));
                assert!(listed, "the game of {module} is not among {GAMES:?}");
                found += 1;
            }
        }
    }
    assert!(found >= 2, "{found}");
}

/// All games of the library, each with the tests above.
macro_rules! games {
    ($($name:ident: $game:ty,)*) => {
        const GAMES: &[&str] = &[$(stringify!($game)),*];
        $(
            mod $name {
                games!(@tests $game: positions images keys histories progress evaluation texts);
            }
        )*
    };
    (@tests $game:ty: $($test:ident)*) => {
        $(
            #[test]
            fn $test() {
                super::$test::<$game>();
            }
        )*
    };
}

games! {
    checkers_8x8: kingline::checkers::Position,
    loa_8x8: kingline::loa::Position<8>,
    loa_6x6: kingline::loa::Position<6>,
}
