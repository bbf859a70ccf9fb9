//! Integration tests of the pages: the real programs and the page of samples/web, in a browser.

#![cfg(unix)]

mod display {
    //! The pages of `loa --display` and `master play --display`, tested by requests and in a browser.
    pub(crate) mod browser;
    mod figures;
    #[cfg(target_os = "linux")]
    mod game;
    mod guarded;
    mod looks;
    mod page;
    mod panels;
    mod running;
    mod session;
    mod squares;
    #[cfg(target_os = "linux")]
    mod tournament;
}
#[cfg(target_os = "linux")]
mod report {
    //! Sites of tournaments and pages of students.
    mod accessible;
    mod scripted;
    mod synthetic;
}
mod review {
    mod browser;
}
// Each test program uses a part of it.
#[allow(dead_code, unused_imports)]
mod support {
    //! Running programs, and reporting skipped tests.
    pub(crate) mod axe;
    pub(crate) mod chromium;
    pub(crate) mod command;
    pub(crate) mod figures;
    #[cfg(target_os = "linux")]
    pub(crate) mod games;
    pub(crate) mod json;
    pub(crate) mod moves;
    pub(crate) mod programs;
    #[cfg(target_os = "linux")]
    pub(crate) mod referee;
    pub(crate) mod skipped;
    pub(crate) mod table;
}
mod web {
    //! The page of samples/web, in a browser.
    mod built;
    mod equal;
    mod faults;
    mod page;
    mod wild;
}
