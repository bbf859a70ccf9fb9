//! Integration tests of `calibrate` with the real program in temporary directories.

#![cfg(unix)]

mod offline {
    //! Everything except endgame tables.
    mod calibrate;
    mod chances;
    mod judge;
    mod killed_proofs;
    mod matches;
    mod outputs;
    mod positions;
    mod relabel;
    mod round;
    mod selfplay;
    mod slurm;
    mod solve;
    mod tune;
    mod won_positions;

    use crate::support::table::rows;

    /// Commands that are refused, and other tables of wrong input.
    const REFUSED: &str = include_str!("offline/refused.txt");
}
mod support {
    //! Running programs, and reporting skipped tests.
    pub(crate) mod command;
    pub(crate) mod json;
    pub(crate) mod programs;
    pub(crate) mod skipped;
    pub(crate) mod slurm;
    pub(crate) mod table;
}
mod tables;
