//! The sources of a Java program, its main class, and the file names that the compiler requires.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::walk::{LONGEST_SOURCE, folder_of, literal, text};

/// Longest list of sources for the compiler, in bytes: a command line has room for more.
const LONGEST_LIST: usize = 256 << 10;

/// Bounds on what a hostile source makes of the names in it.
const MOST_IMPORTS: usize = 100;
const LONGEST_NAME: usize = 500;
const TEST_PACKAGES: [&str; 3] = ["org.junit.", "junit.", "ucb.junit."];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JavaSource {
    /// The class with the method `main`, including its package; `None` if there is none.
    pub(crate) main: Option<String>,
    /// The public class, which determines the file name that the compiler expects; `None` if any name will do.
    pub(crate) public: Option<String>,
    pub(super) package: String,
    classes: Vec<String>,
    /// All names in it, such as `Board` or `com.usc.ai.Board`.
    names: BTreeSet<String>,
}

impl JavaSource {
    /// Finds packages, classes and `main` methods outside comments and string literals. A source that does not compile
    /// gives an arbitrary result; the compiler then reports the error.
    pub(crate) fn read(source: &str) -> JavaSource {
        let words = words(source);
        let mut found = JavaSource::default();
        let (mut class, mut depth) = ("", 0usize);
        for (place, &word) in words.iter().enumerate() {
            let before = |count: usize| place.checked_sub(count).map_or("", |place| words[place]);
            let after = |count: usize| words.get(place + count).copied().unwrap_or_default();
            match word {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "package" if depth == 0 => found.package = after(1).to_owned(),
                "class" | "enum" | "record" | "interface" if depth == 0 && is_name(after(1)) => {
                    class = after(1);
                    found.classes.push(class.to_owned());
                    let modifiers = [before(1), before(2), before(3)];
                    if modifiers.iter().take_while(|word| MODIFIERS.contains(word)).any(|&word| word == "public") {
                        found.public = Some(class.to_owned());
                    }
                }
                // `public static void main(String...`, with modifiers in any order.
                "main" if depth == 1 && after(1) == "(" && before(1) == "void" => {
                    let is_static = [before(2), before(3), before(4)].contains(&"static");
                    // The `main` of the public class takes precedence.
                    let is_public = found.public.as_deref() == Some(class);
                    if is_static && (found.main.is_none() || is_public) {
                        let package = &found.package;
                        let dot = if package.is_empty() { "" } else { "." };
                        found.main = Some(format!("{package}{dot}{class}"));
                    }
                }
                _ => {}
            }
        }
        found.names = words.into_iter().filter(|word| is_name(word)).map(str::to_owned).collect();
        found
    }

    /// Returns true if it is a test of other sources.
    pub(super) fn is_test(&self) -> bool {
        self.names.iter().any(|name| TEST_PACKAGES.iter().any(|package| name.starts_with(package)))
    }

    /// The classes that it may mean, each with its package: every name in its own package and in the packages that it
    /// imports, and every name that has its package before it.
    fn meant(&self) -> BTreeSet<(&str, &str)> {
        // The dot before the `*` of an import belongs to the word.
        let imported = self.names.iter().filter_map(|name| name.strip_suffix('.')).take(MOST_IMPORTS);
        let packages: Vec<&str> = imported.chain([self.package.as_str()]).collect();
        let mut meant = BTreeSet::new();
        for name in self.names.iter().filter(|name| name.len() <= LONGEST_NAME) {
            for (dot, _) in name.match_indices('.') {
                let class = name[dot + 1..].split('.').next().unwrap_or_default();
                meant.insert((&name[..dot], class));
            }
            meant.extend(name.split('.').flat_map(|part| packages.iter().map(move |&package| (package, part))));
        }
        meant
    }
}

pub(super) struct JavaProgram {
    /// The class with the method `main`, including its package; `None` if there is none.
    pub(super) main: Option<String>,
    /// Paths of the sources as handed in, the main source first, each with the path that the compiler expects.
    pub(super) sources: Vec<(String, String)>,
}

