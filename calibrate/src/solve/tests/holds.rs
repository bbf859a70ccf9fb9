//! A side that does not lose is found, and so is how.

use kingline_players::play::Why;
use kingline_players::play::solved::known_choice;
use kingline_players::progress::Status;

use super::*;
use crate::solve::cut::{Answers, Cut};
use crate::solve::graph::Graph;
use crate::solve::store::Fact;
use crate::solve::work::{Found, Task};

/// Returns the state of a claim about a position.
fn state<G: Evaluated>(store: &Store, position: &G, whose: Whose, aim: Aim) -> Option<State> {
    let claim = Claim { whose, aim };
    let states = solver(store).attempt(position, &[claim], 1_000_000_000, &mut Notes::new(store, 1, MINUTE)).unwrap();
    states.first().map(|&(_, state)| state)
}

#[test]
fn a_side_holds_where_it_does_not_lose() {
    let oracle = Oracle::<Position<4>>::from_start();
    let endless = oracle.positions().iter().filter(|&&form| oracle.value(form) == Value::Neither);
    let spread = oracle.positions().iter().step_by(oracle.positions().len() / 100);
    for &form in endless.chain(spread) {
        let position = Position::<4>::of_form(form, Color::Black).unwrap();
        // Each with a store of its own, so that none profits from what the others found.
        for (whose, holds) in [
            (Whose::Winner, !matches!(oracle.value(form), Value::Lost(_))),
            (Whose::Defender, !matches!(oracle.value(form), Value::Won(_))),
        ] {
            let folder = Folder::new();
            let store = Store::open::<Position<4>>(&folder.store()).unwrap();
            let expected = if holds { State::Proved } else { State::Lost };
            assert_eq!(state(&store, &position, whose, Aim::Hold), Some(expected), "{position}: {whose:?}");
            let is_stored = match (whose, holds) {
                (Whose::Winner, true) => store.reaches(&position, Aim::Hold),
                (Whose::Winner, false) => store.misses(form, Aim::Hold),
                (Whose::Defender, true) => store.misses(form, Aim::Win),
                (Whose::Defender, false) => store.reaches(&position, Aim::Win),
            };
            assert!(is_stored, "{position}: {whose:?}");
            let wrong = |&form: &u128| store.facts(form).not_won && matches!(oracle.value(form), Value::Won(_));
            assert_eq!(oracle.positions().iter().copied().find(wrong), None, "{position}: {whose:?}");
        }
    }
}

#[test]
fn a_cycle_holds() {
    let folder = Folder::new();
    let store = Store::open::<OnGraph<0>>(&folder.store()).unwrap();
    for whose in [Whose::Winner, Whose::Defender] {
        assert_eq!(state(&store, &OnGraph::<0>::start(), whose, Aim::Hold), Some(State::Proved));
    }
    let store = Store::open::<OnGraph<2>>(&Folder::new().store()).unwrap();
    assert_eq!(state(&store, &OnGraph::<2>::start(), Whose::Winner, Aim::Hold), Some(State::Proved));
    assert_eq!(state(&store, &OnGraph::<2>::start(), Whose::Winner, Aim::Win), Some(State::NotWon));
}

/// The loss that a graph finds instead of a hold is stored, even if only the graph and not the solver sees it.
#[test]
fn a_failed_hold_is_stored_as_a_loss() {
    let folder = Folder::new();
    let store = Store::open::<OnGraph<4>>(&folder.store()).unwrap();
    let start = OnGraph::<4>::start();
    let mut graph = Graph::new(&store, &start, Claim { whose: Whose::Winner, aim: Aim::Hold });
    while let Some((id, task)) = graph.next() {
        let found = match task {
            Task::Best(position) if position.legal_moves().is_empty() => {
                store.add(position.form(), Fact::Lost(0));
                Found::Refuted
            }
            Task::Best(position) | Task::Deepen(position, _) | Task::Others(position) | Task::Replies(position) => {
                position.legal_moves().into_iter().for_each(|mv| store.add(position.play(mv).form(), Fact::Score(0)));
                Found::More
            }
            Task::Solve(position, _) => {
                store.add(position.form(), Fact::Tried);
                Found::More
            }
        };
        graph.report(id, found);
    }
    assert_eq!((graph.result(), store.lost(start.form())), (Some(State::Lost), Some(2)));
}

