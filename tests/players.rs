//! Integration tests of the players: the real programs in temporary directories.

#![cfg(unix)]

mod agent {
    //! `homework` and `reference`: turns played by files.
    mod bad_input;
    mod draws;
    mod faults;
    mod game_by_files;
    mod reference_cost;
    mod reproducible;
    mod samples;
    mod tiny_clocks;

    /// Tables of cases.
    const CASES: &str = include_str!("agent/cases.txt");
}
mod hub {
    //! `hub`: the checkers engine in board programs.
    mod clients;
    mod lines;
}
mod loa {
    //! `loa` and `loa6`.
    mod analysis;
    mod announced;
    mod console;
    mod driven;
    mod evaluation;
    mod faults;
    mod files;
    pub(crate) mod loa6;
    mod players;
    mod sessions;
    mod solved;
    mod terminal;

    /// Tables of cases.
    const CASES: &str = include_str!("loa/cases.txt");
}
mod review {
    //! `review`, its summary of a player, and planted mistakes.
    mod games;
    mod planted;
    mod player;
    mod records;
    mod samples;
}
mod support {
    //! Running programs, and reporting skipped tests.
    pub(crate) mod command;
    pub(crate) mod dialog;
    pub(crate) mod json;
    pub(crate) mod moves;
    pub(crate) mod programs;
    pub(crate) mod skipped;
    pub(crate) mod table;
    pub(crate) mod terminal;
    pub(crate) mod usage;
}
mod systems {
    //! The players built for another system. `.ci/windows` and `.ci/aarch64` run these tests, which are ignored otherwise.
    mod players;
    mod turns;
}
mod test_loa;
