//! The imports of a Python program, and the modules of its own that they lead to.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::tree::{folder_of, text};

/// Most sources of a program that are read.
const MOST_SOURCES: usize = 200;

/// Imports that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Imports that run whenever the program starts: those that are not indented.
    AtStart,
    /// All of them.
    Anywhere,
}

/// An import of a module.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import {
    reach: Reach,
    /// Number of dots before the module's name: 0 for an absolute import.
    dots: usize,
    /// The module, e.g. `numpy.linalg`; empty in `from . import moves`.
    pub(super) module: String,
    /// Names imported from the module; they may be modules themselves.
    names: Vec<String>,
}

/// A program and its own modules, as far as these imports lead; the program first.
pub(super) fn sources_of(folder: &Path, script: &str, reach: Reach) -> Vec<String> {
    let top = folder_of(script);
    let (mut sources, mut seen, mut next) = (vec![script.to_owned()], BTreeSet::from([script.to_owned()]), 0);
    while let Some(source) = sources.get(next).cloned().filter(|_| next < MOST_SOURCES) {
        next += 1;
        let Ok(text) = text(folder, &source) else { continue };
        let all = imports(&code(&text));
        for import in all.iter().filter(|import| reach == Reach::Anywhere || import.reach == Reach::AtStart) {
            let mut package = folder_of(&source);
            (1..import.dots).for_each(|_| package = folder_of(package));
            let package = if import.dots == 0 { top } else { package };
            let parts = import.module.split('.').filter(|part| is_name(part));
            let mut place = package.to_owned();
            let mut found: Vec<String> = Vec::new();
            for part in parts {
                place = joined(&place, part);
                found.extend(module_at(folder, &place));
            }
            let names = import.names.iter().filter(|name| is_name(name));
            found.extend(names.filter_map(|name| module_at(folder, &joined(&place, name))));
            sources.extend(found.into_iter().filter(|file| seen.insert(file.clone())));
        }
    }
    sources
}

/// A path in an import would lead out of the folder.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

fn joined(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}/{name}") }
}

/// The source of the module or package at this place.
fn module_at(folder: &Path, place: &str) -> Option<String> {
    let is_there = |file: &String| fs::symlink_metadata(folder.join(file)).is_ok_and(|about| about.is_file());
    [format!("{place}/__init__.py"), format!("{place}.py")].into_iter().find(is_there)
}

/// The imports in a source without comments and literals.
pub(super) fn imports(code: &str) -> Vec<Import> {
    let mut imports = Vec::new();
    for line in code.lines() {
        let is_indented = line.starts_with([' ', '\t']);
        for statement in line.split(';') {
            let words: Vec<&str> = statement
                .split(|c: char| c.is_whitespace() || ",()".contains(c))
                .filter(|word| !word.is_empty())
                .collect();
            let reach = if is_indented { Reach::Anywhere } else { Reach::AtStart };
            match words[..] {
                ["import", ..] => {
                    // In `a as b`, `b` is no module.
                    let modules = (1..words.len()).filter(|&place| words[place] != "as" && words[place - 1] != "as");
                    let import =
                        |place: usize| Import { reach, dots: 0, module: words[place].to_owned(), names: Vec::new() };
                    imports.extend(modules.map(import));
                }
                ["from", module, ref rest @ ..] => {
                    let name = module.trim_start_matches('.');
                    // Python takes `from . moves` as well.
                    let (name, rest) = match rest {
                        [inner, "import", ..] if name.is_empty() => (*inner, &rest[1..]),
                        _ => (name, rest),
                    };
                    let names = rest.iter().skip(1).map(|&name| name.to_owned()).collect();
                    let dots = module.len() - module.trim_start_matches('.').len();
                    imports.push(Import { reach, dots, module: name.to_owned(), names });
                }
                _ => {}
            }
        }
    }
    imports
}

