//! Annotations of moves in game records.

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
