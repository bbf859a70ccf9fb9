//! How the positions of each game are stored and seen.

use kingline_players::game_name::GameName;

use super::game::{checkers, loa};
use super::packing::Packing;
use super::view::{self, View};

/// Returns the packing of a game's positions.
pub(crate) fn packing(game: GameName) -> &'static Packing {
    match game {
        GameName::Checkers => &checkers::CHECKERS,
        GameName::Loa => &loa::LOA,
        GameName::Loa6 => &loa::LOA6,
    }
}

/// Returns what a game's network sees.
pub(crate) fn view(game: GameName) -> &'static View {
    match game {
        GameName::Checkers => &view::checkers::CHECKERS,
        GameName::Loa => &view::loa::LOA,
        GameName::Loa6 => &view::loa::LOA6,
    }
}
