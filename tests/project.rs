//! Integration tests of what the programs share: their names and help, their JSON, and the pages of the guide.

#![cfg(target_os = "linux")]

mod guide;
mod programs {
    //! Names and help of all programs.
    mod help;
    mod names;
}
mod schemas;
mod support {
    //! Running programs, and reporting skipped tests.
    pub(crate) mod command;
    pub(crate) mod help;
    pub(crate) mod programs;
    pub(crate) mod skipped;
    pub(crate) mod table;
}
