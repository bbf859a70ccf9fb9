//! The integration tests: rules against independent data, the search against its oracle, and, on Unix, the real binaries
//! in temporary directories.

#![cfg(unix)]

mod bad_input;
mod calibrate;
#[cfg(feature = "master")]
mod check_and_grade;
mod command;
mod conformance;
mod draws;
mod faults;
mod forced_wins;
mod game_by_files;
#[cfg(feature = "master")]
mod hostile_agents;
mod library;
mod loa6;
mod loa_console;
mod loa_faults;
mod loa_players;
mod loa_sessions;
#[cfg(feature = "master")]
mod master_play;
mod names;
mod oracle;
mod pdn;
mod properties;
#[cfg(feature = "master")]
mod report;
mod reproducible;
mod rules;
mod samples;
#[cfg(feature = "master")]
mod sandbox;
mod signature;
mod skipped;
mod tables;
mod test_loa;
#[cfg(feature = "master")]
mod tournament;
#[cfg(feature = "master")]
mod tournament_command;
#[cfg(feature = "master")]
mod tournament_kills;
#[cfg(feature = "master")]
mod tournament_shards;
#[cfg(feature = "master")]
mod tournament_slurm;
