//! Hub, the line protocol of draughts programs, for American checkers.
//!
//! Every line is a word with arguments: `level moves=30 time=60.5`. Values with blanks are in double quotes. A line that
//! is not understood is answered with `error message="..."`, and changes nothing. A position that no game reaches is
//! taken; then the message says what is odd about it.
//!
//! | line to the program | its answer |
//! | --- | --- |
//! | `hub` | `id name=... version=...`, `param name=... value=... type=...` for each parameter, `wait` |
//! | `set-param name=... value=...` | nothing |
//! | `init` | `ready` |
//! | `ping` | `pong` |
//! | `new-game` | nothing |
//! | `pos pos=... moves="..."` | nothing |
//! | `level ...` | nothing; see [`Level`] |
//! | `go think`, `go ponder`, `go analyze` | `info ...` for each iteration, `done move=... ponder=...` at the end |
//! | `ponder-hit` | nothing; from now on the search is one of `go think` |
//! | `stop` | the search ends: `done move=... ponder=...` |
//! | `quit` | the program ends |
//!
//! The protocol was made for 10x10 draughts, in which White moves first. Its client pydraughts uses it for American
//! checkers as follows, and so does this module. In **positions**, `W` and `w` are the side that moves first in a game,
//! which is Black here, and squares are counted from the other end: the text's square 1 is square 32. **Moves** have the
//! numbers of books: `12-16`; a jump names its first and last square, then the captured ones from the smallest number to
//! the largest: `18x2x6x14`.
//!
//! Sources: F. Letouzey, protocol.txt of the program Scan 3.1, 2019; the Python package pydraughts 0.6.7, 2025.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `line` | of which parts does a line consist, and how are answers written? |
//! | `command` | what does a line ask for? |
//! | `board` | how are positions and moves written? |

mod board;
mod command;
mod line;

pub use board::{read_move, read_position, write_move, write_position};
pub use command::{Command, Level, Purpose};
pub(crate) use line::{Done, Info, quoted};