/// A cycle back to the start also leads to the hardest leaf, and has an easier one of its own.
#[test]
fn the_hardest_leaf_is_next_despite_a_cycle() {
    let folder = Folder::new();
    let store = Store::open::<OnGraph<5>>(&folder.store()).unwrap();
    for (place, score) in [0, 0, 0, -100, 0, 0, 0, -50].into_iter().enumerate() {
        store.add(place as u128, Fact::Score(score));
    }
    [0, 1, 2, 4, 5, 6].into_iter().for_each(|place| store.add(place, Fact::Tried));
    let mut graph = Graph::new(&store, &OnGraph::<5>::start(), Claim { whose: Whose::Defender, aim: Aim::Hold });
    let mut tasks = [(); 2].map(|()| graph.next().unwrap());
    tasks.iter().for_each(|&(id, _)| graph.report(id, Found::More));
    tasks.swap(0, 1);
    let places = tasks.into_iter().chain(graph.next()).map(|(_, task)| match task {
        Task::Solve(position, _) => position.place,
        _ => panic!("expected a leaf: {task:?}"),
    });
    assert_eq!(places.collect::<Vec<_>>(), [7, 3, 3]);
}

/// A win at once holds, even if the graph has no move to follow since all end the game.
#[test]
fn a_move_that_ends_the_game_holds() {
    let oracle = Oracle::<Position<4>>::from_start();
    let positions = oracle.positions().iter().map(|&form| Position::<4>::of_form(form, Color::Black).unwrap());
    let all_end = |position: &Position<4>| {
        let mut after = position.legal_moves().into_iter().map(|mv| position.play(mv));
        after.all(|after| after.outcome().is_some())
    };
    let won = |position: &Position<4>| oracle.value(position.form()) == Value::Won(1);
    let found: Vec<Position<4>> = positions.filter(|position| won(position) && all_end(position)).take(3).collect();
    assert!(!found.is_empty());
    for position in found {
        let folder = Folder::new();
        let store = Store::open::<Position<4>>(&folder.store()).unwrap();
        assert_eq!(state(&store, &position, Whose::Winner, Aim::Hold), Some(State::Proved), "{position}");
    }
}

/// A player that does not win is an error, but what was found out is on disk.
#[test]
fn a_hold_is_saved() {
    let folder = Folder::new();
    let store = Store::open::<OnGraph<0>>(&folder.store()).unwrap();
    proved_on_graph::<0>(&store, Winner::Second).unwrap_err();
    drop(store);
    let store = Store::open::<OnGraph<0>>(&folder.store()).unwrap();
    assert!(store.reaches(&OnGraph::<0>::start(), Aim::Hold));
}

/// Positions of 4x4 that neither side wins have strategies for both sides, and altered ones are refused.
#[test]
fn endless_games_have_strategies() {
    let oracle = Oracle::<Position<4>>::from_start();
    let folder = Folder::new();
    let store = Store::open::<Position<4>>(&folder.store()).unwrap();
    let endless = oracle.positions().iter().filter(|&&form| oracle.value(form) == Value::Neither);
    for position in endless.step_by(10).map(|&form| Position::<4>::of_form(form, Color::Black).unwrap()) {
        let goal = Goal::new(position, Winner::Either);
        assert_eq!(proved(&store, position, Winner::Either).unwrap(), Verdict::Neither);
        let whole = strategy::whole(&store, &[Goal::new(position, Winner::Either)]).unwrap();
        assert!(whole.iter().any(|&(_, plies)| plies == ENDLESS));
        assert_eq!(verified(&whole, goal), None, "{position}");
        for &(form, plies) in &whole {
            let right = match oracle.value(form) {
                Value::Won(_) => false,
                Value::Neither => plies == ENDLESS,
                Value::Lost(least) => plies == ENDLESS || u16::from(plies) >= least,
            };
            assert!(right, "{form:#x}: {plies}");
        }
        // Without a position, something is missing, unless another move holds as well.
        let is_refused = |place: usize| {
            let mut missing = whole.clone();
            missing.remove(place);
            verified(&missing, goal).is_some() || Known::new(&missing).verdict(&goal) != Some(Verdict::Neither)
        };
        assert!((0..whole.len()).any(is_refused), "{position}");
        // A position with a win in one.
        let won = oracle.positions().iter().find(|&&form| oracle.value(form) == Value::Won(1)).unwrap();
        let more: Vec<_> = whole.iter().copied().chain([(*won, ENDLESS)]).collect();
        assert_eq!(verified(&more, goal).unwrap(), "the strategy is wrong: 1 failures");
    }
}

