//! Links and paths of the pages.

use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::Page;
use crate::support::programs::root;

/// Folders of the repository. Code that begins with one of them is a path.
const ROOMS: [&str; 6] = ["samples/", "src/", "tests/", "calibrate/", ".ci/", ".cargo/"];

/// Checks a link. An address is checked only for its form, and library items are left to rustdoc.
fn leads_somewhere(page: &Page, link: &str) -> bool {
    let is_guide = page.name.starts_with("src/players/guide/");
    if link.contains(':') {
        return link.starts_with("https://")
            || is_guide && ["crate::", "kingline::"].iter().any(|start| link.starts_with(start));
    }
    let (path, section) = link.split_once('#').unwrap_or((link, ""));
    let folder = Path::new(&page.name).parent().expect("a folder");
    let file = if path.is_empty() { Path::new(&page.name).to_owned() } else { folder.join(path) };
    root().join(&file).exists()
        && (section.is_empty() || anchors(&Page::read(&file.to_string_lossy())).contains(&section.to_owned()))
}

/// Names of the headings in links, as GitHub and rustdoc generate them.
fn anchors(page: &Page) -> Vec<String> {
    let prose = page.text.split("```").step_by(2);
    let headings =
        prose.flat_map(str::lines).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
    headings.map(|text| text.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

fn is_path(code: &str) -> bool {
    ROOMS.iter().any(|room| code.starts_with(room))
        && code.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-/".contains(letter))
}

#[test]
fn every_link_and_path_exists() {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for page in Page::all() {
        for event in Parser::new_ext(&page.text, Options::ENABLE_TABLES) {
            let (text, exists) = match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    (dest_url.to_string(), leads_somewhere(&page, &dest_url))
                }
                Event::Code(code) if is_path(&code) => (code.to_string(), root().join(&*code).exists()),
                _ => continue,
            };
            checked += 1;
            if !exists {
                wrong.push(format!("{}: {text}", page.name));
            }
        }
    }
    assert!(wrong.is_empty(), "broken links and paths:\n{}", wrong.join("\n"));
    assert!(checked > 60, "only {checked} links and paths");
    let leads = |link| leads_somewhere(&Page::read("README.md"), link);
    assert_eq!(["#the-guide", "src/engine/lib.rs", "#none", "src/none.rs"].map(leads), [true, true, false, false]);
}
