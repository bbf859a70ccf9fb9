use std::fmt::{self, Display};
use std::str::FromStr;

use super::outcome::{DrawReason, Ending};
use super::parse_error::ParseError;
use super::rules::{Game, MoveList, Progress};

/// Rules about quiet turns. They differ from place to place; everything else is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// The game's own rules: quiet turns draw nothing.
    #[default]
    Game,
    /// The course's rules (§1): a game is drawn after [`Game::QUIET_LIMIT`] consecutive quiet turns.
    Course,
}

impl Rules {
    /// Number of consecutive quiet turns that draws a game under these rules, if any does.
    #[inline]
    pub const fn quiet_limit<G: Game>(self) -> Option<u16> {
        match self {
            Rules::Game => None,
            Rules::Course => G::QUIET_LIMIT,
        }
    }
}

impl Display for Rules {
    /// `game` or `course`, as options and records name them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rules::Game => "game",
            Rules::Course => "course",
        })
    }
}

impl FromStr for Rules {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Rules, ParseError> {
        let named = |rules: &Rules| rules.to_string() == text;
        [Rules::Game, Rules::Course].into_iter().find(named).ok_or_else(|| ParseError::new(text, "game or course"))
    }
}

/// A game in progress: the positions that can still matter, oldest first, the current one last.
///
/// A zeroing move makes all earlier positions unreachable and resets the count of quiet turns. The count therefore
/// always equals the number of earlier positions stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History<G> {
    positions: Vec<G>,
    rules: Rules,
}

impl<G: Game> History<G> {
    /// Creates a game under its own rules that begins at `position`; its past is unknown.
    pub fn new(position: G) -> History<G> {
        History { positions: vec![position], rules: Rules::Game }
    }

    /// Returns the same game under these rules.
    #[must_use]
    pub fn under(self, rules: Rules) -> History<G> {
        History { rules, ..self }
    }

    /// Rules about quiet turns.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the current position.
    pub fn position(&self) -> G {
        self.positions[self.positions.len() - 1]
    }

    /// Positions since the last zeroing move, the current one last; never empty.
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// Number of consecutive quiet turns up to the current position; 32,768 stands for more.
    pub fn quiet_turns(&self) -> u16 {
        (self.positions.len() - 1).min(1 << 15) as u16
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        let position = self.position();
        if position.progress(mv) == Progress::Zeroing {
            self.positions.clear();
        }
        self.positions.push(position.play(mv));
    }

    /// Number of occurrences of the current position, this one included.
    pub fn occurrences(&self) -> usize {
        let now = self.position();
        self.positions.iter().filter(|&&earlier| earlier == now).count()
    }

    /// Returns how the game ended, if it is over. A side with no legal move has lost, even if the game would otherwise
    /// be drawn.
    pub fn ending(&self) -> Option<Ending> {
        if let Some(ending) = self.position().ending() {
            return Some(ending);
        }
        if self.rules.quiet_limit::<G>().is_some_and(|limit| self.quiet_turns() >= limit) {
            Some(Ending::Draw(DrawReason::QuietTurns))
        } else if G::REPETITION_LIMIT.is_some_and(|limit| self.occurrences() >= usize::from(limit)) {
            Some(Ending::Draw(DrawReason::Repetition))
        } else {
            None
        }
    }
}

impl<G: Game> From<G> for History<G> {
    /// Creates a game under its own rules that begins at this position; its past is unknown.
    fn from(position: G) -> History<G> {
        History::new(position)
    }
}

impl<G: Game> From<&History<G>> for History<G> {
    fn from(history: &History<G>) -> History<G> {
        history.clone()
    }
}

/// A random opening that does not end the game.
#[derive(Clone, Debug)]
pub struct Opening<G: Game> {
    /// Moves in the order played.
    pub moves: Vec<G::Move>,
    /// Game after these moves.
    pub history: History<G>,
}

/// Plays `plies` random moves from the start; `None` if the game is over by then.
///
/// `draw` is called once per move with the number of legal moves and returns an index below it. If it draws uniformly,
/// all legal moves are equally likely.
///
/// ```
/// use kingline::checkers::Position;
/// use kingline::game::random_opening;
///
/// let mut state = 1usize;
/// let opening = random_opening::<Position>(3, |moves| {
///     state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
///     (state >> 33) % moves
/// });
/// assert_eq!(opening.map(|opening| opening.moves.len()), Some(3));
/// ```
pub fn random_opening<G: Game>(plies: usize, mut draw: impl FnMut(usize) -> usize) -> Option<Opening<G>> {
    let mut opening = Opening { moves: Vec::with_capacity(plies), history: History::new(G::start()) };
    while opening.history.ending().is_none() {
        if opening.moves.len() == plies {
            return Some(opening);
        }
        let list = opening.history.position().legal_moves();
        let mv = list[draw(list.len())];
        opening.history.play(mv);
        opening.moves.push(mv);
    }
    None
}

/// Counts the leaves of the game tree `depth` plies below `position`; a finished game has no moves.
pub fn perft<G: Game>(position: G, depth: usize) -> u64 {
    fn leaves<G: Game>(position: G, lists: &mut [MoveList<G::Move>]) -> u64 {
        let Some((list, deeper)) = lists.split_first_mut() else { return 1 };
        if position.outcome().is_some() {
            return 0;
        }
        list.clear();
        position.moves(list);
        if deeper.is_empty() {
            return list.len() as u64;
        }
        list.iter().map(|&mv| leaves(position.play(mv), deeper)).sum()
    }
    leaves(position, &mut vec![MoveList::new(); depth])
}

/// A commentator's notes on a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation<M> {
    /// Judgment of the move.
    pub glyph: Option<Glyph>,
    /// Comment after the move; empty if there is none.
    pub comment: String,
    /// Better play instead of the move, from the position before it; empty if there is none.
    pub variation: Vec<M>,
}

/// A judgment of a move: one of the numeric annotation glyphs of the PGN standard (S. Edwards, 1994), which PDN uses as
/// well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// `?`
    Mistake,
    /// `??`
    Blunder,
    /// `?!`
    Dubious,
    /// The only legal move.
    Forced,
    /// The only move that does not lose much.
    Singular,
}

impl Glyph {
    /// Number of the glyph, as in `$2`.
    pub const fn number(self) -> u8 {
        match self {
            Glyph::Mistake => 2,
            Glyph::Blunder => 4,
            Glyph::Dubious => 6,
            Glyph::Forced => 7,
            Glyph::Singular => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{checkers, loa};

    #[test]
    fn an_opening_holds_its_moves_and_the_game_continues() {
        let opening = random_opening::<checkers::Position>(8, |moves| moves - 1).unwrap();
        let mut history = History::new(checkers::Position::start());
        for &mv in &opening.moves {
            assert!(history.position().legal_moves().contains(&mv));
            history.play(mv);
        }
        assert_eq!((opening.moves.len(), &opening.history), (8, &history));
        assert_eq!(history.ending(), None);
    }

    #[test]
    fn a_game_that_ends_gives_no_opening() {
        let mut asked = 0;
        let opening = random_opening::<loa::Position<6>>(10_000, |moves| {
            asked += 1;
            asked * 7 % moves
        });
        assert!(opening.is_none() && asked < 10_000, "{asked} moves");
    }
}
