//! Games judged move by move: winning chances, marks, better lines, the turning point.
//!
//! A review depends on the game and on the number of nodes alone: it is the same on every machine, with any number of
//! threads.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `game` | which games can be reviewed, and which knowledge each has |
//! | `settings` | how much effort a review takes |
//! | `chances` | how many points a score promises, and what a position is worth |
//! | `judge` | what the engine finds in a position, and what a move has lost |
//! | `reviewed` | what a review contains: marks, accuracy, the turning point |
//! | `run` | how a game is reviewed on several threads |
//! | `puzzles` | which positions of a game have one winning move |
//! | `player` | how a player has played in many games |
//! | `read` | which games a file contains, and how other programs read their reviews, in PDN or SGF |
//! | `text` | in which encoding a record is |
//! | `words` | which sentences describe moves, games and players, and how they look as text |
//! | `page` | how reviews, puzzles and players look on a page |
//! | `command` | what the program `review` does |

mod chances;
pub(crate) mod command;
mod game;
mod judge;
mod page;
mod player;
mod puzzles;
mod read;
mod reviewed;
mod run;
mod settings;
mod text;
mod words;

pub use chances::{Chances, Curve, Exact, Judged, Knot, Worth, bent};
pub use command::ReviewArguments;
pub use game::{GameRecord, Reviewed, engine};
pub use page::{REVIEW_CSS, comment, graph, of_black, page_head, player, section, sides, summary};
#[cfg(feature = "display")]
pub(crate) use page::{REVIEW_JS, REVIEW_PAGE_CSS};
pub use player::{LossGroup, LossPart, LossesBy, MarkCounts, PlayerSummary, Results, TypicalMistake};
pub use puzzles::{Puzzle, Step, puzzles};
#[cfg(feature = "display")]
pub(crate) use read::read_games;
pub use read::{AnyRecord, FoundGame, RecordFormat, puzzle_record};
pub use reviewed::{Mark, Review, ReviewedMove, ReviewedPosition};
pub use run::review;
pub use settings::{SECONDS, Settings, SquareNames, all_cores, parse_seconds};
pub use words::{accuracy as accuracy_in_words, decisive_move, judgment, lines as better_lines};