/// Returns what is wrong with this strategy for a goal.
fn verified(positions: &[(u128, u8)], goal: Goal<Position<4>>) -> Option<String> {
    let bytes = Strategy::<Position<4>>::to_bytes(positions.iter().copied(), 0);
    let strategy = Strategy::<Position<4>>::open(&bytes).unwrap();
    verify::run(&strategy, &[goal], Threads::new(Some(1))).err().map(|error| error.to_string())
}

/// Returns the part of a strategy that `loa6` needs for a goal.
fn cut(whole: &Strategy<'_, Position<6>>, goal: Goal<Position<6>>, fewest: u8) -> Vec<u8> {
    let folder = Folder::new();
    let cut = Cut { whole, goals: &[goal], fewest, threads: Threads::new(Some(1)) };
    let answers = Answers::open(&folder.store(), 250_000).unwrap();
    let bytes = cut.part(&answers, &mut Status::new()).unwrap();
    answers.remove().unwrap();
    bytes
}

/// The cut for one side has its holds alone, and `loa6` does not lose with it.
#[test]
fn a_cut_strategy_holds() {
    let folder = Folder::new();
    let store = Store::open::<Position<6>>(&folder.store()).unwrap();
    let threads = || Threads::new(Some(1));
    for text in ["---b--/--bw--/------/------/----w-/--bw-- black", "bb----/w-w---/----w-/----b-/------/------ black"] {
        let start: Position<6> = text.parse().unwrap();
        assert_eq!(proved(&store, start, Winner::Either).unwrap(), Verdict::Neither);
        let both = strategy::whole(&store, &[Goal::new(start, Winner::Either)]).unwrap();
        let endless = |positions: &[(u128, u8)]| positions.iter().filter(|&&(_, plies)| plies == ENDLESS).count();
        let bytes = Strategy::<Position<6>>::to_bytes(both.iter().copied(), 0);
        let whole = Strategy::open(&bytes).unwrap();
        let bytes = cut(&whole, Goal::new(start, Winner::Mover), 15);
        let part = Strategy::open(&bytes).unwrap();
        let kept: Vec<(u128, u8)> = part.positions().collect();
        assert!((1..endless(&both)).contains(&endless(&kept)), "{kept:?} of {both:?}");
        assert!(verify::with_solver(&part, &[start], 250_000, threads(), Status::new()).is_ok());
        assert!(matches!(known_choice(&start, &part).unwrap().why, Why::Held));
        // A position that the other side wins is kept itself, to tell that it is lost.
        let &(form, plies) = both.iter().filter(|&&(_, plies)| plies != ENDLESS).max_by_key(|it| it.1).unwrap();
        let goal = Goal::new(Position::of_form(form, Color::Black).unwrap(), Winner::Second);
        let bytes = cut(&whole, goal, ENDLESS);
        assert_eq!(Strategy::<Position<6>>::open(&bytes).unwrap().plies(form), Some(plies));
        // Each of the holds is needed.
        for missing in kept.iter().filter(|&&(_, plies)| plies == ENDLESS) {
            let bytes = Strategy::<Position<6>>::to_bytes(kept.iter().copied().filter(|it| it != missing), 15);
            assert!(
                verify::with_solver(&Strategy::open(&bytes).unwrap(), &[start], 250_000, threads(), Status::new())
                    .is_err(),
                "{missing:?}"
            );
        }
    }
}
