//! Names of the games on the command line.

use super::game::{checkers, loa};
use super::packing::Packing;
use super::view::{self, View};

/// Games that game files can contain.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum GameName {
    /// American checkers.
    Checkers,
    /// Lines of Action, 8x8.
    Loa,
    /// Lines of Action, 6x6.
    Loa6,
}

impl GameName {
    /// Returns the packing of its positions.
    pub(crate) fn packing(self) -> &'static Packing {
        match self {
            GameName::Checkers => &checkers::CHECKERS,
            GameName::Loa => &loa::LOA,
            GameName::Loa6 => &loa::LOA6,
        }
    }

    /// Returns what its network sees.
    pub(crate) fn view(self) -> &'static View {
        match self {
            GameName::Checkers => &view::checkers::CHECKERS,
            GameName::Loa => &view::loa::LOA,
            GameName::Loa6 => &view::loa::LOA6,
        }
    }
}
