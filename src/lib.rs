//! `kingline`: game-playing programs on one engine.
//!
//! ```
//! use kingline::checkers::Position;
//! use kingline::game::{Game, MoveList, parse_move};
//!
//! let position = Position::start();
//! let mut moves = MoveList::new();
//! position.moves(&mut moves);
//! assert_eq!(moves.len(), 7);
//!
//! let after = position.play(parse_move(&position, "11-15")?);
//! assert_eq!(after.to_string(), "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15");
//! # Ok::<(), kingline::game::ParseError>(())
//! ```
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`game`] | what a game is: [`game::Game`], its history, perft |
//! | [`score`] | what a search knows of a position, in one number |
//! | [`checkers`] | American checkers |
//! | [`loa`] | Lines of Action on 8x8 and 6x6 boards |
//! | [`search`] | one search, and a solver of forced wins, for every game |
//! | [`tables`] | endgame tables of checkers that know the 50-turn rule |
//! | [`agent`], [`reference`](mod@reference) | a turn of checkers by files; the plain minimax |
//! | [`player`] | the automatic player of Lines of Action |
//! | [`console`], [`request`] | Lines of Action by text commands, and by requests |
//! | [`scripts`] | tests of Lines of Action programs by scripts |
//! | `master` | with the feature of that name: referee, grader, tournaments |
//! | [`clock`] | CPU and wall clocks |

pub mod agent;
pub mod checkers;
pub mod clock;
pub mod console;
pub mod game;
pub mod loa;
#[cfg(feature = "master")]
pub mod master;
pub mod player;
pub mod reference;
pub mod request;
pub mod score;
pub mod scripts;
pub mod search;
pub mod tables;
