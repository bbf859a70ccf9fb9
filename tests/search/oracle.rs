//! The oracle: under a hash-random evaluation with many ties, every exact technique of the search must return the value
//! of plain negamax, with and without endgame tables, with one thread and with several. Wins and losses that the selective techniques claim must be real.

mod histories;
mod negamax;

use std::cmp::Reverse;
use std::env;
use std::num::NonZero;

use histories::{checkers_histories, loa_histories};
use kingline::game::{Color, History, Knowledge, NoKnowledge, Searched};
use kingline::score::{Depth, Score};
use kingline::search::{Aspiration, Futility, Limits, NullMove, Params, ProbCut, Reuse, Searcher};
use kingline::{checkers, loa};
use negamax::{Hashed, MadeUp, Oracle, moves};

/// Techniques by name, and the number of threads.
fn configurations() -> Vec<(&'static str, Params, usize)> {
    let plain = Params::plain();
    let exact = Params::exact();
    let alone = [
        ("plain", plain),
        ("null windows", Params { null_windows: true, ..plain }),
        ("aspiration", Params { aspiration: Some(Aspiration { from_depth: Depth(2), margin: 7 }), ..plain }),
        ("killers", Params { killers: true, ..plain }),
        ("history", Params { history: true, ..plain }),
        ("counter moves", Params { counter_moves: true, ..plain }),
        ("wins first", Params { look_for_wins: Some(Depth(1)), ..plain }),
        ("table, order only", Params { reuse: Reuse::Nothing, ..exact }),
        ("table", Params { reuse: Reuse::SameDepth, null_windows: true, ..plain }),
        ("everything exact", exact),
    ];
    let together = [("two threads", exact, 2), ("three threads", exact, 3)];
    alone.into_iter().map(|(name, params)| (name, params, 1)).chain(together).collect()
}

/// Selective techniques, aggressive enough to overlook something at these depths.
fn selective() -> Params {
    Params {
        reuse: Reuse::SameDepth,
        null_move: Some(NullMove { from_depth: Depth(2), reduction: 1, divisor: 4 }),
        futility: Some(Futility { to_depth: Depth(2), margin: 5 }),
        prob_cut: Some(ProbCut { from_depth: Depth(2), reduction: 1, margin: 5 }),
        ..Params::default()
    }
}

/// Counts of the cases in the comparison.
#[derive(Debug, Default)]
struct Met {
    compared: usize,
    by_path: usize,
    by_table: usize,
    /// Cases decided by searching to the end of the game.
    found: usize,
    /// Cases decided by a table.
    tabled: usize,
    /// Searches that ended early because a table decided them.
    early: usize,
    /// Selective searches that claimed a win or loss.
    claims: usize,
    near_quiet_limit: usize,
    limited: usize,
}

/// Compares every configuration with the oracle, at all depths at which the tree has at most about `leaves` leaves.
fn compare<G: Searched, T: Knowledge<G>>(histories: &[History<G>], tables: &T, leaves: u64) -> Met {
    let mut met = Met::default();
    let last_plies = [None, Some(1), None, Some(3), None, Some(4), None];
    let extensions = [true, false];
    let cases = histories.iter().zip(extensions.iter().cycle()).zip(last_plies.iter().cycle());
    for ((history, &forced_move_extension), &game_plies) in cases {
        let position = history.position();
        met.near_quiet_limit += usize::from(history.quiet_turns() > 44);
        let width = moves(&position).len() as u64;
        let last_ply = game_plies.unwrap_or(u16::MAX);
        let (game, rules) = (history.positions(), history.rules());
        let mut oracle =
            Oracle { game, tables, rules, forced_move_extension, last_ply, by_path: false, by_table: false };
        // Values by depth, starting at depth 1.
        let mut values: Vec<Score> = Vec::new();
        for depth in (1..=6).take_while(|&depth| depth == 1 || width.pow(depth) <= leaves).map(|depth| depth as i16) {
            let expected = oracle.value(position, history.quiet_turns(), depth);
            values.push(expected);
            met.by_path += usize::from(oracle.by_path);
            met.by_table += usize::from(oracle.by_table);
            met.found += usize::from(expected.is_proved());
            met.tabled += usize::from(expected.is_decided() && !expected.is_proved());
            met.limited += usize::from(game_plies.is_some());
            let limits = Limits { game_plies, ..Limits::depth(depth) };
            let search = |params: Params, threads: usize| {
                let params = Params { forced_move_extension, ..params };
                let searcher = Searcher::new(Hashed).with_params(params).with_table_limit(1 << 20);
                let searcher = searcher.with_threads(NonZero::new(threads).expect("a thread"));
                searcher.with_knowledge(tables).search(history, limits, &mut ())
            };
            let quiet_turns = history.quiet_turns();
            let context = format!("depth {depth}, {position}, {quiet_turns} quiet turns, {game_plies:?} plies left");
            for (name, params, threads) in configurations() {
                if params.reuse != Reuse::Nothing && oracle.by_path {
                    continue; // a table cannot know the path to a position
                }
                let report = search(params, threads);
                met.compared += 1;
                if report.depth < Depth(depth) {
                    assert!(report.score.is_decided(), "only a certain result ends a search early");
                    if !report.score.is_proved() {
                        // A deeper search may see the end of the game, but no nearer zeroing turn and no other winner.
                        assert_eq!(report.score, values[report.depth.0 as usize - 1], "{name}, {context}");
                        assert_eq!(report.score.is_win(), expected.is_win(), "{name}, {context}");
                        assert!(report.score == expected || expected.is_proved(), "{name}, {context}");
                        met.early += 1;
                        continue;
                    }
                }
                assert_eq!(report.score, expected, "{name}, {context}");
            }
            if !oracle.by_path {
                let score = search(selective(), 1 + met.compared % 2).score;
                assert!(!score.is_win() || expected.is_win(), "{score} instead of {expected}, {context}");
                assert!(!score.is_loss() || expected.is_loss(), "{score} instead of {expected}, {context}");
                met.claims += usize::from(score.is_decided());
            }
        }
    }
    println!("{met:?}");
    met
}

