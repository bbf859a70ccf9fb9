//! A headless Chromium that opens a page and prints its elements once its scripts are done.

#![allow(dead_code, reason = "each test program uses only a part of this")]

use std::path::Path;
use std::process::Command;

use super::command::Dir;
use super::skipped::skipped_here;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Screen {
    /// A desktop window.
    Desktop,
    /// A desktop window on a system with dark colors and reduced motion.
    DarkDesktop,
    /// A phone of 360 by 740 pixels.
    Phone,
    /// The same phone, held sideways.
    Sideways,
}

impl Screen {
    /// Width and height of the window.
    pub(crate) fn size(self) -> (u32, u32) {
        match self {
            Screen::Desktop | Screen::DarkDesktop => (1000, 800),
            Screen::Phone => (360, 740),
            Screen::Sideways => (740, 360),
        }
    }
}

/// The elements of the page at `address`, a path from `folder` with or without an anchor, as HTML. `None`, reported as
/// skipped, without Chromium.
pub(crate) fn elements(folder: &Path, address: &str, screen: Screen) -> Option<String> {
    let dir = Dir::new();
    let mut chromium = Command::new("chromium");
    chromium.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"]);
    chromium.args(["--disable-background-networking", "--virtual-time-budget=20000"]);
    let (width, height) = screen.size();
    chromium.arg(format!("--window-size={width},{height}"));
    if screen == Screen::DarkDesktop {
        chromium.arg("--blink-settings=preferredColorScheme=0");
    }
    chromium.arg(format!("--user-data-dir={}", dir.path("profile").display()));
    match chromium.arg(format!("file://{}/{address}", folder.display())).output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(error) => {
            skipped_here(&format!("chromium: {error}"));
            None
        }
    }
}
