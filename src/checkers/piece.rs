//! What stands on a square?

/// What stands on a square, its color apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Piece {
    /// Moves and jumps forward only.
    Man,
    /// Moves and jumps in all four directions.
    King,
}