/// Reads the program whose main source is `main`, which is called `name`; `files` are paths in `folder`. Sources count if a class in them is
/// named in one that counts: no test, and no old copy of a class.
pub(super) fn program(folder: &Path, main: &str, name: &str, files: &[String]) -> std::io::Result<JavaProgram> {
    let source = JavaSource::read(&text(folder, main)?);
    let class = source.main.clone();
    let mut read = BTreeMap::from([(main, source)]);
    let mut room = 16 * LONGEST_SOURCE;
    for file in files.iter().filter(|file| file.ends_with(".java") && *file != main) {
        // Those that cannot be read are none of the compiler's either.
        let Ok(source) = text(folder, file) else { continue };
        let Some(left) = room.checked_sub(source.len()) else { break };
        room = left;
        read.insert(file, JavaSource::read(&source));
    }
    // If two files have the same class, the main source counts, then the file with the name of the class.
    let mut homes: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    let rank =
        |file: &str, class: &str| (file != main, stem(file) != class, folder_of(file) != folder_of(main), file.len());
    for (&file, source) in &read {
        for class in &source.classes {
            let home = homes.entry((source.package.as_str(), class.as_str())).or_insert(file);
            if rank(file, class) < rank(home, class) {
                *home = file;
            }
        }
    }
    let (mut sources, mut taken, mut next, mut length) = (vec![main], BTreeSet::from([main]), 0, 0);
    while let Some(source) = sources.get(next).and_then(|file| read.get(file)) {
        next += 1;
        for class in source.meant() {
            let home = homes.get(&class).copied().filter(|file| length + file.len() < LONGEST_LIST);
            let Some(home) = home.filter(|file| taken.insert(file)) else { continue };
            length += home.len() + 1;
            sources.push(home);
        }
    }
    let is_free = |path: &String| !read.contains_key(path.as_str());
    let expected = |file: &str| {
        let public = read.get(file).and_then(|source| source.public.as_ref())?;
        let folder = &file[..file.len() - file.rsplit('/').next().unwrap_or(file).len()];
        Some(format!("{folder}{public}.java")).filter(is_free)
    };
    let expected = |file: &str| expected(file).unwrap_or_else(|| if file == main { name } else { file }.to_owned());
    let sources = sources.iter().map(|&file| (file.to_owned(), expected(file)));
    Ok(JavaProgram { main: class, sources: sources.collect() })
}

fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.strip_suffix(".java").unwrap_or(name)
}

const MODIFIERS: [&str; 5] = ["public", "final", "abstract", "strictfp", "sealed"];

fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_' || letter == '$')
}

/// Splits a source into words and single characters, without comments and literals.
fn words(source: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = source;
    while let Some(letter) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if let Some(block) = rest.strip_prefix("\"\"\"") {
            block.find("\"\"\"").map_or(rest.len(), |end| end + 6)
        } else if letter == '"' || letter == '\'' {
            literal(rest, letter, 1)
        } else if letter.is_whitespace() {
            letter.len_utf8()
        } else {
            let is_inside = |letter: char| letter.is_alphanumeric() || "_$.".contains(letter);
            let end = rest.find(|letter| !is_inside(letter)).filter(|&end| end > 0);
            let end = end.unwrap_or(if is_inside(letter) { rest.len() } else { letter.len_utf8() });
            words.push(&rest[..end]);
            end
        };
        rest = &rest[skipped..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_with_main_is_found() {
        let main = "public static void main(String[] args) {}";
        for (source, class, public) in [
            (format!("class homework {{ {main} }}"), Some("homework"), None),
            (format!("public class homework {{ {main} }}"), Some("homework"), Some("homework")),
            (format!("class Board {{}} public final class Player {{ {main} }}"), Some("Player"), Some("Player")),
            (format!("package a.b;\nclass X {{ static class Y {{ {main} }} {main} }}"), Some("a.b.X"), None),
            (
                format!(
                    "// class No {{\n/* {main} */ class A {{ String s = \"class B {{ \\\" \"; char c = '\"'; {main} }}"
                ),
                Some("A"),
                None,
            ),
            (format!("class A {{ {main} }} public class B {{ {main} }}"), Some("B"), Some("B")),
            ("class A { static public final void main (String... a) {} }".to_owned(), Some("A"), None),
            ("class A { public void main(String... a) {} }".to_owned(), None, None),
            ("class A { static public void main (final String... a) {} }".to_owned(), Some("A"), None),
            ("class A { void main(String[] a) {} }".to_owned(), None, None),
            (format!("enum E {{ X; {main} }}"), Some("E"), None),
            ("class A { Class c = A.class; int[] main; }".to_owned(), None, None),
            ("class".to_owned(), None, None),
            ("\"".to_owned(), None, None),
            ("/* \u{e9}".to_owned(), None, None),
        ] {
            let found = JavaSource::read(&source);
            assert_eq!((found.main.as_deref(), found.public.as_deref()), (class, public), "{source}");
        }
    }
}
