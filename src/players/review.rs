//! Games judged move by move: winning chances, marks, better lines, the turning point.
//!
//! A review depends on the game and on the number of nodes alone: it is the same on every machine, with any number of
//! threads.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `game` | which games can be reviewed, and which knowledge each has |
//! | `settings` | how much effort a review takes |
//! | `analyze` | what the engine finds in a position |
//! | `engine` | which engine it was |
//! | `chances` | how many points a score promises |
//! | `worth` | what a position is worth: chances, or certain knowledge |
//! | `judge` | what a move has lost |
//! | `mark` | which losses are mistakes |
//! | `accuracy` | how well a side has played |
//! | `turning_point` | which move decided the game |
//! | `reviewed` | what a review contains |
//! | `run`, `parallel` | how a game is reviewed on several threads |
//! | `puzzles`, `puzzle_page` | which positions of a game have one winning move, and how a page asks for it |
//! | `read` | which games a file contains |
//! | `words` | which sentences describe moves and games |
//! | `text` | how a review looks as text |
//! | `graph`, `page` | how it looks on a page |
//! | `player` | how a player has played in many games |
//! | `annotate` | how other programs read it, in PDN or SGF |
//! | `command` | what the program `review` does |

pub mod accuracy;
mod analyze;
mod annotate;
mod chances;
mod command;
mod engine;
mod game;
mod graph;
mod judge;
mod mark;
mod page;
mod parallel;
mod player;
mod puzzle_page;
mod puzzles;
mod read;
mod reviewed;
mod run;
mod settings;
mod text;
mod turning_point;
mod words;
mod worth;

pub use annotate::puzzle_record;
pub use chances::{Chances, Curve, Judged, Knot, bent};
pub use command::ReviewArguments;
pub use engine::engine;
pub use game::{GameRecord, Reviewed};
pub use graph::{graph, mark_class};
pub use mark::Mark;
pub use page::{REVIEW_CSS, comment, of_black, page_head, section, sides, summary};
#[cfg(feature = "display")]
pub(crate) use page::{REVIEW_JS, REVIEW_PAGE_CSS};
pub use player::{LossGroup, LossPart, LossesBy, MarkCounts, PlayerSummary, Results, TypicalMistake, player};
pub use puzzles::{Puzzle, Step, puzzles};
#[cfg(feature = "display")]
pub(crate) use read::read_games;
pub use read::{AnyRecord, FoundGame, RecordFormat};
pub use reviewed::{Review, ReviewedMove};
pub use run::review;
pub use settings::{SECONDS, Settings, SquareNames, all_cores, parse_seconds};
pub use words::{accuracy as accuracy_in_words, decisive_move, judgment, lines as better_lines};
pub use worth::{Exact, Worth};
