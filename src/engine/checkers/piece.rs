//! Kinds of pieces.

/// Kind of a piece, without its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Piece {
    /// Moves and jumps forward only.
    Man,
    /// Moves and jumps in all four directions.
    King,
}
