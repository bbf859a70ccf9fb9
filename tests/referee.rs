//! Integration tests of the referee with the real program in temporary directories, and with honest and hostile agents.

#![cfg(target_os = "linux")]

mod master {
    //! `master play`, `check` and `grade`, also with hostile agents.
    mod apart;
    mod appeals;
    mod builds;
    mod busy;
    mod calibrations;
    mod check_and_grade;
    mod check_walk;
    mod disturbed;
    mod exports;
    mod formats;
    mod honest;
    mod hostile_agents;
    mod killed_class;
    mod lookup;
    mod mistakes;
    mod names;
    mod pages;
    mod play;
    mod regraded;
    mod sixty;
    mod stopped_exam;
    mod submissions;
    mod thresholds;
}
mod report {
    //! Reports on tournaments, and transcripts of games.
    pub(crate) mod html;
    mod large;
    mod links;
    mod reviews;
    mod scripted;
    pub(crate) mod site;
    mod synthetic;
    mod transcripts;
    mod watch;
}
mod sandbox;
mod support {
    //! Running programs, and reporting skipped tests.
    pub(crate) mod archives;
    pub(crate) mod axe;
    pub(crate) mod chromium;
    pub(crate) mod command;
    pub(crate) mod figures;
    pub(crate) mod games;
    mod json;
    pub(crate) mod programs;
    pub(crate) mod referee;
    pub(crate) mod skipped;
    pub(crate) mod slurm;
    pub(crate) mod submissions;
    pub(crate) mod usage;
}
mod tournament;
