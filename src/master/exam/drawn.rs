//! Random questions, determined by a seed.
//!
//! Agents must not know the exam in advance, or they could look up the answers. So each single move is asked for in a
//! position from a random game, of a kind that agents are known to get wrong, and each game has its own seed.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::course::CourseMoves;
use kingline::checkers::{Piece, Position, Square};
use kingline::game::{Color, Game, History, Rules};
use kingline_players::protocol::turn_files::{Mode, TurnRequest};

/// A request for a single move.
#[derive(Clone, Debug)]
pub struct Question {
    /// Subject, or file name without its extension.
    pub name: String,
    /// Content of input.txt.
    pub request: TurnRequest,
}

struct Kind {
    /// `{}` stands for the time left in seconds.
    name: &'static str,
    /// Returns true if a position with a choice of turns is of this kind.
    fits: fn(&Position) -> bool,
    /// Minimum and maximum time left, in hundredths of a second.
    hundredths: [u64; 2],
}

/// Enough time for any agent that looks at the clock at all.
const AMPLE: [u64; 2] = [10_000, 30_000];
const SHORT: [u64; 2] = [300, 1000];

const KINDS: [Kind; 10] = [
    Kind {
        name: "steps",
        fits: |position| !position.must_jump() && pieces(position) >= 18 && position.legal_moves().len() >= 7,
        hundredths: AMPLE,
    },
    Kind { name: "two jumps", fits: |position| longest_jump(position, |_| true) == 2, hundredths: AMPLE },
    Kind { name: "three jumps", fits: |position| longest_jump(position, |_| true) >= 3, hundredths: AMPLE },
    Kind {
        name: "a king's jumps",
        fits: |position| longest_jump(position, |from| is_king(position, from)) >= 2,
        hundredths: AMPLE,
    },
    Kind { name: "crowned, and stopped", fits: stops_when_crowned, hundredths: AMPLE },
    Kind { name: "a king jumps back", fits: king_jumps_back, hundredths: AMPLE },
    Kind { name: "a man never jumps back", fits: man_would_jump_back, hundredths: SHORT },
    Kind {
        name: "a lone king",
        fits: |position| {
            let own = position.turn();
            position.count(own) == 1 && position.kings(own) == 1
        },
        hundredths: SHORT,
    },
    Kind {
        name: "far behind",
        fits: |position| position.count(position.turn()) + 3 <= position.count(!position.turn()),
        hundredths: [100, 200],
    },
    // Twice what Java and Python need to start on a slow machine.
    Kind {
        name: "a jump in {} s",
        fits: |position| position.must_jump() && pieces(position) >= 12,
        hundredths: [25, 25],
    },
];

/// Generates the questions for a seed, cycling through the kinds; the result is the same on all machines.
pub(super) fn drawn(seed: u64, moves: &CourseMoves) -> Vec<Question> {
    let mut rng = StdRng::seed_from_u64(seed);
    let given = moves.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    (1..=moves.count).zip(KINDS.iter().cycle()).map(|(number, kind)| question(number, kind, given, &mut rng)).collect()
}

pub(super) fn game_seeds(seed: u64, games: usize) -> Vec<u64> {
    // Keeps these random numbers independent of those for the questions.
    let mut rng = StdRng::seed_from_u64(!seed);
    (0..games).map(|_| rng.random::<u32>().into()).collect()
}

/// A question of this kind, with the kind's time unless another is given.
fn question(number: usize, kind: &Kind, given: Option<Duration>, rng: &mut StdRng) -> Question {
    let [least, most] = kind.hundredths;
    // Drawn in any case, so that a course's time changes no position.
    let drawn = Duration::from_millis(10 * rng.random_range(least..=most));
    let left = given.unwrap_or(drawn);
    let position = loop {
        let mut fitting = random_game(rng);
        fitting.retain(|position| has_choice(position) && (kind.fits)(position));
        if !fitting.is_empty() {
            break fitting[rng.random_range(0..fitting.len())];
        }
    };
    let name = format!("{number:02} {}", kind.name.replace("{}", &left.as_secs_f64().to_string()));
    Question { name, request: TurnRequest { mode: Mode::Single, left, position, warnings: Vec::new() } }
}

fn random_game(rng: &mut StdRng) -> Vec<Position> {
    let mut history = History::new(Position::start()).under(Rules::Course);
    let mut positions = Vec::new();
    while history.ending().is_none() {
        let position = history.position();
        let list = position.legal_moves();
        history.play(list[rng.random_range(0..list.len())]);
        positions.push(position);
    }
    positions
}

fn has_choice(position: &Position) -> bool {
    position.legal_moves().len() > 1
}

fn pieces(position: &Position) -> u32 {
    Color::ALL.map(|color| position.count(color)).iter().sum()
}

fn is_king(position: &Position, square: Square) -> bool {
    position.at(square).is_some_and(|(_, piece)| piece == Piece::King)
}

