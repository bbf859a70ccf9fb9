//! The checkers engine as a library that the board program CheckerBoard loads.
//!
//! Build it with the profile `dll`, in which a panic unwinds to the boundary instead of ending the board program.
//!
//! CheckerBoard calls two functions, both `__stdcall`: `getmove` for a move, and `enginecommand` for everything else. It
//! calls `getmove` from a separate thread, and may call `enginecommand` from another during a search. The facts below are
//! from the sources at the end.
//!
//! # `getmove`
//!
//! | argument | meaning |
//! | --- | --- |
//! | `board` | 8x8 numbers, `board[x][y]`; the board after the move is returned in it. See [`board`] |
//! | `color` | the side to move: 1 White, 2 Black |
//! | `maxtime` | seconds for the move on average |
//! | `str` | 1024 bytes, for a text about the search. CheckerBoard shows it ten times a second |
//! | `playnow` | becomes nonzero during the search if the move is wanted at once |
//! | `info` | bit 0: the game has been interrupted; bit 1: `maxtime` is exact; bits 2 and 3: unit of `moreinfo` |
//! | `moreinfo` | upper half: time left, increment included; lower half: increment. See [`time`] |
//! | `move` | the move in squares, which CheckerBoard ignores in American checkers |
//!
//! It returns 0 for a draw, 1 for a win, 2 for a loss and 3 if the result is unknown. A match between engines ends at a
//! claim of a draw and, if the user wants it so, at the others. So this engine claims only certain results: wins and
//! losses that are proved or in the endgame tables, draws by the third occurrence of a position, and draws by the endgame
//! tables after 24 king moves in a row. Without a legal move it returns a loss; if the arguments are wrong, 3, and `str`
//! has the reason. In both cases the board is unchanged.
//!
//! # `enginecommand`
//!
//! The command has at most 256 bytes. The reply has room for 1024 bytes in most calls, but CheckerBoard's dialogs pass
//! buffers of 256, so no reply takes more. The function returns 1 if the command was followed. It returns 0 with the
//! reply `?` if the engine does not have the command, whose control is then gray in the dialogs, and 0 with the reason if
//! the command failed.
//!
//! | command | reply |
//! | --- | --- |
//! | `name`, `about` | text |
//! | `help` | name of a page in the folder of the engines |
//! | `get protocolversion` | `2` |
//! | `get gametype` | `21`, American checkers |
//! | `get hashsize`, `set hashsize N` | largest size of the transposition table in MiB |
//! | `get searchthreads`, `set searchthreads N` | threads of the search |
//! | `get dbpath`, `set dbpath FILE` | file with endgame tables of this engine; empty for those in the program |
//! | `get allscores`, `set allscores N` | 1: the text about the search has the scores of all moves |
//! | `set gamehist POSITION MOVES` | see [`history`] |
//! | `staticevaluation POSITION` | the evaluation for the side to move, without a search |
//! | `get nodes`, `set nodes N` | nodes of each search, instead of a time; 0 for the time. The sources do not have it; with it, equal commands give equal moves on any machine |
//! | `dblookup POSITION` | the result by the endgame tables. The sources do not define it; this engine replies in words |
//!
//! Settings last until CheckerBoard ends. Positions are in PDN: `B:W21,22,K30:B1,2`.
//!
//! # Sources
//!
//! - M. Fierz, CB API reference, fierz.ch/cbdeveloper.php, 2005.
//! - M. Fierz and E. Gilbert, cb_api_reference.htm, cb_interface.h, CheckerBoard.c and dialogs.c of CheckerBoard,
//!   github.com/eygilbert/CheckerBoard, 2021.
//!
//! | module | question it answers |
//! | --- | --- |
//! | [`board`] | how are positions and moves passed? |
//! | [`time`] | how long may a move take? |
//! | [`history`] | which positions occurred before? |
//! | [`engine`] | which commands are followed, and which move does the engine choose? |
//! | [`exports`] | what does CheckerBoard call? |

pub mod board;
pub mod engine;
pub mod exports;
pub mod history;
pub mod time;
