//! The solver compared with plain exhaustive search, which knows only the rules.

use std::collections::HashMap;
use std::time::Duration;

use kingline::checkers;
use kingline::clock::Clock;
use kingline::evaluate;
use kingline::evaluate::loa::Evaluation;
use kingline::game::{Color, Ending, Evaluator, Game, History, MoveList, Outcome, Searched};
use kingline::loa::{Move, Position, Square};
use kingline::score::{Meaning, Ply, Score};
use kingline::search::{Expectation, Limits, Proof, Prover};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn moves<G: Game>(position: &G) -> MoveList<G::Move> {
    position.legal_moves()
}

/// Returns the winner, from the position and its moves alone.
fn winner<G: Game>(position: &G) -> Option<Color> {
    match position.outcome() {
        Some(Outcome::Win(winner)) => Some(winner),
        _ => moves(position).is_empty().then(|| !position.turn()),
    }
}

/// Returns `true` if `side` can force a win in at most `plies` plies. Repetitions need not be considered.
fn can_win<G: Game>(position: &G, side: Color, plies: u16) -> bool {
    let after = |&mv: &G::Move| {
        let next = position.play(mv);
        match winner(&next) {
            Some(winner) => winner == side,
            None => can_win(&next, side, plies - 1),
        }
    };
    let list = moves(position);
    plies > 0 && if position.turn() == side { list.iter().any(after) } else { list.iter().all(after) }
}

/// Returns the shortest forced win or loss for the side to move, in at most `plies` plies.
fn exhaustive<G: Game>(position: &G, plies: u16) -> Option<Score> {
    let turn = position.turn();
    if moves(position).is_empty() {
        return Some(Score::loss_in(Ply(0)));
    }
    (1..=plies).find_map(|plies| match plies % 2 {
        1 => can_win(position, turn, plies).then_some(Score::win_in(Ply(plies))),
        _ => can_win(position, !turn, plies).then_some(Score::loss_in(Ply(plies))),
    })
}

fn prove<G: Searched, E: Evaluator<G>>(prover: &mut Prover<G, E>, history: &History<G>, limits: Limits) -> Proof<G> {
    prover.prove(history, limits, &mut ())
}

fn loa<const N: usize>(rng: &mut StdRng, most: usize) -> Position<N> {
    loop {
        let squares: Vec<Square> = Square::all::<N>().collect();
        let count = |rng: &mut StdRng| rng.random_range(2..=most);
        let counts = [count(rng), count(rng)];
        let placed = Color::ALL.into_iter().flat_map(|color| vec![color; counts[color.index()]]);
        let placed: Vec<(Square, Color)> =
            placed.map(|color| (squares[rng.random_range(0..squares.len())], color)).collect();
        let turn = Color::ALL[rng.random_range(0..2)];
        let position = Position::new(turn, placed);
        if position.outcome().is_none() {
            return position;
        }
    }
}

fn checkers_ending(rng: &mut StdRng) -> checkers::Position {
    let pieces = |rng: &mut StdRng, from: usize| {
        let names: Vec<String> = (0..rng.random_range(1..=3))
            .map(|number| {
                format!("{}{}", ["", "K"][rng.random_range(0..2)], from + 5 * number + rng.random_range(0..5))
            })
            .collect();
        names.join(",")
    };
    let turn = ["W", "B"][rng.random_range(0..2)];
    let text = format!("{turn}:W{}:B{}", pieces(rng, 17), pieces(rng, 1));
    text.parse().expect("an ending")
}

/// Compares everything decided within `plies` plies: the solver must decide the same positions, and find the same
/// lengths when asked for the shortest.
fn compare<G: Searched>(evaluator: impl Evaluator<G>, position: G, plies: u16) -> Option<Score> {
    let history = History::new(position);
    let mut prover = Prover::new(evaluator).with_table_limit(4 << 20);
    let within = |plies: u16| Limits::depth(plies as i16);
    let expected = exhaustive(&position, plies);
    let shortest = (1..=plies).find_map(|plies| prove(&mut prover, &history, within(plies)).score);
    assert_eq!(shortest, expected, "shortest, {position}");
    let limits = Limits::nodes(20_000);
    let proof = prove(&mut prover, &history, limits);
    if let Some(score) = proof.score.or(expected) {
        let claimed = match score.meaning() {
            Meaning::WinIn(length) => can_win(&position, position.turn(), length.min(plies)) || length > plies,
            Meaning::LossIn(length) => can_win(&position, !position.turn(), length.min(plies)) || length > plies,
            Meaning::Estimate(_) | Meaning::TableWin(_) | Meaning::TableLoss(_) => false,
        };
        assert!(claimed, "{score}, {position}");
        let plies = (0..).find(|&plies| [Score::win_in(Ply(plies)), Score::loss_in(Ply(plies))].contains(&score));
        assert!(proof.line.len() <= usize::from(plies.unwrap_or(0)), "{score}, {position}: {:?}", proof.line);
    }
    expected
}

