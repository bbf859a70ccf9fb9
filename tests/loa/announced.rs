//! Wins that a player announces are reached in time.

use kingline::evaluate::loa::Evaluation;
use kingline::game::{Ending, Game, History};
use kingline::loa::{Move, Position};
use kingline::score::{Meaning, Score};
use kingline::search::{Limits, Prover};
use kingline_players::play::LoaPlayer;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Forced wins, each after the plies of the shortest one.
const WINS: &str = include_str!("../data/forced-wins-6.txt");

/// Returns the length of a proved win in plies.
fn win(score: Score) -> Option<u16> {
    match score.meaning() {
        Meaning::WinIn(plies) => Some(plies),
        _ => None,
    }
}

/// Returns the reply that holds out longest, as far as the solver sees.
fn longest_defense(history: &History<Position<6>>) -> Option<Move> {
    let limits = Limits::nodes(2_000);
    let mut prover = Prover::new(Evaluation::default()).with_table_limit(1 << 20);
    let length = |&&mv: &&Move| {
        let mut next = history.clone();
        next.play(mv);
        let over = next.ending().is_some();
        if over { Some(0) } else { prover.prove(&next, limits, &mut ()).score.map_or(Some(u16::MAX), win) }
    };
    history.position().legal_moves().iter().max_by_key(length).copied()
}

/// Plays a won position to its end against random moves or the longest defense. Returns the number of turns in which a
/// win was announced again.
fn announced(position: Position<6>, rng: &mut StdRng, random: bool) -> usize {
    let mut player = LoaPlayer::new(0, 1 << 22);
    let mut history = History::new(position);
    // Plies left according to the last announcement.
    let (mut left, mut turns) = (None, 0);
    while history.ending().is_none() {
        let list = history.position().legal_moves();
        let mv = if history.position().turn() == position.turn() {
            let choice = player.choose(&history, Limits::nodes(20_000)).expect("a move");
            match (win(choice.why.score().unwrap_or(Score::DRAW)), left) {
                (Some(plies), Some(left)) => {
                    assert!(plies <= left, "{position}: announced a win in {left}, then in {plies}");
                    turns += 1;
                }
                // A forced move is played without a search.
                (None, Some(left)) => assert!(list.len() == 1, "{position}: announced a win in {left}, then none"),
                (_, None) => {}
            }
            left = win(choice.why.score().unwrap_or(Score::DRAW)).or(left);
            choice.best
        } else if random {
            list[rng.random_range(0..list.len())]
        } else {
            longest_defense(&history).expect("a move")
        };
        history.play(mv);
        left = left.and_then(|left| left.checked_sub(1));
    }
    assert_eq!(history.ending(), Some(Ending::Win(position.turn())), "{position}");
    turns
}

#[test]
fn a_win_that_a_player_announces_comes_nearer_with_every_turn() {
    let mut rng = StdRng::seed_from_u64(4);
    // Here the search finds a win first; the solver then finds a longer one.
    let more = [
        "-bb-b-/--w-b-/w-----/---wb-/w-----/--w-w- black",
        "-b--b-/----ww/w--bbb/-bw-b-/ww----/----w- black",
        "--bbb-/--wwbw/-ww-bw/wb-w--/------/--b--- white",
        "---bb-/-w----/-bw-bw/--bb--/--ww--/--b--w black",
        "bbbb--/-----w/--ww--/--b-b-/w--w-w/----bb white",
    ];
    let more = more.map(|text| text.parse().expect("a position"));
    let positions = WINS
        .lines()
        .map(|line| line.split_once(' ').expect("plies and a position").1.parse().expect("a position"))
        .chain(more);
    let mut turns = 0;
    for position in positions {
        turns += announced(position, &mut rng, true) + announced(position, &mut rng, false);
    }
    assert!(turns > 60, "{turns} turns");
}
