//! Canonical forms: one number for all equivalent positions.

use super::color::Color;
use super::rules::Game;

/// A game whose positions have a canonical form: one number for all positions that are equal after rotation, reflection
/// or an exchange of the colors.
///
/// All positions with the same form have the same value: the side to move wins or loses in the same number of plies.
/// Positions that end the game have a form as well.
pub trait Canonical: Game {
    /// Name of the game in files, at most 8 letters and digits.
    const NAME: &'static str;
    /// Number of codes.
    const CODES: u64;

    /// Returns the form of the position, from the side to move's point of view.
    fn form(&self) -> u128;

    /// Returns the representative position of `form` with `turn` to move; `None` if no position has this form.
    fn of_form(form: u128, turn: Color) -> Option<Self>;

    /// Returns the code of a form, a smaller number that stands for it in files: below [`CODES`](Self::CODES), and
    /// different for each form.
    fn code(form: u128) -> u64;

    /// Returns the form with this code.
    fn of_code(code: u64) -> u128;
}
