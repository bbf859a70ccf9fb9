//! Parser for the subset of HTML that our pages use: quoted attributes, properly nested elements.

use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
}

/// Elements without content or a closing tag.
const VOID: [&str; 4] = ["meta", "link", "br", "input"];

/// Returns the tags of a page, and the text between them.
///
/// # Panics
/// Panics if the page is not well-formed.
pub(crate) fn parse(page: &str) -> (Vec<Tag>, String) {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a doctype");
    let (mut tags, mut text, mut open) = (Vec::new(), String::new(), Vec::new());
    while let Some(begin) = rest.find('<') {
        text += &unescape(&rest[..begin]);
        let end = begin + rest[begin..].find('>').expect("an end of the tag");
        let inner = &rest[begin + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = inner.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "before {rest:.80}");
            text.push(' ');
            continue;
        }
        let (inner, closed) = inner.strip_suffix('/').map_or((inner, false), |inner| (inner, true));
        let tag = read(inner);
        if !closed && !VOID.contains(&tag.name.as_str()) {
            open.push(tag.name.clone());
        }
        tags.push(tag);
    }
    assert_eq!(open, Vec::<String>::new(), "unclosed elements");
    assert!(!rest.contains('>'), "{rest:?}");
    (tags, text)
}

fn read(inner: &str) -> Tag {
    let (name, mut rest) = inner.split_at(inner.find(char::is_whitespace).unwrap_or(inner.len()));
    assert!(!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "<{inner}>");
    let mut attributes = BTreeMap::new();
    while !rest.trim_start().is_empty() {
        rest = rest.trim_start();
        let end = rest.find([' ', '=']).unwrap_or(rest.len());
        let attribute = rest[..end].to_owned();
        assert!(attribute.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "<{inner}>");
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(quoted) = rest.strip_prefix("=\"") {
            let end = quoted.find('"').unwrap_or_else(|| panic!("<{inner}>"));
            value = unescape(&quoted[..end]);
            rest = &quoted[end + 1..];
        }
        assert!(rest.is_empty() || rest.starts_with(' '), "<{inner}>");
        assert_eq!(attributes.insert(attribute, value), None, "repeated attribute in <{inner}>");
    }
    Tag { name: name.to_owned(), attributes }
}

/// Decodes the five escapes of HTML text.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find('&') {
        plain += &rest[..begin];
        let end = begin + rest[begin..].find(';').unwrap_or_else(|| panic!("a bare & in {text:?}"));
        plain.push(match &rest[begin..=end] {
            "&amp;" => '&',
            "&lt;" => '<',
            "&gt;" => '>',
            "&quot;" => '"',
            "&#39;" => '\'',
            other => panic!("{other} in {text:?}"),
        });
        rest = &rest[end + 1..];
    }
    plain + rest
}

/// Text with single blanks.
pub(crate) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the ids of a page.
///
/// # Panics
/// Panics if an id occurs twice.
pub(crate) fn ids(tags: &[Tag]) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for id in tags.iter().filter_map(|tag| tag.attributes.get("id")) {
        assert!(ids.insert(id.clone()), "{id} occurs twice");
    }
    ids
}
