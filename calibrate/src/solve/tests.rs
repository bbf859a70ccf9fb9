//! Made-up games are solved correctly, and wrong strategies are refused.

use std::path::PathBuf;
use std::time::Duration;

use kingline::game::{Canonical, Color, Game, Outcome};
use kingline::knowledge::solved::{ENDLESS, Strategy};
use kingline::loa::Position;

use super::evaluated::Evaluated;
use super::goal::{Goal, Winner};
use super::node::{Aim, Claim, State, Whose};
use super::notes::Notes;
use super::oracle::{Oracle, Value};
use super::plan::Plan;
use super::report::Verdict;
use super::run::Solver;
use super::store::Store;
use super::verify::{Failure, Known, check};
use super::{longest, prove, strategy, verify};
use crate::threads::Threads;

mod graphs;
mod holds;
mod improve;
mod strategies;
mod walks;

use graphs::OnGraph;

const MINUTE: Duration = Duration::from_secs(60);

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }
    fn store(&self) -> PathBuf {
        self.0.path().join("store")
    }
}

/// Returns what is proved about a position. An error tells that this winner does not win.
fn proved<G: Evaluated>(store: &Store, start: G, winner: Winner) -> anyhow::Result<Verdict> {
    let mut notes = Notes::new(store, 1, MINUTE);
    Ok(prove::prove(&solver(store), &Goal::new(start, winner), &mut notes)?.verdict)
}

fn solver(store: &Store) -> Solver<'_> {
    Solver { store, threads: Threads::new(Some(2)), bytes: 16 << 20, save: MINUTE, budget: 40_000_000 }
}

fn proved_on_graph<const GRAPH: usize>(store: &Store, winner: Winner) -> anyhow::Result<Verdict> {
    proved(store, OnGraph::<GRAPH>::start(), winner)
}

/// Returns the whole strategy of this player, if it is proved to win.
fn solved<const GRAPH: usize>(winner: Winner) -> Option<Vec<(u128, u8)>> {
    let folder = Folder::new();
    let store = Store::open::<OnGraph<GRAPH>>(&folder.store()).unwrap();
    proved_on_graph::<GRAPH>(&store, winner).ok()?;
    let mut positions = strategy::whole(&store, &[Goal::new(OnGraph::<GRAPH>::start(), winner)]).ok()?;
    positions.sort_unstable();
    Some(positions)
}

/// Returns what is proved about a start if either player may win, and the error if the first player should.
fn verdicts<const GRAPH: usize>() -> (Verdict, Option<String>) {
    let of = |winner| {
        let folder = Folder::new();
        proved_on_graph::<GRAPH>(&Store::open::<OnGraph<GRAPH>>(&folder.store()).unwrap(), winner)
    };
    (of(Winner::Either).unwrap(), of(Winner::First).err().map(|error| error.to_string()))
}

#[test]
fn no_win_rests_on_a_cycle() {
    for winner in [Winner::Mover, Winner::First, Winner::Second] {
        assert_eq!(solved::<0>(winner), None);
        assert_eq!(solved::<2>(winner), None);
    }
    assert_eq!(solved::<0>(Winner::Either), Some(vec![(0, ENDLESS), (1, ENDLESS)]));
    let holding = solved::<2>(Winner::Either).unwrap();
    assert!(holding.iter().any(|&(place, plies)| (place, plies) == (0, ENDLESS)), "{holding:?}");
}

#[test]
fn an_endless_game_and_a_loss_are_told_apart() {
    let endless = "the side to move does not win: the other side can at least go on without end";
    for (verdict, error) in [verdicts::<0>(), verdicts::<2>()] {
        assert_eq!(verdict, Verdict::Neither);
        assert!(error.unwrap().ends_with(endless));
    }
    let (verdict, error) = verdicts::<4>();
    assert_eq!(verdict, Verdict::Lost(2));
    assert!(error.unwrap().ends_with("the side to move loses, in at most 2 plies"));
    assert_eq!(verdicts::<1>(), (Verdict::Won(3), None));
}

#[test]
fn the_second_player_wins_and_has_a_strategy() {
    assert_eq!(solved::<4>(Winner::Second), Some(vec![(0, 2), (2, 0)]));
    assert_eq!(solved::<4>(Winner::Either), Some(vec![(0, 2), (2, 0)]));
    let bytes = Strategy::<OnGraph<4>>::to_bytes([(0, 2), (2, 0)], 0);
    let strategy = Strategy::<OnGraph<4>>::open(&bytes).unwrap();
    let verify = |winner| {
        verify::run(&strategy, &[Goal::new(OnGraph::start(), winner)], Threads::new(Some(1))).map(drop).is_ok()
    };
    let winners = [Winner::Second, Winner::Either, Winner::First, Winner::Mover];
    assert_eq!(winners.map(verify), [true, true, false, false]);
    // Not the position after the last move.
    let bytes = Strategy::<OnGraph<4>>::to_bytes([(0, 2)], 0);
    let strategy = Strategy::<OnGraph<4>>::open(&bytes).unwrap();
    let goals = [Goal::new(OnGraph::start(), Winner::Second)];
    assert!(verify::run(&strategy, &goals, Threads::new(Some(1))).is_err());
}

