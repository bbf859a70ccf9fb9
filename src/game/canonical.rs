//! Which positions of a game are alike?

use super::color::Color;
use super::rules::Game;

/// A game whose positions have a form: one number for all that are alike, turned, mirrored or with the colors exchanged.
///
/// What is known of a form is known of all its positions: their side to move wins, or loses, in as many plies. Positions
/// that end the game have a form too.
pub trait Canonical: Game {
    /// The name of the game in files, at most 8 letters and digits.
    const NAME: &'static str;
    /// Bytes of a form: it is below `1 << (8 * FORM_BYTES)`.
    const FORM_BYTES: usize;

    /// The form of the position, from the view of its side to move.
    fn form(&self) -> u128;

    /// The position of a form, of all with this side to move always the same one; `None`: no position has this form.
    fn of_form(form: u128, turn: Color) -> Option<Self>;
}
