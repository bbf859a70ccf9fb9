//! How is an agent asked for its moves? Each protocol has its own kind of player.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `contestant` | what does an agent bring into its cell? |
//! | `prepare` | how is an agent prepared for its first game? |
//! | `turn_files` | how is checkers played through `input.txt` and `output.txt`? |
//! | `request` | how is 6x6 Lines of Action played through requests? |
//! | `console` | how is 8x8 Lines of Action played through text commands? |
//! | `person` | how is a person asked for moves? |
//! | `play` | how do agents and persons play a game? |
//! | `words` | how is an agent's output shown after a fault? |
//! | `hint` | why did an agent crash at once or not start, and what helps? |
//! | `limits` | what may a turn use, and when has the machine spoiled it? |

mod console;
mod contestant;
mod hint;
mod limits;
mod person;
mod play;
mod prepare;
mod request;
mod turn_files;
mod words;

pub use console::ConsolePlayer;
pub use contestant::Contestant;
pub(crate) use contestant::{AgentProgram, COPIES};
pub(crate) use limits::{limits, oddity};
pub use person::Person;
pub use play::{Seat, play, play_for_evidence};
pub use prepare::{PreparationObserver, prepare};
pub(crate) use prepare::{WROTE_NO_CALIBRATION, take_over_calibration};
pub use request::RequestPlayer;
pub use turn_files::TurnFilesPlayer;
pub(crate) use turn_files::{Reading, ill_formed};
pub(crate) use words::last_words;
