//! The oracle: under an evaluation made of hashes, with many ties, every exact technique of the
//! search must give the value of plain negamax.

use kingline::game::{Color, DrawReason, Ending, Evaluator, Game, History, MoveList, Outcome, Progress};
use kingline::score::{Depth, Ply, Score};
use kingline::search::{Aspiration, FreeTurns, Limits, Params, Reuse, Searcher, Switch, Table, Unwatched};
use kingline::{checkers, loa};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A number out of seven for each position, without any sense.
#[derive(Clone, Copy)]
struct Hashed;

impl<G: Game> Evaluator<G> for Hashed {
    /// The sum of the slots of all moves since the root: carried to see that the search carries it.
    type State = u64;
    fn start(&self, position: &G) -> u64 {
        position.key()
    }
    fn advance(&self, _: u64, _: &G, _: G::Move, after: &G) -> u64 {
        after.key()
    }
    fn evaluate(&self, state: u64, position: &G) -> Score {
        assert_eq!(state, position.key(), "the state belongs to another position");
        Score::estimate(((state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % 7) as i32 * 10 - 30)
    }
}

/// Plain negamax over whole histories, with the search's horizon: captures go on unless the game is
/// calm, turns without a choice may be free, and a position that comes back within the search is drawn.
struct Oracle<'a, G> {
    game: &'a [G],
    free: FreeTurns,
    /// The game is drawn at this ply.
    last_ply: u16,
    /// Whether any value depended on the way to its position.
    by_path: bool,
}

impl<G: Game> Oracle<'_, G> {
    /// The value of a position that the game goes on from, whatever it is: a win at once, or the best
    /// of its moves.
    fn value(&mut self, position: G, quiet: u16, depth: i16) -> Score {
        let wins = |&mv: &G::Move| {
            let after = position.play(mv);
            after.outcome().map_or(moves(&after).is_empty(), |outcome| outcome == Outcome::Win(position.turn()))
        };
        match moves(&position) {
            list if list.is_empty() => Score::loss_in(Ply(0)),
            list if list.iter().any(wins) => Score::win_in(Ply(1)),
            list => self.best(&[position], &list, quiet, depth - 1),
        }
    }

    /// The value of the last position of `way`, which begins at the root.
    fn value_below(&mut self, way: &[G], quiet: u16, depth: i16) -> Score {
        let position = way[way.len() - 1];
        let ply = way.len() as u16 - 1;
        match position.outcome() {
            Some(Outcome::Win(winner)) if winner == position.turn() => return Score::win_in(Ply(ply)),
            Some(Outcome::Win(_)) => return Score::loss_in(Ply(ply)),
            Some(Outcome::Draw) => return Score::DRAW,
            None => {}
        }
        let before = way[1..way.len() - 1].iter().filter(|&&other| other == position).count();
        let in_game = self.game.iter().filter(|&&other| other == position).count();
        // Where the rules know no repetition, one in the game is enough.
        if before > 0 || in_game + 1 >= G::REPETITION_LIMIT.map_or(2, usize::from) {
            self.by_path = true;
            return Score::DRAW;
        }
        let list = moves(&position);
        let at_limit = ply >= self.last_ply || G::QUIET_LIMIT.is_some_and(|limit| quiet >= limit);
        if G::CALM && depth <= 0 && !at_limit {
            return Hashed.evaluate(position.key(), &position);
        }
        if list.is_empty() {
            return Score::loss_in(Ply(ply));
        }
        if at_limit {
            return Score::DRAW;
        }
        let loud = list.iter().any(|&mv| !position.is_quiet(mv));
        if depth <= 0 && !loud {
            return Hashed.evaluate(position.key(), &position);
        }
        let free = match self.free {
            FreeTurns::Nothing => false,
            FreeTurns::Quiet => !loud,
            FreeTurns::Loud => loud,
            FreeTurns::All => true,
        };
        let free = free && list.len() == 1 && depth > 0;
        self.best(way, &list, quiet, if free { depth } else { depth - 1 })
    }

    fn best(&mut self, way: &[G], list: &[G::Move], quiet: u16, depth: i16) -> Score {
        let position = way[way.len() - 1];
        let values = list.iter().map(|&mv| {
            let mut longer = way.to_vec();
            longer.push(position.play(mv));
            let quiet = if position.progress(mv) == Progress::Zeroing { 0 } else { quiet + 1 };
            -self.value_below(&longer, quiet, depth)
        });
        values.max().expect("a move")
    }
}

fn moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut list = MoveList::new();
    position.moves(&mut list);
    list.to_vec()
}

fn configurations() -> Vec<(&'static str, Params)> {
    let plain = Params::plain();
    let exact = Params::exact();
    vec![
        ("plain", plain),
        ("null windows", Params { null_windows: Switch::On, ..plain }),
        ("aspiration", Params { aspiration: Some(Aspiration { from_depth: Depth(2), margin: 7 }), ..plain }),
        ("killers", Params { killers: Switch::On, ..plain }),
        ("history", Params { history: Switch::On, ..plain }),
        ("counter moves", Params { counter_moves: Switch::On, ..plain }),
        ("wins first", Params { look_for_wins: Some(Depth(1)), ..plain }),
        ("table, order only", Params { reuse: Reuse::Nothing, ..exact }),
        ("table", Params { reuse: Reuse::SameDepth, null_windows: Switch::On, ..plain }),
        ("everything exact", exact),
    ]
}

/// What the comparison met.
#[derive(Debug, Default)]
struct Met {
    compared: usize,
    by_path: usize,
    decided: usize,
    near_quiet_limit: usize,
    limited: usize,
}