/// Maximum number of captures in a legal turn that begins on a square that `begins` accepts.
fn longest_jump(position: &Position, begins: impl Fn(Square) -> bool) -> u32 {
    let list = position.legal_moves();
    list.iter().filter(|mv| begins(mv.from())).map(|mv| mv.captures()).max().unwrap_or(0)
}

/// True if a jump crowns a man on a square from which a king could jump again.
fn stops_when_crowned(position: &Position) -> bool {
    let list = position.legal_moves();
    list.iter().filter(|mv| mv.captures() > 0 && !is_king(position, mv.from())).any(|&mv| {
        let after = position.play(mv);
        let again = Position::new(position.turn(), placed(&after));
        is_king(&after, mv.to()) && again.legal_moves().iter().any(|next| next.from() == mv.to() && next.captures() > 0)
    })
}

/// True if a king may jump towards its own side.
fn king_jumps_back(position: &Position) -> bool {
    let goes_back = |from: Square, to: Square| match position.turn() {
        Color::Black => to.row() > from.row(),
        Color::White => to.row() < from.row(),
    };
    let list = position.legal_moves();
    list.iter().any(|mv| mv.captures() == 1 && is_king(position, mv.from()) && goes_back(mv.from(), mv.to()))
}

/// True if no jump is possible, but one would be if all own men were kings.
fn man_would_jump_back(position: &Position) -> bool {
    let own = position.turn();
    let crowned = placed(position).map(|(square, color, piece)| {
        let piece = if color == own { Piece::King } else { piece };
        (square, color, piece)
    });
    !position.must_jump() && Position::new(own, crowned).must_jump()
}

fn placed(position: &Position) -> impl Iterator<Item = (Square, Color, Piece)> {
    Square::all().filter_map(|square| position.at(square).map(|(color, piece)| (square, color, piece)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_seed_gives_one_question_of_each_kind() {
        let mut boards = HashSet::new();
        for seed in 0..20 {
            let questions = drawn(seed, &CourseMoves::default());
            assert_eq!(questions.len(), KINDS.len());
            for (question, kind) in questions.iter().zip(&KINDS) {
                let TurnRequest { position, left, .. } = &question.request;
                assert!(has_choice(position) && (kind.fits)(position), "{}: {position}", question.name);
                let [least, most] = kind.hundredths.map(|time| Duration::from_millis(10 * time));
                assert!((least..=most).contains(left), "{left:?}");
                boards.insert(position.to_string());
            }
        }
        // The title says the time given, which suffices for an interpreter to start.
        for (seconds, title) in [(None, "10 a jump in 0.25 s"), (Some(30.0), "10 a jump in 30 s")] {
            assert_eq!(drawn(7, &CourseMoves { seconds, ..CourseMoves::default() })[9].name, title);
        }
        assert!(boards.len() > 195, "{} of 200 differ", boards.len());
        let games: HashSet<u64> = (0..20).flat_map(|seed| game_seeds(seed, 9)).collect();
        assert_eq!(games.len(), 20 * 9);
    }

    /// A report names a seed, which must reproduce the same exam forever.
    #[test]
    fn a_seed_always_gives_the_same_questions() {
        let positions: Vec<String> =
            drawn(1, &CourseMoves::default()).iter().map(|question| question.request.position.to_string()).collect();
        assert_eq!(
            positions,
            [
                "W:W21,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,18,19",
                "B:W11,19,21,24,25,26,28,29,30,31,32:B1,2,3,4,5,6,7,8,12,13",
                "W:W5,14,26,27,28,32:B8,12,16,24",
                "W:W5,K10,22,25,26,27,28,29,30:B4,14,15,16",
                "B:W15,17,21,25,26,27,28,29,30,32:B2,3,4,5,7,8,10,13,14,20",
                "W:WK2,12,17,27,29,31,32:B4,7,8",
                "B:W14,20,24,27,28,29,31:B2,3,4,7,8,11,17,K30",
                "B:W5,K17:BK28",
                "B:WK2,5,10,22,27,28,31:B12,16",
                "W:W17,20,21,22,23,24,27,29,30,31:B2,4,5,6,8,9,10,12,14,19"
            ]
        );
    }

    #[test]
    fn kinds_match_their_names() {
        let fits = |name: &str, position: &str| {
            let kind = KINDS.iter().find(|kind| kind.name == name).expect("a kind");
            (kind.fits)(&position.parse().expect("a position"))
        };
        for (name, fitting, other) in [
            ("two jumps", "B:W18,26:B14,5", "B:W18:B14,5"),
            ("a king's jumps", "W:WK18:B14,6", "W:W18:B14,6"),
            ("crowned, and stopped", "W:W11:B7,6,12", "W:W11:B7,12"),
            ("a king jumps back", "W:WK14,32:B18,1", "W:W14,32:B10,1"),
            ("a man never jumps back", "W:W14:B18", "W:W14:B19"),
            ("a lone king", "B:W21,22:BK1", "B:W21,22:B1"),
            ("far behind", "B:W21,22,23,24:B1", "B:W21,22,23:B1"),
        ] {
            assert!(fits(name, fitting) && !fits(name, other), "{name}");
        }
    }
}
