//! Tags, `[Name "value"]`: their names, and their form, with blanks and line ends between their parts as people like.

use crate::game::ParseError;

/// The tags that come first, in this order, and `Result` after them.
pub(super) const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];
/// The tags that the record writes by itself.
const OWN: [&str; 4] = ["Result", "GameType", "SetUp", "FEN"];
/// The number of the game among those that PDN covers.
pub(super) const GAME_TYPE: &str = "21";

/// Checks that tags may have this name.
///
/// # Errors
/// They may not.
pub(super) fn check_name(name: &str) -> Result<(), ParseError> {
    let letters = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !letters || !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(ParseError::new(name, "a tag's name: letters, digits and _, a letter first"));
    }
    Ok(())
}

/// The name of the tag if it is one that the record writes by itself. Many write `Setup`.
pub(super) fn own(name: &str) -> Option<&'static str> {
    OWN.into_iter().find(|own| own.eq_ignore_ascii_case(name))
}

/// A tag's value on one line.
pub(super) fn printable(value: &str) -> String {
    value.replace(char::is_control, " ")
}

/// Where a tag is written.
pub(super) fn rank(name: &str) -> usize {
    ROSTER.iter().position(|&first| first == name).unwrap_or(ROSTER.len())
}

/// The start of a tag, up to the quote before its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head<'a> {
    /// The name, which may still be none that a tag can have.
    pub(super) name: &'a str,
    /// How much of the text it takes, in bytes.
    pub(super) length: usize,
}

/// Whether the character stands for nothing: blanks, a byte order mark, the control characters that old editors left.
pub(super) fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control() || letter == '\u{feff}'
}

/// The start of a tag at the start of `text`, if there is one.
pub(super) fn head(text: &str) -> Option<Head<'_>> {
    let inside = text.strip_prefix('[')?.trim_start_matches(is_blank);
    let end = inside.find(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-')?;
    let (name, rest) = inside.split_at(end);
    let rest = rest.trim_start_matches(is_blank).strip_prefix('"')?;
    (!name.is_empty()).then(|| Head { name, length: text.len() - rest.len() })
}

/// The value at the start of `text`, which stands behind a head, and how much of the text it takes with the bracket that
/// ends the tag. A value is all on one line.
pub(super) fn value(text: &str) -> Option<(usize, String)> {
    let mut value = String::new();
    let mut letters = text.chars();
    loop {
        match letters.next()? {
            '"' => break,
            '\n' => return None,
            // Other backslashes stand for themselves: people put paths into tags.
            '\\' if letters.as_str().starts_with(['"', '\\']) => value.extend(letters.next()),
            letter => value.push(letter),
        }
    }
    let rest = letters.as_str().trim_start_matches(is_blank).strip_prefix(']')?;
    Some((text.len() - rest.len(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_told_from_other_brackets() {
        for (text, name, length) in
            [("[Event \"x\"]", "Event", 8), ("[ \r\n Event\t\n\"", "Event", 13), ("[2-nd\"", "2-nd", 6)]
        {
            assert_eq!(head(text), Some(Head { name, length }), "{text:?}");
        }
        for text in
            ["", "[", "[]", "[\"x\"]", "[Event", "[Event]", "[Event x \"y\"]", "[%clk 0:00:01]", "(Event \"x\")"]
        {
            assert_eq!(head(text), None, "{text:?}");
        }
    }

    #[test]
    fn values_keep_quotes_and_backslashes() {
        let read = |text| value(text).map(|(length, value)| (&text[length..], value));
        assert_eq!(read(r#"a \"b\" c\\d e\f"] *"#), Some((" *", r#"a "b" c\d e\f"#.to_owned())));
        assert_eq!(read("x]\" \r\n ]"), Some(("", "x]".to_owned())));
        for text in ["", "x", "x\"", "x\" y]", "x\n\"]", "\\\"]"] {
            assert_eq!(value(text), None, "{text:?}");
        }
    }

    #[test]
    fn names_are_of_one_form() {
        assert_eq!((check_name("Event"), check_name("e_2")), (Ok(()), Ok(())));
        for name in ["", "1st", "a b", "Caf\u{e9}", "_"] {
            assert!(check_name(name).unwrap_err().to_string().contains("expected a tag's name"), "{name}");
        }
        assert_eq!((own("Setup"), own("fen"), own("Event")), (Some("SetUp"), Some("FEN"), None));
    }
}
