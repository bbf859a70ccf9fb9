//! Integration tests of the referee with the real program in temporary directories. More agents are in galleries.rs.

#![cfg(target_os = "linux")]

mod master {
    //! `master play`, `check` and `grade`.
    mod apart;
    mod appeals;
    mod check_and_grade;
    mod names;
    mod pages;
    mod play;
    mod regraded;
    mod thresholds;

    /// Tables of cases.
    const CASES: &str = include_str!("master/cases.txt");
}
mod report {
    //! Reports on tournaments, and transcripts of games.
    pub(crate) mod html;
    mod large;
    mod links;
    mod reviews;
    pub(crate) mod site;
    mod synthetic;
    mod transcripts;
    mod watch;
}
// Each test program uses a part of it.
#[allow(dead_code, unused_imports)]
mod support {
    //! Running programs, and reporting skipped tests.
    pub(crate) mod archives;
    pub(crate) mod checks;
    pub(crate) mod command;
    pub(crate) mod figures;
    pub(crate) mod games;
    pub(crate) mod json;
    pub(crate) mod programs;
    pub(crate) mod referee;
    pub(crate) mod skipped;
    pub(crate) mod slurm;
    pub(crate) mod submissions;
    pub(crate) mod table;
    pub(crate) mod usage;
}
mod tournament;
