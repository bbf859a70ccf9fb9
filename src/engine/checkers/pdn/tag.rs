//! Tags, `[Name "value"]`: their names and their syntax, which allows blanks and line breaks between the parts.

use crate::game::ParseError;

/// Tags that come first, in this order, with `Result` after them.
pub(super) const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];
/// Tags that the record writes itself.
const OWN: [&str; 4] = ["Result", "GameType", "SetUp", "FEN"];
/// PDN game type of American checkers.
pub(super) const GAME_TYPE: &str = "21";

/// Checks that `name` is a valid tag name.
///
/// # Errors
/// The name is invalid.
pub(super) fn check_name(name: &str) -> Result<(), ParseError> {
    let letters = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !letters || !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(ParseError::new(name, "a tag name: letters, digits and _, starting with a letter"));
    }
    Ok(())
}

/// Returns the canonical spelling of a tag that the record writes itself; many programs write `Setup`.
pub(super) fn own_tag(name: &str) -> Option<&'static str> {
    OWN.into_iter().find(|own| own.eq_ignore_ascii_case(name))
}

/// Replaces control characters, so that a tag's value stays on one line.
pub(super) fn printable(value: &str) -> String {
    value.replace(char::is_control, " ")
}

/// Rank of a tag in the output order.
pub(super) fn tag_rank(name: &str) -> usize {
    ROSTER.iter().position(|&first| first == name).unwrap_or(ROSTER.len())
}

/// Start of a tag, up to the quote before its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TagHead<'a> {
    /// Name, which may be invalid.
    pub(super) name: &'a str,
    /// Length in bytes.
    pub(super) length: usize,
}

/// Returns `true` for characters without meaning: blanks, a byte order mark, control characters left by old editors.
pub(super) fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control() || letter == '\u{feff}'
}

/// Parses the start of a tag at the start of `text`, if there is one.
pub(super) fn tag_head(text: &str) -> Option<TagHead<'_>> {
    let inside = text.strip_prefix('[')?.trim_start_matches(is_blank);
    let end = inside.find(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-')?;
    let (name, rest) = inside.split_at(end);
    let rest = rest.trim_start_matches(is_blank).strip_prefix('"')?;
    (!name.is_empty()).then(|| TagHead { name, length: text.len() - rest.len() })
}

/// Parses the value at the start of `text`, which follows a [`TagHead`]. Returns the length in bytes, closing bracket
/// included, and the value. A value must be on one line.
pub(super) fn tag_value(text: &str) -> Option<(usize, String)> {
    let mut value = String::new();
    let mut letters = text.chars();
    loop {
        match letters.next()? {
            '"' => break,
            '\n' => return None,
            // Other backslashes are literal: people put paths into tags.
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
            assert_eq!(tag_head(text), Some(TagHead { name, length }), "{text:?}");
        }
        for text in
            ["", "[", "[]", "[\"x\"]", "[Event", "[Event]", "[Event x \"y\"]", "[%clk 0:00:01]", "(Event \"x\")"]
        {
            assert_eq!(tag_head(text), None, "{text:?}");
        }
    }

    #[test]
    fn values_keep_quotes_and_backslashes() {
        let read = |text| tag_value(text).map(|(length, value)| (&text[length..], value));
        assert_eq!(read(r#"a \"b\" c\\d e\f"] *"#), Some((" *", r#"a "b" c\d e\f"#.to_owned())));
        assert_eq!(read("x]\" \r\n ]"), Some(("", "x]".to_owned())));
        for text in ["", "x", "x\"", "x\" y]", "x\n\"]", "\\\"]"] {
            assert_eq!(tag_value(text), None, "{text:?}");
        }
    }

    #[test]
    fn names_are_of_one_form() {
        assert_eq!((check_name("Event"), check_name("e_2")), (Ok(()), Ok(())));
        for name in ["", "1st", "a b", "Caf\u{e9}", "_"] {
            assert!(check_name(name).unwrap_err().to_string().contains("expected a tag name"), "{name}");
        }
        assert_eq!((own_tag("Setup"), own_tag("fen"), own_tag("Event")), (Some("SetUp"), Some("FEN"), None));
    }
}
