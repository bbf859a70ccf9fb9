//! The main class of a Java source, and the file name that the compiler requires.

/// Classes declared in a Java source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JavaSource {
    /// The class with the method `main`, including its package; `None` if there is none.
    pub(crate) main: Option<String>,
    /// The public class, which determines the file name that the compiler expects; `None` if any name will do.
    pub(crate) public: Option<String>,
}

impl JavaSource {
    /// Finds packages, classes and `main` methods outside comments and string literals. A source that does not compile
    /// gives an arbitrary result; the compiler then reports the error.
    pub(crate) fn read(source: &str) -> JavaSource {
        let words = words(source);
        let mut found = JavaSource { main: None, public: None };
        let (mut package, mut class, mut depth) = ("", "", 0usize);
        for (place, &word) in words.iter().enumerate() {
            let before = |count: usize| place.checked_sub(count).map_or("", |place| words[place]);
            let after = |count: usize| words.get(place + count).copied().unwrap_or_default();
            match word {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "package" if depth == 0 => package = after(1),
                "class" | "enum" | "record" | "interface" if depth == 0 && is_name(after(1)) => {
                    class = after(1);
                    let modifiers = [before(1), before(2), before(3)];
                    if modifiers.iter().take_while(|word| MODIFIERS.contains(word)).any(|&word| word == "public") {
                        found.public = Some(class.to_owned());
                    }
                }
                // `public static void main(String...`, with modifiers in any order.
                "main" if depth == 1 && after(1) == "(" && before(1) == "void" => {
                    let is_static = [before(2), before(3), before(4)].contains(&"static");
                    let class = if package.is_empty() { class.to_owned() } else { format!("{package}.{class}") };
                    // The `main` of the public class takes precedence.
                    let is_public = found.public.as_deref().is_some_and(|public| class.ends_with(public));
                    if is_static && (found.main.is_none() || is_public) {
                        found.main = Some(class);
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// Modifiers that can precede `class`.
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
            quoted(rest, letter)
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

/// Length of a literal, which ends no later than its line.
fn quoted(text: &str, quote: char) -> usize {
    let mut letters = text.char_indices().skip(1);
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '\n' => return place,
            _ if letter == quote => return place + letter.len_utf8(),
            _ => {}
        }
    }
    text.len()
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