/// A source without comments and the content of literals, each statement on a line.
pub(super) fn code(source: &str) -> String {
    let (mut code, mut rest, mut depth) = (String::new(), source, 0usize);
    while let Some(letter) = rest.chars().next() {
        let mut length = letter.len_utf8();
        match letter {
            '#' => length = rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => {
                let quotes = if rest.starts_with(&letter.to_string().repeat(3)) { 3 } else { 1 };
                length = literal(rest, letter, quotes);
                code.push_str("\"\"");
            }
            '\\' if rest[1..].trim_start_matches('\r').starts_with('\n') => {
                length += rest[1..].find('\n').unwrap_or(0) + 1;
            }
            '\n' if depth > 0 => code.push(' '),
            _ => {
                depth = match letter {
                    '(' | '[' | '{' => depth + 1,
                    ')' | ']' | '}' => depth.saturating_sub(1),
                    _ => depth,
                };
                code.push(letter);
            }
        }
        rest = &rest[length..];
    }
    code
}

/// Length of a literal between this number of quotes. With one, it ends no later than its line.
fn literal(text: &str, quote: char, quotes: usize) -> usize {
    let end = quote.to_string().repeat(quotes);
    let mut letters = text.char_indices().skip(quotes);
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '\n' if quotes == 1 => return place,
            _ if text[place..].starts_with(&end) => return place + quotes,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_outside_comments_and_literals() {
        for (source, expected) in [
            ("import numpy", "numpy"),
            ("  import os, numpy as np", " os numpy"),
            ("from numpy.linalg import norm", "numpy.linalg[norm]"),
            ("import a.b; from . import c", "a.b .[c]"),
            ("from ..a import (b,  # c\n    d)\nimport e", "..a[b d] e"),
            ("from .b import (c as d)", ".b[c as d]"),
            ("import a, \\\n    b", "a b"),
            ("x = {\n\"import a\": 'b\\' import c',\n}\nimport d", "d"),
            ("\"\"\"\nimport a\n\\\"\"\"\nimport b\n\"\"\"\nimport c", "c"),
            ("# import numpy\nnumpy = 3\nimported = 'it'", ""),
            ("x = 'open\nimport a", "a"),
            ("\"\"\"\nimport a", ""),
        ] {
            let found: Vec<String> = imports(&code(source)).iter().map(shown).collect();
            assert_eq!(found.join(" "), expected.trim_start(), "{source}");
        }
    }

    fn shown(import: &Import) -> String {
        let Import { dots, module, names, .. } = import;
        let names = if names.is_empty() { String::new() } else { format!("[{}]", names.join(" ")) };
        format!("{}{module}{names}", ".".repeat(*dots))
    }

    #[test]
    fn a_program_has_the_modules_that_it_imports_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("engine/deep")).unwrap();
        for (file, source) in [
            ("homework.py", "import board, os\nfrom engine import search\ndef late():\n    import book\n"),
            ("board.py", "from engine.deep.table import x\nfrom engine import ../../secret\n"),
            ("book.py", "import numpy\n"),
            ("test_board.py", "import board, numpy\n"),
            ("engine/__init__.py", ""),
            ("engine/search.py", "from . import moves\nfrom .. import board\nfrom .deep import table\n"),
            ("engine/moves.py", "import homework\n"),
            ("engine/unused.py", ""),
            ("engine/deep/table.py", "x = 1\n"),
        ] {
            fs::write(folder.path().join(file), source).unwrap();
        }
        let mut sources = sources_of(folder.path(), "homework.py", Reach::AtStart);
        assert_eq!(sources.remove(0), "homework.py");
        sources.sort();
        let mut expected =
            ["board.py", "engine/__init__.py", "engine/deep/table.py", "engine/moves.py", "engine/search.py"].to_vec();
        assert_eq!(sources, expected);
        let mut all = sources_of(folder.path(), "homework.py", Reach::Anywhere).split_off(1);
        all.sort();
        expected.insert(1, "book.py");
        assert_eq!(all, expected);
    }
}
