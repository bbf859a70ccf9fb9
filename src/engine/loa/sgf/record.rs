//! Game records.

use std::time::Duration;

use crate::game::{Game, History, Outcome};
use crate::loa::{Move, Position};

/// A game on a board of `N` columns and rows, finished or not.
///
/// ```
/// use kingline::game::Game;
/// use kingline::loa::{Position, sgf};
///
/// let mut record = sgf::Record::new(Position::<8>::start());
/// record.play(record.position().parse_move("b1-b3")?);
/// let text = record.to_string();
/// assert!(text.starts_with("(;FF[4]GM[9]") && text.ends_with("\n;B[b1-b3])\n"));
/// assert_eq!(text.parse(), Ok(record));
/// # Ok::<(), kingline::game::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<const N: usize = 8> {
    pub(super) about: About,
    /// Positions before the first move and after each; never empty.
    pub(super) positions: Vec<Position<N>>,
    pub(super) moves: Vec<Move>,
    /// Remaining time of the mover after each move, if known.
    pub(super) clocks: Vec<Option<Duration>>,
    pub(super) result: Option<Outcome>,
}

/// Facts about a game besides its moves. Empty means unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Name of the event, `EV`.
    pub event: String,
    /// Names of the players, Black's first, `PB` and `PW`.
    pub players: [String; 2],
    /// Any other text, with `\n` between lines, `GC`.
    pub comment: String,
}

impl<const N: usize> Record<N> {
    /// Creates a game from `start`, without moves or a result.
    pub fn new(start: Position<N>) -> Record<N> {
        Record { about: About::default(), positions: vec![start], moves: Vec::new(), clocks: Vec::new(), result: None }
    }

    /// Sets the facts about the game. Control characters become spaces, except the comment's line breaks.
    pub fn set_about(&mut self, about: About) {
        let one_line = |text: &str| text.replace(char::is_control, " ");
        self.about = About {
            event: one_line(&about.event),
            players: about.players.map(|name| one_line(&name)),
            comment: about.comment.split('\n').map(one_line).collect::<Vec<_>>().join("\n"),
        };
    }

    /// Plays a legal move and clears the result.
    pub fn play(&mut self, mv: Move) {
        self.positions.push(self.position().play(mv));
        self.moves.push(mv);
        self.clocks.push(None);
        self.result = None;
    }

    /// Sets the remaining time of the player who made the last move, truncated to microseconds.
    pub fn set_clock(&mut self, left: Duration) {
        let whole = Duration::new(left.as_secs(), left.subsec_micros() * 1000);
        if let Some(clock) = self.clocks.last_mut() {
            *clock = Some(whole);
        }
    }

    /// Undoes all but the first `moves` moves and clears the result.
    pub fn take_back_to(&mut self, moves: usize) {
        self.positions.truncate(moves + 1);
        self.moves.truncate(moves);
        self.clocks.truncate(moves);
        self.result = None;
    }

    /// Sets the result of the game; `None` if it is not over or the result is unknown.
    pub fn set_result(&mut self, result: Option<Outcome>) {
        self.result = result;
    }

    /// Facts about the game.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Position after the moves so far.
    pub fn position(&self) -> Position<N> {
        self.positions[self.positions.len() - 1]
    }

    /// Positions before the first move and after each.
    pub fn positions(&self) -> &[Position<N>] {
        &self.positions
    }

    /// Moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Remaining time of the mover after each move, if known.
    pub fn clocks(&self) -> &[Option<Duration>] {
        &self.clocks
    }

    /// Result of the game, if it is over and the result is known.
    pub fn result(&self) -> Option<Outcome> {
        self.result
    }

    /// Converts the game to the history that a search needs.
    pub fn history(&self) -> History<Position<N>> {
        let mut history = History::new(self.positions[0]);
        self.moves.iter().for_each(|&mv| history.play(mv));
        history
    }
}
