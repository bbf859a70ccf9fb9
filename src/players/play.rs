//! Choice of a move within a time budget.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `choice` | which move was chosen, and why |
//! | `turn` | how the checkers agent takes a turn by files |
//! | `time_budget` | how long the agent may think on a turn |
//! | `time_manager` | when further thinking is not worth the time, in each game |
//! | `params` | which parameters `time_budget`, `time_manager` and `thinker` use, and where they come from |
//! | `side_file` | how a file of endgame tables is read |
//! | `board_engine` | which settings and memory the checkers engine has in a board program, and how long a move may take |
//! | `hub` | how it plays by the protocol Hub |
//! | `search_control` | how a search in the background is ended, and what is reported of it |
//! | `loa_player` | which move the automatic player of Lines of Action makes |
//! | [`loa6`] | what the 6x6 agent answers to a request |
//! | [`solved`] | how the player wins won positions of 6x6 Lines of Action, and does not lose others |
//! | `session` | who plays a game of Lines of Action by commands |
//! | `game_state` | what commands do to the game |
//! | `reply` | what a command results in, and how a person or a program sees it |
//! | `thinker` | how long the automatic players think |
//! | `effort` | how much they search at each level |
//! | `console`, `streams` | how command lines are read and answered, and from which streams |
//! | `command_source` | how a line is asked for and edited, and whether another is already waiting |
//! | [`reference`](mod@reference) | which turn the reference agent takes (a plain minimax used for grading) |
//! | `tester` | how `test-loa` tests programs (Unix) |
//! | [`arguments`] | which arguments the players take |

pub mod arguments;
mod board_engine;
mod choice;
mod command_source;
mod console;
mod effort;
mod game_state;
mod hub;
/// Answers of the 6x6 Lines of Action agent.
pub mod loa6;
mod loa_player;
mod params;
pub mod reference;
mod reply;
mod search_control;
mod session;
mod side_file;
pub mod solved;
mod streams;
#[cfg(unix)]
pub mod tester;
mod thinker;
mod time_budget;
mod time_manager;
mod turn;

pub use board_engine::{BoardEngine, EngineSettings, MoveTime, Setting, number};
pub use choice::{Choice, Why};
pub use command_source::CommandSource;
pub use console::{Console, ConsoleEnd, StreamError, Strictness};
#[cfg(feature = "display")]
pub(crate) use effort::level_in_words;
pub use game_state::GameState;
pub use hub::play_by_hub;
pub use loa_player::{LoaPlayer, LoaSettings};
pub use reply::{Help, Reply, Shown, Thought, Viewer};
pub use session::{AutomaticTurn, Listen, Session};
pub use side_file::SideFile;
pub use streams::Typing;
#[cfg(feature = "display")]
pub(crate) use streams::open_terminal;
pub(crate) use streams::used_files;
pub use thinker::{Settings, Spectators, Thinker};
pub use time_budget::TimeBudget;
pub use turn::{AgentError, Engine, TakenTurn, choose, take_turn};
