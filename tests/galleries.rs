//! Integration tests of the referee that take minutes: the sandbox, galleries of honest, wrong and hostile agents, busy
//! machines, and runs that are killed.

#![cfg(target_os = "linux")]

mod master {
    //! `master play`, `check` and `grade`.
    mod builds;
    mod busy;
    mod calibrations;
    mod check_walk;
    mod disturbed;
    mod exports;
    mod formats;
    mod honest;
    mod hostile_agents;
    mod killed_class;
    mod lookup;
    mod mistakes;
    mod sixty;
    mod stopped_exam;
    mod submissions;
    mod whole;

    /// Tables of cases.
    const CASES: &str = include_str!("master/cases.txt");
}
mod sandbox;
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
}
mod tournament {
    //! `master tournament`, killed and continued, in rounds, and in a queue.
    mod command;
    mod rounds;
    mod slurm;

    /// Tables of cases.
    const CASES: &str = include_str!("tournament/cases.txt");
}
