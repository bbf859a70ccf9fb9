//! How is an agent asked for its moves? Each protocol has its own kind of player.

mod console;
mod contestant;
mod play;
mod prepare;
mod request;
mod turn_files;
mod violation;

pub use console::ConsolePlayer;
pub(crate) use contestant::COPIES;
pub use contestant::Contestant;
pub use play::{Participant, Person, play, play_for_evidence};
pub use prepare::{PreparationObserver, prepare};
pub(crate) use prepare::{WROTE_NO_CALIBRATION, take_over_calibration};
pub use request::RequestPlayer;
pub use turn_files::TurnFilesPlayer;
pub(crate) use turn_files::{Reading, ill_formed};
pub(crate) use violation::{last_words, limits, oddity};