#[test]
fn the_values_of_four_columns_are_those_of_a_full_solution() {
    let folder = Folder::new();
    let store = Store::open::<Position<4>>(&folder.store()).unwrap();
    let oracle = Oracle::<Position<4>>::from_start();
    let neither = oracle.positions().iter().filter(|&&form| oracle.value(form) == Value::Neither).count();
    assert_eq!((oracle.positions().len(), neither), (156_169, 118));
    let spread = oracle.positions().iter().step_by(oracle.positions().len() / 200);
    let endless = oracle.positions().iter().filter(|&&form| oracle.value(form) == Value::Neither);
    let mut counts = [0; 3];
    for &form in spread.chain(endless.step_by(4)) {
        let position = Position::<4>::of_form(form, Color::Black).unwrap();
        let verdict = proved(&store, position, Winner::Either).unwrap();
        let (place, is_right) = match (oracle.value(form), verdict) {
            (Value::Won(least), Verdict::Won(plies)) => (0, plies >= least),
            (Value::Lost(least), Verdict::Lost(plies)) => (1, plies >= least),
            (Value::Neither, Verdict::Neither) => (2, true),
            _ => (0, false),
        };
        assert!(is_right, "{position}: {verdict}, expected {:?}", oracle.value(form));
        counts[place] += 1;
        for (winner, is_won) in [(Winner::First, place == 0), (Winner::Second, place == 1)] {
            let proof = proved(&store, position, winner);
            assert_eq!(proof.is_ok(), is_won, "{position}: {winner:?}");
        }
    }
    assert!(counts.iter().all(|&count| count >= 5), "{counts:?}");
    let not_won: Vec<u128> = oracle.positions().iter().copied().filter(|&form| store.facts(form).not_won).collect();
    let is_wrong = |&form: &u128| matches!(oracle.value(form), Value::Won(_));
    assert_eq!(not_won.iter().copied().find(is_wrong), None);
    assert!(not_won.len() >= 30, "{}", not_won.len());
}

/// Returns what is wrong with these positions.
fn failures(positions: &[(u128, u8)]) -> Vec<Failure> {
    let known = Known::new(positions);
    positions.iter().filter_map(|&(form, plies)| check::<Position<5>>(&known, form, plies).err()).collect()
}

#[test]
fn a_plan_divides_a_proof_into_small_ones() {
    let start = Position::<5>::start();
    let after = start.play(start.parse_move("b1-b3").unwrap());
    for (position, whose, succeeds) in
        [(start, Whose::Winner, true), (after, Whose::Defender, true), (after, Whose::Winner, false)]
    {
        let folder = Folder::new();
        let store = Store::open::<Position<5>>(&folder.store()).unwrap();
        let (solver, mut notes) = (solver(&store), Notes::new(&store, 1, MINUTE));
        let claim = Claim { whose, aim: Aim::Win };
        let tree = solver.attempt(&position, &[claim], 10_000, &mut notes).unwrap();
        assert_eq!(tree, [], "the tree alone does not decide it: {position}");
        let plan = Plan::new(&solver, &mut notes, &position, whose, 10_000);
        assert_eq!(plan.succeeds(&position).unwrap(), succeeds, "{whose:?}: {position}");
        if succeeds {
            assert_eq!(
                failures(&strategy::whole(&store, &[Goal::new(position, Winner::Either)]).unwrap()),
                [],
                "{position}"
            );
        }
    }
}

#[test]
fn a_win_beside_a_cycle_is_found() {
    for winner in [Winner::First, Winner::Either] {
        assert_eq!(solved::<1>(winner), Some(vec![(3, 2), (5, 0)]));
        assert_eq!(solved::<3>(winner), Some(vec![(3, 2), (5, 0)]));
    }
}

#[test]
fn a_strategy_with_a_cycle_is_refused() {
    // Whatever plies are claimed, they do not decrease along the cycle.
    for plies in [1, 2, 3, 4, 100, ENDLESS] {
        let positions = [(1, plies)];
        let bytes = Strategy::<OnGraph<0>>::to_bytes(positions, 0);
        let strategy = Strategy::<OnGraph<0>>::open(&bytes).unwrap();
        let goals = [Goal::new(OnGraph::start(), Winner::First)];
        assert!(verify::run(&strategy, &goals, Threads::new(Some(1))).is_err());
    }
}
