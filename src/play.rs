//! Who chooses a move, and within which time?
//!
//! | file | question it answers |
//! | --- | --- |
//! | `choice` | which move was chosen, and why |
//! | `turn` | how the checkers agent takes a turn by files |
//! | `time_budget` | how long a turn of checkers may think |
//! | `time_manager` | when more thought is not worth its time |
//! | `params` | every number of these two, of `thinker` and of `move_time`, and where it comes from |
//! | `loa_player` | what the automatic player of Lines of Action moves |
//! | [`loa6`] | what the 6x6 agent answers to a request |
//! | [`solved`] | how won positions of 6x6 Lines of Action are won |
//! | `session` | who plays a game of Lines of Action by commands |
//! | `game_state` | what commands do to the game |
//! | `thinker` | how long its automatic players think |
//! | `move_time` | when they have thought enough about a move |
//! | `console`, `streams` | how lines of commands are read and answered, and where from |
//! | `command_source` | whether the next line is there already |
//! | [`reference`](mod@reference) | what the reference agent plays, the plain minimax that agents are graded against |

mod choice;
mod command_source;
mod console;
mod game_state;
pub mod loa6;
mod loa_player;
mod move_time;
mod params;
pub mod reference;
mod session;
pub mod solved;
mod streams;
mod thinker;
mod time_budget;
mod time_manager;
mod turn;

pub use choice::{Choice, Why};
pub use command_source::CommandSource;
pub use console::{Console, ConsoleEnd, StreamError, Strictness};
pub use game_state::GameState;
pub use loa_player::{LoaPlayer, LoaSettings};
pub use session::{AutomaticTurn, Reply, Session};
#[cfg(feature = "display")]
pub(crate) use streams::open_terminal;
pub use streams::used_files;
pub use thinker::{Audience, Settings, Thinker, Thought};
pub use time_budget::TimeBudget;
pub use time_manager::TimeManager;
pub use turn::{AgentError, Engine, TakenTurn, choose, take_turn};
