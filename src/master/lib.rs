//! `master`: runs untrusted agents against each other, judges every move, grades them, and holds tournaments.
//!
//! Section marks (§) refer to the contract that the README summarizes. The modules, roughly in the order in which a
//! submission passes through them:
//!
//! | module | question it answers |
//! | --- | --- |
//! | [`league`] | under which rules, clocks and limits is a game played? |
//! | [`intake`] | what has a student handed in, and how does it become an agent? |
//! | [`sandbox`] | how are untrusted programs run? |
//! | `doctor` | can this machine run them fairly and safely? |
//! | [`record`] | what is recorded about a finished game? |
//! | [`referee`] | how is a game played, from the start to the verdict? |
//! | `check` | does an agent follow its protocol? |
//! | [`exam`] | how many of the 100 points does it get? |
//! | `gradebook` | what do the staff, students and other systems read about graded exams? |
//! | `reviews` | how well were recorded games played, by the engine's judgment? |
//! | [`tournament`] | who plays whom, what is stored, and who leads? |
//! | [`report`] | how does a tournament become a site? |
//! | [`command`] | what do the program's commands do? |
//! | `schemas` | which JSON Schemas do the outputs have (feature `schemas`)? |
//! | [`stop`] | how is everything stopped early? |
//! | `threads` | how is work spread over threads? |
//! | `csv` | how are spreadsheets written? |
//! | `hash` | how are names, files and agents hashed? |
//! | `micros` | how are durations written in JSON? |

#![cfg(target_os = "linux")]

mod check;
pub mod command;
mod csv;
mod doctor;
pub mod exam;
mod gradebook;
mod hash;
pub mod intake;
pub mod league;
mod micros;
pub mod record;
pub mod referee;
pub mod report;
mod reviews;
pub mod sandbox;
#[cfg(feature = "schemas")]
pub mod schemas;
pub mod stop;
mod threads;
pub mod tournament;
