//! The accessibility checker axe-core in a headless Chromium, for pages that are files.

#![allow(dead_code, reason = "each test program uses only a part of this")]

use std::fs;
use std::path::Path;

use super::chromium::{Screen, elements};
use super::command::Dir;
use super::skipped::skipped_here;

/// Set by axe once it is done, before its findings.
const DONE: &str = "data-axe=\"";
/// Runs axe, and writes its findings into the page.
const RUN: &str = "axe.run().then((result) => document.body.setAttribute('data-axe', result.violations.map((each) => \
                   `${each.id}: ${each.nodes.map((node) => node.html)}`).join('\\n')))";

/// Rules that the page breaks, one a line, with the elements that break them. `None`, reported as skipped, without
/// Chromium or axe-core, of which `AXE` names the axe.min.js.
pub(crate) fn violations(page: &str) -> Option<String> {
    let axe = axe()?;
    let dir = Dir::new();
    dir.write("page.html", format!("{page}<script>{axe}</script><script>{RUN}</script>"));
    found(&elements(&dir.path(""), "page.html", Screen::Desktop)?)
}

/// Returns [`violations`] of a page in a folder once its scripts have run. `address` is its path, with or without an
/// anchor. A copy of the page beside it lacks the policy that would refuse axe.
pub(crate) fn violations_in(folder: &Path, address: &str, screen: Screen) -> Option<String> {
    let axe = axe()?;
    let (name, anchor) = address.split_once('#').unwrap_or((address, ""));
    let page = fs::read_to_string(folder.join(name)).expect("a page");
    let (before, rest) = page.split_once("<meta http-equiv=\"Content-Security-Policy\"").expect("a policy");
    let (_, after) = rest.split_once('>').expect("an end");
    let run = format!("addEventListener('load', () => setTimeout(() => {RUN}, 2000))");
    let copy = name.replace(".html", "-checked.html");
    fs::write(folder.join(&copy), format!("{before}{after}<script>{axe}</script><script>{run}</script>"))
        .expect("a page");
    let elements = elements(folder, &format!("{copy}#{anchor}"), screen);
    fs::remove_file(folder.join(&copy)).expect("the copy");
    found(&elements?)
}

/// The script of axe-core. If it is not installed, reports a skipped test and returns `None`.
pub(crate) fn axe() -> Option<String> {
    let axe = std::env::var_os("AXE").and_then(|path| fs::read_to_string(path).ok());
    if axe.is_none() {
        skipped_here("axe-core is not installed: AXE names its axe.min.js");
    }
    axe
}

fn found(elements: &str) -> Option<String> {
    let (_, found) = elements.split_once(DONE).unwrap_or_else(|| panic!("axe did not end: {elements}"));
    Some(found.split_once('"').expect("an attribute").0.to_owned())
}
