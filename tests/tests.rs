//! The integration tests: rules against independent data, the search against its oracle, and, on Unix, the real binaries
//! in temporary directories.

#![cfg(unix)]

mod agent {
    //! `homework` and `reference`: one turn by files.
    mod bad_input;
    mod draws;
    mod faults;
    mod game_by_files;
    mod reference_cost;
    mod samples;
}
#[cfg(feature = "display")]
mod display {
    //! `loa --display`: its page, by requests and in a browser.
    mod browser;
    mod exchange;
    mod figures;
    mod guarded;
    mod looks;
    mod page;
    mod running;
    mod session;
}
mod games {
    //! What holds for every game, and the rules against independent data.
    pub(crate) mod conformance;
    mod pdn;
    mod properties;
    pub(crate) mod rules;
}
mod guide {
    //! The pages say what is so: their commands work, their links lead somewhere, their figures have a command.
    #[cfg(all(feature = "display", feature = "master", feature = "training"))]
    mod cargo;
    #[cfg(all(feature = "display", feature = "master", feature = "training"))]
    mod checkout;
    #[cfg(all(feature = "display", feature = "master", feature = "training"))]
    mod commands;
    #[cfg(all(feature = "display", feature = "master", feature = "training"))]
    mod exceptions;
    mod figures;
    mod links;
    #[cfg(all(feature = "display", feature = "master", feature = "training"))]
    mod options;
    mod pages;
    #[cfg(all(feature = "display", feature = "master", feature = "training"))]
    mod steps;
}
mod loa {
    //! `loa` and `loa6`.
    mod console;
    mod faults;
    mod files;
    mod loa6;
    mod players;
    mod sessions;
    mod solved;
}
#[cfg(feature = "master")]
mod master {
    //! `master play`, `check` and `grade`, also with hostile agents.
    mod apart;
    mod busy;
    mod check_and_grade;
    mod check_walk;
    mod disturbed;
    mod honest;
    mod hostile_agents;
    mod lookup;
    mod mistakes;
    mod play;
    mod stopped_exam;
    mod submissions;
}
mod offline {
    //! `calibrate`, but for endgame tables.
    mod calibrate;
    #[cfg(feature = "training")]
    mod judge;
    mod matches;
    #[cfg(feature = "training")]
    mod outputs;
    #[cfg(feature = "training")]
    mod positions;
    #[cfg(feature = "training")]
    mod round;
    #[cfg(feature = "training")]
    mod selfplay;
    #[cfg(feature = "training")]
    mod slurm;
    mod solve;
}
mod programs {
    //! What all programs have in common, and those of samples/library.
    pub(crate) mod help;
    mod library;
    #[cfg(feature = "manual")]
    mod manual;
    pub(crate) mod names;
}
#[cfg(feature = "master")]
mod report {
    //! Reports on tournaments, and transcripts of games.
    mod html;
    mod site;
    mod synthetic;
    mod transcripts;
}
#[cfg(feature = "master")]
mod sandbox;
mod search {
    //! The search and the solver against exhaustive search, and the same again.
    mod forced_wins;
    mod oracle;
    mod reproducible;
    mod signature;
}
mod support {
    //! How tests run programs, and report what they skip.
    #[cfg(feature = "master")]
    pub(crate) mod archives;
    pub(crate) mod command;
    #[cfg(any(feature = "master", feature = "display"))]
    pub(crate) mod figures;
    pub(crate) mod skipped;
    #[cfg(any(feature = "master", feature = "training"))]
    pub(crate) mod slurm;
}
mod tables;
mod test_loa;
#[cfg(feature = "master")]
mod tournament;
