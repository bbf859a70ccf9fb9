//! The exact distance, found by a search as deep as the spans in the tables are wide.
//!
//! It asks whether a decided position can be decided within so many plies, one ply more each time. Every
//! position below has its span: most say yes or no at once, and the search goes on only below those of the
//! same span as the first, with one ply less each time, until it leaves that span.

use super::board::Board;
use super::prober::{ProbeError, Prober};
use super::stored::{Span, Stored};
use super::turns::Turns;
use super::value::{Exact, Wld};

impl Prober<'_> {
    /// The value of a board with no quiet turn behind it.
    pub(super) fn exact(&self, board: Board) -> Result<Exact, ProbeError> {
        let (span, within): (Span, fn(&Self, Board, u8) -> Result<bool, ProbeError>) = match self.look(board)? {
            Stored::Draw => return Ok(Exact::Draw),
            Stored::Win(span) => (span, Self::wins_within),
            Stored::Loss(span) => (span, Self::loses_within),
        };
        let mut plies = span.least();
        while plies < span.most && !within(self, board, plies)? {
            plies += 1;
        }
        Ok(match self.look(board)?.outcome() {
            Wld::Win => Exact::Win(plies),
            _ => Exact::Loss(plies),
        })
    }

    /// Whether the side to move, which wins, can do so within so many plies.
    pub(super) fn wins_within(&self, board: Board, plies: u8) -> Result<bool, ProbeError> {
        let Some(left) = plies.checked_sub(1) else { return Ok(false) };
        let turns = Turns::of(board);
        for &after in &turns.zeroing {
            if self.look(after)?.outcome() == Wld::Loss {
                return Ok(true);
            }
        }
        let mut unclear = Vec::new();
        for &after in &turns.quiet {
            match self.look(after)? {
                Stored::Loss(span) if span.most <= left => return Ok(true),
                Stored::Loss(span) if span.least() <= left => unclear.push(after),
                _ => {}
            }
        }
        for after in unclear {
            if self.loses_within(after, left)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move, which loses, cannot last longer than so many plies.
    pub(super) fn loses_within(&self, board: Board, plies: u8) -> Result<bool, ProbeError> {
        let turns = Turns::of(board);
        let Some(left) = plies.checked_sub(1) else { return Ok(turns.is_empty()) };
        let mut unclear = Vec::new();
        for &after in &turns.quiet {
            match self.look(after)? {
                Stored::Win(span) if span.most <= left => {}
                Stored::Win(span) if span.least() <= left => unclear.push(after),
                _ => return Ok(false),
            }
        }
        for after in unclear {
            if !self.wins_within(after, left)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