#[test]
fn every_exact_configuration_equals_negamax_in_checkers() {
    let met = compare(&checkers_histories(240), &NoKnowledge, 4_000);
    assert!(met.compared > 4000 && met.by_path > 20 && met.found > 20 && met.near_quiet_limit > 5, "{met:?}");
    assert!(met.limited > 300 && met.claims > 20, "{met:?}");
}

#[test]
fn every_exact_configuration_equals_negamax_in_checkers_with_tables() {
    let pieces = |position: &checkers::Position| Color::ALL.map(|color| position.count(color)).iter().sum();
    let met = compare(&checkers_histories(240), &MadeUp(pieces), 4_000);
    assert!(met.compared > 4000 && met.by_table > 200 && met.tabled > 100 && met.found > 100, "{met:?}");
    assert!(met.early > 50 && met.claims > 200 && met.near_quiet_limit > 5, "{met:?}");
}

fn lines_of_action<const N: usize>() {
    let met = compare(&loa_histories::<N>(160), &NoKnowledge, 100_000);
    assert!(met.compared > 3000 && met.by_path > 10 && met.found > 100 && met.limited > 200, "{met:?}");
    assert!(met.claims > 100, "{met:?}");
}

#[test]
fn every_exact_configuration_equals_negamax_in_lines_of_action() {
    lines_of_action::<8>();
    lines_of_action::<6>();
}

#[test]
fn every_exact_configuration_equals_negamax_in_lines_of_action_with_tables() {
    let pieces = |position: &loa::Position<6>| Color::ALL.map(|color| position.count(color)).iter().sum();
    let met = compare(&loa_histories::<6>(160), &MadeUp(pieces), 100_000);
    assert!(met.compared > 3000 && met.by_table > 80 && met.tabled > 50 && met.found > 100, "{met:?}");
    assert!(met.early > 30 && met.claims > 200, "{met:?}");
}

/// Number of best moves whose exact scores are asked for.
const LINES: usize = 4;

/// Compares the lines of a search with the oracle's values of all moves. Returns the number of positions compared.
fn compare_lines<G: Searched>(histories: &[History<G>], leaves: u64) -> usize {
    let mut compared = 0;
    for (history, forced_move_extension) in histories.iter().zip([true, false].into_iter().cycle()) {
        let (position, quiet) = (history.position(), history.quiet_turns());
        let list = moves(&position);
        let depth = (2..=6).rev().find(|&depth| (list.len() as u64).pow(depth) <= leaves).unwrap_or(1) as i16;
        let (game, rules, last_ply) = (history.positions(), history.rules(), u16::MAX);
        let (tables, by_path, by_table) = (&NoKnowledge, false, false);
        let mut oracle = Oracle { game, tables, rules, forced_move_extension, last_ply, by_path, by_table };
        let values = oracle.values(position, quiet, depth);
        if oracle.by_path || list.len() < 2 {
            continue;
        }
        let params = Params { forced_move_extension, ..Params::exact() };
        // Every other search by two threads.
        let threads = NonZero::new(1 + compared % 2).expect("a thread");
        let searcher = Searcher::new(Hashed).with_params(params).with_table_limit(1 << 20);
        let report = searcher.with_threads(threads).search(history, Limits::depth(depth).lines(LINES), &mut ());
        let context = format!("depth {depth}, {position}, {quiet} quiet turns, {threads} threads");

        let mut best = values.clone();
        best.sort_by_key(|&score| Reverse(score));
        best.truncate(LINES);
        let scores: Vec<Score> = report.lines.iter().map(|line| line.score).collect();
        assert_eq!(scores, best, "{context}");
        let firsts: Vec<G::Move> = report.lines.iter().map(|line| line.moves[0]).collect();
        for (first, score) in firsts.iter().zip(scores) {
            let place = list.iter().position(|mv| mv == first).expect("a legal move");
            assert_eq!(values[place], score, "{context}");
        }
        assert!((1..firsts.len()).all(|place| !firsts[..place].contains(&firsts[place])), "{context}");
        assert_eq!((report.best, report.score), (Some(firsts[0]), best[0]), "{context}");
        compared += 1;
    }
    compared
}

/// CI compares all positions, and a quick test every fifth.
fn compared<G: Searched>(histories: Vec<History<G>>) -> Vec<History<G>> {
    let step = if env::var_os("KINGLINE_ALL_POSITIONS").is_some() { 1 } else { 5 };
    histories.into_iter().step_by(step).collect()
}

#[test]
fn four_lines_have_the_values_of_negamax() {
    let all = [
        compare_lines(&compared(checkers_histories(1000)), 4_000),
        compare_lines(&compared(loa_histories::<8>(1500)), 100_000),
        compare_lines(&compared(loa_histories::<6>(900)), 100_000),
    ];
    println!("{all:?}");
    assert!(all.iter().all(|&number| number >= 50) && all.iter().sum::<usize>() >= 200, "{all:?}");
}
