//! The accessibility checker axe-core in a headless Chromium, for pages that are files.

use std::fs;
use std::process::Command;

use super::command::Dir;
use super::skipped::skipped;

/// Set by axe once it is done, before its findings.
const DONE: &str = "data-axe=\"";

/// Rules that the page breaks, one a line, with the elements that break them. `None`, reported as skipped, without
/// Chromium or axe-core, of which `AXE` names the axe.min.js.
pub(crate) fn violations(test: &str, page: &str) -> Option<String> {
    let Some(axe) = std::env::var_os("AXE").and_then(|path| fs::read_to_string(path).ok()) else {
        skipped(test, "axe-core is not installed: AXE names its axe.min.js");
        return None;
    };
    let dir = Dir::new();
    let run = "axe.run().then((result) => document.body.setAttribute('data-axe', result.violations.map((each) => \
               `${each.id}: ${each.nodes.map((node) => node.html)}`).join('\\n')))";
    dir.write("page.html", format!("{page}<script>{axe}</script><script>{run}</script>"));
    let mut chromium = Command::new("chromium");
    chromium.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"]);
    chromium.args(["--disable-background-networking", "--virtual-time-budget=20000"]);
    chromium.arg(format!("--user-data-dir={}", dir.path("profile").display()));
    let output = match chromium.arg(format!("file://{}", dir.path("page.html").display())).output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
        Err(error) => {
            skipped(test, &format!("chromium: {error}"));
            return None;
        }
    };
    let (_, found) = output.split_once(DONE).unwrap_or_else(|| panic!("axe did not end: {output}"));
    Some(found.split_once('"').expect("an attribute").0.to_owned())
}
