//! The oracle: under an evaluation made of hashes, with many ties, every exact technique of the
//! search must give the value of plain negamax.

use kingline::checkers::Position;
use kingline::game::{DrawReason, Ending, Evaluator, Game, History, MoveList, Progress};
use kingline::score::{Depth, Ply, Score};
use kingline::search::{Aspiration, FreeTurns, Limits, Params, Reuse, Searcher, Switch, Table, Unwatched};
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

/// Plain negamax over whole histories, with the search's horizon: captures go on, turns without
/// a choice may be free, and a position that comes back within the search is drawn.
struct Oracle {
    free: FreeTurns,
    /// Whether any value depended on the way to its position.
    by_path: bool,
}

impl Oracle {
    fn value<G: Game>(&mut self, way: &[G], game: &[G], quiet: u16, depth: i16, ply: u16) -> Score {
        let position = way[way.len() - 1];
        let mut list = MoveList::new();
        position.moves(&mut list);
        if list.is_empty() {
            return Score::loss_in(Ply(ply));
        }
        if ply > 0 {
            let before = way[..way.len() - 1].iter().skip(1).filter(|&&other| other == position).count();
            let in_game = game.iter().filter(|&&other| other == position).count();
            if G::REPETITION_LIMIT.is_some_and(|limit| before > 0 || in_game + 1 >= usize::from(limit)) {
                self.by_path = true;
                return Score::DRAW;
            }
            if G::QUIET_LIMIT.is_some_and(|limit| quiet >= limit) {
                return Score::DRAW;
            }
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
        let free = free && list.len() == 1 && depth > 0 && ply > 0;
        let left = if free { depth } else { depth - 1 };
        let values = list.iter().map(|&mv| {
            let mut longer = way.to_vec();
            longer.push(position.play(mv));
            let quiet = if position.progress(mv) == Progress::Zeroing { 0 } else { quiet + 1 };
            -self.value(&longer, game, quiet, left, ply + 1)
        });
        values.max().expect("a move")
    }
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
        ("table, order only", Params { reuse: Reuse::Nothing, ..exact }),
        ("table", Params { reuse: Reuse::SameDepth, null_windows: Switch::On, ..plain }),
        ("everything exact", exact),
    ]
}

/// Random games, cut at a random turn; some of them long shuffles of kings.
fn histories(count: usize) -> Vec<History<Position>> {
    let mut rng = StdRng::seed_from_u64(7);
    let endings = ["W:WK1,K14,30:BK32,K27,3", "B:WK1,K5:BK32,K28", "W:WK1:BK32", "B:WK4,K8:BK29"];
    (0..count)
        .map(|number| {
            let start = match number % 3 {
                0 => endings[number / 3 % endings.len()].parse().expect("a position"),
                _ => Position::start(),
            };
            let mut history = History::new(start);
            let turns = if number % 3 == 0 { rng.random_range(2..50) } else { rng.random_range(1..90) };
            for _ in 0..turns {
                let mut list = MoveList::new();
                history.position().moves(&mut list);
                let before = history.clone();
                let position = history.position();
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

#[test]
fn every_exact_configuration_gives_the_value_of_negamax() {
    let (mut compared, mut by_path, mut decided, mut near_limit) = (0, 0, 0, 0);
    let kinds = [FreeTurns::Quiet, FreeTurns::Nothing, FreeTurns::Loud, FreeTurns::All];
    for (history, free) in histories(240).into_iter().zip(kinds.into_iter().cycle()) {
        near_limit += usize::from(history.quiet_turns() > 44);
        for depth in 1..=4 {
            let position = history.position();
            let mut oracle = Oracle { free, by_path: false };
            let game = history.positions();
            let expected = oracle.value(&[position], game, history.quiet_turns(), depth, 0);
            by_path += usize::from(oracle.by_path);
            decided += usize::from(expected.is_decided());
            for (name, params) in configurations() {
                let params = Params { free_forced_turns: free, ..params };
                if params.reuse != Reuse::Nothing && oracle.by_path {
                    continue; // a table cannot know the way to a position
                }
                let mut searcher = Searcher::new(Hashed, params, Table::with_limit(1 << 20));
                let limits = Limits { depth: Some(Depth(depth)), ..Limits::default() };
                let report = searcher.search(&history, limits, &mut Unwatched);
                if report.depth < Depth(depth) {
                    assert!(report.score.is_decided(), "only a proved result ends a search early");
                }
                assert_eq!(
                    report.score,
                    expected,
                    "{name}, depth {depth}, {position}, {} quiet turns",
                    history.quiet_turns()
                );
                compared += 1;
            }
        }
    }
    println!("{compared} values compared; {by_path} by path, {decided} decided, {near_limit} near the quiet limit");
    assert!(compared > 4000 && by_path > 20 && decided > 20 && near_limit > 5);
}