#[test]
fn finds_exactly_what_exhaustive_search_decides() {
    let mut rng = StdRng::seed_from_u64(1);
    let mut found = [0; 6];
    for _ in 0..160 {
        let results = [
            compare(Evaluation::default(), loa::<6>(&mut rng, 5), 4),
            compare(Evaluation::default(), loa::<8>(&mut rng, 4), 4),
            compare(evaluate::checkers::Evaluation::default(), checkers_ending(&mut rng), 5),
        ];
        for (game, result) in results.into_iter().enumerate() {
            let Some(score) = result else { continue };
            found[2 * game + usize::from(score.is_loss())] += 1;
        }
    }
    assert!(found.iter().all(|&count| count > 5), "wins and losses by game: {found:?}");
}

/// Plays a decided position to its end: the winner follows the solver; the loser moves at random.
fn play_out<G: Searched>(evaluator: impl Evaluator<G>, position: G, rng: &mut StdRng) -> Option<u16> {
    let mut prover = Prover::new(evaluator).with_table_limit(16 << 20);
    let mut history = History::new(position);
    let limits = Limits::nodes(100_000);
    let score = prove(&mut prover, &history, limits).score?;
    let (side, length) = match score.meaning() {
        Meaning::WinIn(plies) => (position.turn(), plies),
        Meaning::LossIn(plies) => (!position.turn(), plies),
        Meaning::Estimate(_) | Meaning::TableWin(_) | Meaning::TableLoss(_) => panic!("{score}"),
    };
    for left in (0..=length).rev() {
        match (history.position().outcome(), history.ending()) {
            (Some(Outcome::Win(winner)), _) | (_, Some(Ending::Win(winner))) => {
                assert_eq!(winner, side, "{position}");
                return Some(length);
            }
            (_, Some(ending @ Ending::Draw(_))) => panic!("{ending}, {position}"),
            _ => {}
        }
        assert!(left > 0, "{position}: {score}, but the game is not over");
        let list = moves(&history.position());
        let mv = if history.position().turn() == side {
            let limits = Limits::depth(left as i16);
            let proof = prove(&mut prover, &history, limits);
            assert!(proof.score >= Some(Score::win_in(Ply(left))), "{position}: {score}, then {:?}", proof.score);
            proof.line[0]
        } else {
            list[rng.random_range(0..list.len())]
        };
        history.play(mv);
    }
    None
}

#[test]
fn proved_wins_are_won_in_time_against_any_play() {
    let mut rng = StdRng::seed_from_u64(2);
    let (mut games, mut longest) = (0, 0);
    for _ in 0..25 {
        let results = [
            play_out(Evaluation::default(), loa::<6>(&mut rng, 7), &mut rng),
            play_out(Evaluation::default(), loa::<8>(&mut rng, 8), &mut rng),
            play_out(evaluate::checkers::Evaluation::default(), checkers_ending(&mut rng), &mut rng),
        ];
        for length in results.into_iter().flatten() {
            games += 1;
            longest = longest.max(length);
        }
    }
    assert!(games > 25 && longest > 9, "{games} games, the longest in {longest}");
}

#[test]
fn equal_proofs_visit_equal_nodes() {
    let mut rng = StdRng::seed_from_u64(3);
    for limit in [1, 999, 1024, 50_000] {
        let history = History::new(loa::<8>(&mut rng, 10));
        let limits = Limits::nodes(limit);
        let mut provers = [(); 2].map(|()| Prover::new(Evaluation::default()).with_table_limit(1 << 20));
        for _ in 0..2 {
            let [one, other] = provers.each_mut().map(|prover| prove(prover, &history, limits));
            assert_eq!((one.nodes, one.score, &one.line), (other.nodes, other.score, &other.line));
            assert!(one.nodes <= limit && (one.nodes == limit || one.score.is_some()));
        }
    }
}

/// Forced wins for the side to move: a line has the length of the shortest win (3 to 9 plies) and the position. The
/// solver found them in games between automatic players, and `Exhaustive` confirmed them.
const WINS_6: &str = include_str!("../data/forced-wins-6.txt");
const WINS_8: &str = include_str!("../data/forced-wins-8.txt");

fn wins<const N: usize>(text: &str) -> Vec<(u16, Position<N>)> {
    let read = |line: &str| {
        let (plies, position) = line.split_once(' ').expect("plies and a position");
        (plies.parse().expect("plies"), position.parse().expect("a position"))
    };
    text.lines().map(read).collect()
}

