//! Made-up games are solved correctly, and wrong strategies are refused.

mod games;
mod holds;

use std::path::PathBuf;
use std::time::Duration;

use kingline::game::{Canonical, Color, Game, Outcome};
use kingline::knowledge::solved::{ENDLESS, Strategy};
use kingline::loa::Position;
use kingline_players::progress::Status;
use kingline_players::threads::Threads;

use super::decide::Verdict;
use super::goal::{Aim, Claim, Goal, State, Whose, Winner};
use super::notes::Notes;
use super::plan::Plan;
use super::run::Solver;
use super::store::{Fact, Store};
use super::verify::{self, Known, check};
use super::walk::{Played, Taken, Walk};
use super::work::Evaluated;
use super::{prove, strategy};
use games::{OnGraph, Oracle, Value};

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
fn failures(positions: &[(u128, u8)]) -> Vec<String> {
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
        let graph = solver.attempt(&position, &[claim], 10_000, &mut notes).unwrap();
        assert_eq!(graph, [], "the graph alone does not decide it: {position}");
        let plan = Plan::new(&solver, &mut notes, &position, whose, 10_000);
        assert_eq!(plan.succeeds(&position).unwrap(), succeeds, "{whose:?}: {position}");
        if succeeds {
            let whole = strategy::whole(&store, &[Goal::new(position, Winner::Either)]).unwrap();
            assert!(failures(&whole).is_empty(), "{position}: {:?}", failures(&whole));
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

/// Positions that a graph has proved only by a cycle are won by another move, the last one first.
#[test]
fn a_hold_is_improved_to_a_win() {
    let folder = Folder::new();
    let store = Store::open::<OnGraph<6>>(&folder.store()).unwrap();
    let start = OnGraph::<6>::start();
    let held = || strategy::only_held(&store, &start, Whose::Defender).unwrap();
    assert!(held().is_empty(), "nothing is known");
    [0, 2].into_iter().for_each(|place| store.add(place, Fact::NotWon));
    assert_eq!(held().iter().map(|position| position.place).collect::<Vec<_>>(), [2, 0]);
    let mut notes = Notes::new(&store, 1, MINUTE);
    solver(&store).improve(&start, Whose::Defender, 1_000_000, &mut notes).unwrap();
    assert_eq!([2, 0].map(|place| store.lost(place)), [Some(2), Some(4)]);
    assert!(held().is_empty());
}

/// A position that neither side wins remains held by both, and the store knows it.
#[test]
fn a_hold_that_is_no_win_is_known_for_both_sides() {
    let folder = Folder::new();
    let store = Store::open::<OnGraph<0>>(&folder.store()).unwrap();
    let start = OnGraph::<0>::start();
    store.add(start.form(), Fact::NotWon);
    assert!(!store.reaches(&start, Aim::Hold));
    let mut notes = Notes::new(&store, 1, MINUTE);
    solver(&store).improve(&start, Whose::Defender, 1_000_000, &mut notes).unwrap();
    assert!(store.reaches(&start, Aim::Hold) && store.lost(start.form()).is_none());
}

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
    assert!(failures(&whole).is_empty());
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
        assert!(failures.iter().any(|failure| failure.starts_with(&shown(won.form()))), "{failures:?}");
    }
    // A form without a position, and a position where the game is over.
    let over: Position<5> = "bb---/-----/w---w/-----/----- white".parse().unwrap();
    for (form, what) in [(u128::from(u64::MAX), "no position has this form"), (over.form(), "the game is over")] {
        let wrong = failures(&[(form, 2)]);
        assert!(wrong[0].ends_with(what), "{wrong:?}");
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
    let record = strategy::longest_game(&strategy, start).unwrap();
    assert_eq!(record.result(), Some(Outcome::Win(Color::Black)));
    assert_eq!(Some(record.moves().len() as u16), strategy.winning_move(&start).map(|(_, plies)| plies));
    assert!(strategy::longest_game(&strategy, start.with_turn(Color::White).play(start.legal_moves()[0])).is_err());
}

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