/// Holds every exact configuration against the oracle, to all depths below which the tree has at
/// most about so many leaves.
fn compare<G: Game>(histories: Vec<History<G>>, leaves: u64) -> Met {
    let mut met = Met::default();
    let kinds = [FreeTurns::Quiet, FreeTurns::Nothing, FreeTurns::Loud, FreeTurns::All];
    let last_plies = [None, Some(1), None, Some(3), None, Some(4), None];
    for ((history, free), game_plies) in histories.into_iter().zip(kinds.iter().cycle()).zip(last_plies.iter().cycle())
    {
        let (free, game_plies) = (*free, *game_plies);
        let position = history.position();
        met.near_quiet_limit += usize::from(history.quiet_turns() > 44);
        let width = moves(&position).len() as u64;
        for depth in (1..=6).take_while(|&depth| depth == 1 || width.pow(depth) <= leaves).map(|depth| depth as i16) {
            let last_ply = game_plies.unwrap_or(u16::MAX);
            let mut oracle = Oracle { game: history.positions(), free, last_ply, by_path: false };
            let expected = oracle.value(position, history.quiet_turns(), depth);
            met.by_path += usize::from(oracle.by_path);
            met.decided += usize::from(expected.is_decided());
            met.limited += usize::from(game_plies.is_some());
            for (name, params) in configurations() {
                let params = Params { free_forced_turns: free, ..params };
                if params.reuse != Reuse::Nothing && oracle.by_path {
                    continue; // a table cannot know the way to a position
                }
                let mut searcher = Searcher::new(Hashed, params, Table::with_limit(1 << 20));
                let limits = Limits { depth: Some(Depth(depth)), game_plies, ..Limits::default() };
                let report = searcher.search(&history, limits, &mut Unwatched);
                if report.depth < Depth(depth) {
                    assert!(report.score.is_decided(), "only a proved result ends a search early");
                }
                let quiet_turns = history.quiet_turns();
                assert_eq!(
                    report.score, expected,
                    "{name}, depth {depth}, {position}, {quiet_turns} quiet turns, {game_plies:?} plies left"
                );
                met.compared += 1;
            }
        }
    }
    println!("{met:?}");
    met
}

/// Random games of checkers, cut at a random turn; some of them long shuffles of kings.
fn checkers_histories(count: usize) -> Vec<History<checkers::Position>> {
    let mut rng = StdRng::seed_from_u64(7);
    let endings = ["W:WK1,K14,30:BK32,K27,3", "B:WK1,K5:BK32,K28", "W:WK1:BK32", "B:WK4,K8:BK29"];
    (0..count)
        .map(|number| {
            let start = match number % 3 {
                0 => endings[number / 3 % endings.len()].parse().expect("a position"),
                _ => checkers::Position::start(),
            };
            let mut history = History::new(start);
            let turns = if number % 3 == 0 { rng.random_range(2..50) } else { rng.random_range(1..90) };
            for _ in 0..turns {
                let position = history.position();
                let list = moves(&position);
                let before = history.clone();
                // Kings that give nothing away shuffle for long.
                let calm: Vec<_> = list.iter().filter(|&&mv| !position.play(mv).must_jump()).copied().collect();
                let choice = if number % 3 == 0 && !calm.is_empty() { &calm[..] } else { &list[..] };
                history.play(choice[rng.random_range(0..choice.len())]);
                // A repetition is played on, to come near the quiet limit.
                if matches!(history.ending(), Some(Ending::Win(_) | Ending::Draw(DrawReason::QuietTurns))) {
                    history = before;
                    break;
                }
            }
            history
        })
        .collect()
}

/// Random games of Lines of Action, cut at a random turn. Some begin with two pieces a side at the
/// edge, where moves are few and positions come back; some with one to three anywhere.
fn loa_histories<const N: usize>(count: usize) -> Vec<History<loa::Position<N>>> {
    let mut rng = StdRng::seed_from_u64(8);
    let squares: Vec<loa::Square> = loa::Square::all::<N>().collect();
    let edge: Vec<loa::Square> =
        squares.iter().copied().filter(|at| [at.column(), at.row()].iter().any(|&line| line % (N - 1) == 0)).collect();
    (0..count)
        .map(|number| {
            let turn = Color::ALL[number / 3 % 2];
            let mut random = |squares: &[loa::Square], pieces: usize| {
                let placed = |piece: usize| (squares[rng.random_range(0..squares.len())], Color::ALL[piece % 2]);
                loa::Position::new(turn, (0..pieces).map(placed))
            };
            let (start, turns) = match number % 3 {
                0 => (random(&edge, 4), 0..2),
                1 => (random(&squares, 6), 0..6),
                _ => (loa::Position::start(), 0..60),
            };
            let mut history = History::new(start);
            for _ in 0..rng.random_range(turns) {
                if history.ending().is_some() {
                    break;
                }
                let list = moves(&history.position());
                history.play(list[rng.random_range(0..list.len())]);
            }
            history
        })
        .collect()
}

#[test]
fn every_exact_configuration_gives_the_value_of_negamax_in_checkers() {
    let met = compare(checkers_histories(240), 4_000);
    assert!(met.compared > 4000 && met.by_path > 20 && met.decided > 20 && met.near_quiet_limit > 5, "{met:?}");
    assert!(met.limited > 300, "{met:?}");
}

fn lines_of_action<const N: usize>() {
    let met = compare(loa_histories::<N>(160), 100_000);
    assert!(met.compared > 3000 && met.by_path > 10 && met.decided > 100 && met.limited > 200, "{met:?}");
}

#[test]
fn every_exact_configuration_gives_the_value_of_negamax_in_lines_of_action() {
    lines_of_action::<8>();
    lines_of_action::<6>();
}