fn solves<const N: usize>(wins: &[(u16, Position<N>)]) {
    for &(plies, position) in wins {
        let mut prover = Prover::new(Evaluation::default());
        let limits = Limits::until(Clock::Thread, Clock::Thread.now() + Duration::from_secs(1));
        let proof = prover.prove(position, limits, &mut ());
        let score = proof.score.unwrap_or_else(|| panic!("not within a second: {plies} {position}"));
        assert!(score.is_win() && score <= Score::win_in(Ply(plies)), "{score}: {plies} {position}");
    }
}

#[test]
fn forced_wins_are_found_within_a_second() {
    let (six, eight) = (wins(WINS_6), wins(WINS_8));
    assert!(six.len() >= 30 && eight.len() >= 50);
    solves::<6>(&six);
    solves::<8>(&eight);
}

/// Memoized exhaustive search for longer forced wins in Lines of Action.
#[derive(Default)]
struct Exhaustive<const N: usize> {
    /// For each position, the most plies known to allow no forced win, and the fewest known to allow one.
    seen: HashMap<Position<N>, (u16, u16)>,
    /// Defense that last refuted a win, by plies left.
    defenses: [Option<Move>; 16],
}

impl<const N: usize> Exhaustive<N> {
    /// Returns `true` if the side to move can force a win in at most `plies` plies, an odd number.
    fn wins(&mut self, position: &Position<N>, plies: u16) -> bool {
        if plies == 1 {
            let won = Some(Outcome::Win(position.turn()));
            return moves(position).iter().any(|&mv| position.play(mv).outcome() == won);
        }
        let (none, one) = self.seen.get(position).copied().unwrap_or((0, u16::MAX));
        if plies <= none || plies >= one {
            return plies >= one;
        }
        let won = self.wins(position, plies - 2)
            || moves(position).iter().any(|&mv| {
                let next = position.play(mv);
                next.outcome().is_none() && self.loses(&next, plies - 1)
            });
        let known = self.seen.entry(*position).or_insert((0, u16::MAX));
        if won {
            known.1 = known.1.min(plies);
        } else {
            known.0 = known.0.max(plies);
        }
        won
    }

    /// Returns `true` if the side to move loses in at most `plies` plies, an even number, whatever it does.
    fn loses(&mut self, position: &Position<N>, plies: u16) -> bool {
        let mut list = moves(position).to_vec();
        let defense = self.defenses[usize::from(plies)];
        list.sort_by_key(|&mv| Some(mv) != defense);
        list.into_iter().all(|mv| {
            let next = position.play(mv);
            let lost = match next.outcome() {
                Some(outcome) => outcome == Outcome::Win(next.turn()),
                None => self.wins(&next, plies - 1),
            };
            if !lost {
                self.defenses[usize::from(plies)] = Some(mv);
            }
            lost
        })
    }
}

fn check<const N: usize>(wins: &[(u16, Position<N>)]) {
    for (plies, position) in wins {
        let mut exhaustive = Exhaustive::default();
        assert!(exhaustive.wins(position, *plies), "no win: {plies} {position}");
        assert!(!exhaustive.wins(position, plies - 2), "a shorter win: {plies} {position}");
    }
}

/// Checks the data. Run it when the data changes: `cargo test -- --ignored forced_wins`.
#[test]
#[ignore = "takes a long time"]
fn forced_wins_have_the_lengths_in_the_data() {
    check::<6>(&wins(WINS_6));
    check::<8>(&wins(WINS_8));
}

#[test]
fn a_shorter_win_that_is_found_farther_down_shortens_the_answer() {
    let position: Position<6> = "--b---/--bw--/www---/-b-b--/--wb-b/---b-w black".parse().expect("a position");
    let limits = Limits::nodes(20_000);
    // Without the evaluation, which would find the shortest win at once.
    let blind = Expectation { spread: 0, ..Expectation::default() };
    let mut prover = Prover::new(Evaluation::default()).with_expectation(blind).with_table_limit(16 << 20);
    let mut prove = |position: Position<6>| prove(&mut prover, &History::new(position), limits);
    let first = prove(position);
    assert_eq!(first.score, Some(Score::win_in(Ply(9))), "the first proof is not the shortest");
    // Separate proofs of every position two plies after the winning move add shorter wins to the table.
    let after = position.play(first.line[0]);
    for &reply in &moves(&after) {
        let turn = after.play(reply);
        for &mv in &moves(&turn) {
            prove(turn.play(mv));
        }
    }
    let again = prove(position);
    assert_eq!(again.score, Some(Score::win_in(Ply(5))));
    assert!(can_win(&position, position.turn(), 5));
    let end = again.line.iter().fold(position, |position, &mv| position.play(mv));
    assert_eq!((again.line.len(), winner(&end)), (5, Some(position.turn())));
}
