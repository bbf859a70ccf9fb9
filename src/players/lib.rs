//! The programs that play, and what the other programs share with them.
//!
//! | module | content |
//! | --- | --- |
//! | [`guide`] | the guide: turn files, Lines of Action, the master, classes, tournaments, formats, figures, ... |
//! | [`files`] | bounded reads, and writes that happen completely or not at all |
//! | [`chart`] | charts as SVG |
//! | [`terminal`] | what a person at a terminal sees |
//! | [`exit`] | exit codes, and the errors that decide them |
//! | [`game_name`] | the three games by name |
//! | [`journal`] | a file from which an interrupted run continues |
//! | [`progress`], [`threads`] | progress on standard error, and threads that share work |
//! | [`help`] | where each program's help leads |
//! | [`figures`] | figures measured by commands and tests |
//! | [`process`] | child processes, and signals that end a program |
//! | [`protocol`] | text that the programs read and write |
//! | [`play`] | the choice of a move within a time budget |
//! | [`review`] | where a game was won and lost |
//! | `display` | the board in a browser (feature `display`) |
//! | `schemas` | JSON Schemas of what the programs print and write (feature `schemas`) |
//!
//! Apart from the guide, this is made for the packages of this workspace and may change in any version. The rules and the
//! search, for other programs, are the package `kingline`.

pub mod chart;
#[cfg(feature = "display")]
pub mod display;
pub mod exit;
pub mod figures;
pub mod files;
pub mod game_name;
pub mod guide;
pub mod help;
pub mod journal;
pub mod play;
pub mod process;
pub mod progress;
pub mod protocol;
pub mod review;
#[cfg(feature = "schemas")]
pub mod schemas;
pub mod terminal;
pub mod threads;

/// True if this build has `loa --display`. Tests build the other programs with the same features.
pub const HAS_DISPLAY: bool = cfg!(feature = "display");
