//! Links lead somewhere, and paths that are named exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::pages::{Page, made_up, root};

/// Text in backticks that begins so is a path from the top of the repository.
const ROOMS: &[&str] = &["samples", "src", "tests", "calibrate", ".ci", ".cargo"];

#[test]
fn every_link_leads_somewhere() {
    let pages = Page::all();
    let wrong: Vec<String> = pages.iter().flat_map(dead_links).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let links: usize = pages.iter().map(|page| page.links().len()).sum();
    assert!(links > 10, "only {links} links were found");
}

#[test]
fn every_path_in_backticks_exists() {
    let pages = Page::all();
    let wrong: Vec<String> = pages.iter().flat_map(missing_paths).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let paths: usize =
        pages.iter().map(|page| page.code_spans().iter().filter(|span| is_path(&span.what)).count()).sum();
    assert!(paths > 10, "only {paths} paths were found");
}

/// The links of a page that lead nowhere, and why.
fn dead_links(page: &Page) -> Vec<String> {
    let links = page.links().into_iter();
    links
        .filter_map(|link| {
            let why = check_link(page, &link.what).err()?;
            Some(format!("{}:{}: {}: {why}", page.name, link.line, link.what))
        })
        .collect()
}

fn check_link(page: &Page, link: &str) -> Result<(), String> {
    if link.split("::").next().is_some_and(|first| ["crate", "self", "super"].contains(&first)) {
        // Where rustdoc shows the page, it checks these.
        let shown =
            if page.is_in_rustdoc() { Ok(()) } else { Err("a link to an item outside of src/guide".to_owned()) };
        return shown;
    }
    if let Some(scheme) = scheme(link) {
        return check_url(scheme, link);
    }
    let (path, fragment) = link.split_once('#').map_or((link, None), |(path, fragment)| (path, Some(fragment)));
    let file = if path.is_empty() { Path::new(&page.name).to_owned() } else { seen_from(&page.name, path)? };
    if !path.is_empty() && !root().join(&file).exists() {
        return Err(format!("there is no {}", file.display()));
    }
    let Some(fragment) = fragment else { return Ok(()) };
    let headings = if path.is_empty() {
        page.headings()
    } else if file.extension().is_some_and(|kind| kind == "md") {
        Page::read(&file.display().to_string()).headings()
    } else {
        return Err("a part of a file that is no page".to_owned());
    };
    let slugs = slugs(&headings);
    if slugs.contains(fragment) { Ok(()) } else { Err(format!("no such heading; there are {slugs:?}")) }
}

/// `https`, of an address; a Windows drive is not to be expected.
fn scheme(link: &str) -> Option<&str> {
    let (scheme, _) = link.split_once(':')?;
    scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter)).then_some(scheme)
}

/// The form alone: tests use no network.
fn check_url(scheme: &str, link: &str) -> Result<(), String> {
    let host = link.strip_prefix("https://").ok_or_else(|| format!("expected https, found {scheme}"))?;
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    let named = host
        .split('.')
        .all(|part| !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-'));
    if named && host.contains('.') && !link.contains(char::is_whitespace) {
        Ok(())
    } else {
        Err(format!("expected https://HOST/PATH, found host {host:?}"))
    }
}

/// A relative path on a page, from the top of the repository.
fn seen_from(page: &str, path: &str) -> Result<PathBuf, String> {
    let mut file = Path::new(page).parent().expect("a file's folder").to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::Normal(name) => file.push(name),
            Component::CurDir => {}
            Component::ParentDir if file.pop() => {}
            _ => return Err("leads out of the repository".to_owned()),
        }
    }
    Ok(file)
}

/// What GitHub calls headings in links: small letters, digits, `-` and `_`, blanks as `-`; equal ones are numbered.
fn slugs(headings: &[String]) -> BTreeSet<String> {
    let mut times = BTreeMap::new();
    let numbered = headings.iter().map(|heading| {
        let letters = heading.chars().filter(|&letter| letter.is_alphanumeric() || " -_".contains(letter));
        let slug = letters.collect::<String>().to_lowercase().replace(' ', "-");
        let earlier = times.entry(slug.clone()).or_insert(0);
        *earlier += 1;
        if *earlier == 1 { slug } else { format!("{slug}-{}", *earlier - 1) }
    });
    numbered.collect()
}

/// The paths in backticks that are nowhere.
fn missing_paths(page: &Page) -> Vec<String> {
    let spans = page.code_spans().into_iter();
    let missing = spans.filter(|span| is_path(&span.what) && !root().join(&span.what).exists());
    missing.map(|span| format!("{}:{}: `{}` does not exist", page.name, span.line, span.what)).collect()
}

/// A path from the top of the repository, without wildcards.
fn is_path(text: &str) -> bool {
    let named = text.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-/".contains(letter));
    named && text.split_once('/').is_some_and(|(room, _)| ROOMS.contains(&room))
}

#[test]
fn dead_links_are_found() {
    let page = made_up(
        "# A `b`, c: d_e-f\n# Twice\n# Twice\n[1](#a-b-c-d_e-f) [2](#twice-1) [3](#twice-2) [4](src/lib.rs)\n\
         [5](src/nothing.md) [6](../README.md) [7](crate::loa) [8](http://example.org) [9](https://example.org/a#b)\n\
         [10](https://example) ![11](src/none.png) [12](src/guide/solved.md#the-two-commands) [13](src/lib.rs#x)\n\
         [14](src/guide/solved.md#no) [15](./samples/) [16](#Twice)\n",
    );
    let dead = dead_links(&page);
    let expected = [
        "README.md:4: #twice-2: no such heading; there are {\"a-b-c-d_e-f\", \"twice\", \"twice-1\"}",
        "README.md:5: src/nothing.md: there is no src/nothing.md",
        "README.md:5: ../README.md: leads out of the repository",
        "README.md:5: crate::loa: a link to an item outside of src/guide",
        "README.md:5: http://example.org: expected https, found http",
        "README.md:6: https://example: expected https://HOST/PATH, found host \"example\"",
        "README.md:6: src/none.png: there is no src/none.png",
        "README.md:6: src/lib.rs#x: a part of a file that is no page",
        "README.md:7: src/guide/solved.md#no: no such heading; ",
        "README.md:7: #Twice: no such heading; there are ",
    ];
    assert_eq!(dead.len(), expected.len(), "{dead:#?}");
    for (found, expected) in dead.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn missing_paths_are_found() {
    let page = made_up("`src/lib.rs` `src/none.rs` `samples/` `samples/*.in` `src` `tests/x y` `none/x`\n`.ci/none`");
    assert_eq!(
        missing_paths(&page),
        ["README.md:1: `src/none.rs` does not exist", "README.md:2: `.ci/none` does not exist"]
    );
}
