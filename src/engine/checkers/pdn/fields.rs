use std::time::Duration;

use crate::game::{Color, Outcome, ParseError};

/// Tags that come first, in this order, with `Result` after them.
pub(super) const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];
const OWN: [&str; 4] = ["Result", "GameType", "SetUp", "FEN"];
/// PDN game type of American checkers.
pub(super) const GAME_TYPE: &str = "21";

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

pub(super) fn tag_rank(name: &str) -> usize {
    ROSTER.iter().position(|&first| first == name).unwrap_or(ROSTER.len())
}

/// Start of a tag, up to the quote before its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TagHead<'a> {
    /// Name, which may be invalid.
    pub(super) name: &'a str,
    pub(super) length: usize,
    /// Quote at its end.
    pub(super) quote: char,
}

/// Returns `true` for characters without meaning: blanks, a byte order mark, control characters left by old editors.
pub(super) fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control() || letter == '\u{feff}'
}

pub(super) fn tag_head(text: &str) -> Option<TagHead<'_>> {
    let inside = text.strip_prefix('[')?.trim_start_matches(is_blank);
    let end = inside.find(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-')?;
    let (name, rest) = inside.split_at(end);
    let rest = rest.trim_start_matches(is_blank);
    let quote = rest.chars().next().filter(|letter| QUOTES.contains(letter))?;
    (!name.is_empty()).then(|| TagHead { name, length: text.len() - rest.len() + quote.len_utf8(), quote })
}

/// Quotes around values, typed or by typesetters.
const QUOTES: [char; 8] = ['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{201f}', '\u{ab}', '\u{bb}', '\u{ff02}'];

/// Parses the value at the start of `text`, which follows a [`TagHead`] with this quote. Returns the length in bytes,
/// closing bracket included, and the value. A value must be on one line. Quotes inside it need no backslash, as people
/// write names like `The "Big" Open`, unless a bracket opens as well.
pub(super) fn tag_value(text: &str, quote: char) -> Option<(usize, String)> {
    let (mut value, mut has_bracket, mut has_quote) = (String::new(), false, false);
    let mut letters = text.chars();
    loop {
        let letter = letters.next()?;
        // Typesetters close with another quote than they open with.
        if letter == quote || quote != '"' && QUOTES.contains(&letter) {
            if let Some(rest) = letters.as_str().trim_start_matches(is_blank).strip_prefix(']') {
                return Some((text.len() - rest.len(), value));
            }
            has_quote = true;
        }
        has_bracket |= letter == '[';
        if letter == '\n' || has_bracket && has_quote {
            return None;
        }
        value.push(letter);
        // Other backslashes are literal: people put paths into tags.
        if letter == '\\' && letters.as_str().starts_with(['"', '\\']) {
            value.pop();
            value.extend(letters.next());
        }
    }
}

/// Returns `true` for a date like `1998.03.??`, with any part unknown or left out at the end.
pub(super) fn is_date(text: &str) -> bool {
    let is_part = |(index, part): (usize, &str)| {
        let length = if index == 0 { 4 } else { 2 };
        part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'?')
    };
    text.split('.').count() <= 3 && text.split('.').enumerate().all(is_part)
}

const BLACK: Option<Outcome> = Some(Outcome::Win(Color::Black));
const WHITE: Option<Outcome> = Some(Outcome::Win(Color::White));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

/// Codes and their results. If several codes mean the same result, the first is written.
///
/// The first number belongs to the side that moves first in the given game type. In American checkers (`GameType` 21)
/// that is Black: `1-0` is a win for Black, even if a set-up position has White to move. Sources: PDN 2.0 (M. Cash,
/// 2003) and game archives, which agree with it; the PDN 3.0 draft for two-point wins and `0-0`.
///
/// `0-0` stands for a game that both sides lost, usually because neither player appeared. It has no winner and is not a
/// draw, so it is read like `*`.
const CODES: [(&str, Option<Outcome>); 9] = [
    ("1-0", BLACK),
    ("0-1", WHITE),
    ("1/2-1/2", DRAW),
    ("*", None),
    ("2-0", BLACK),
    ("0-2", WHITE),
    ("1-1", DRAW),
    ("\u{bd}-\u{bd}", DRAW),
    ("0-0", None),
];

/// Returns the code for `result`; `None` means that the game is not over, or its result is unknown.
pub(super) fn result_code(result: Option<Outcome>) -> &'static str {
    CODES.iter().find(|&&(_, outcome)| outcome == result).map_or("*", |&(code, _)| code)
}

/// Returns `true` if `text` is a code. No code can be mistaken for a move: there is no square 0, and no move from 1 to
/// 1.
pub(super) fn is_result(text: &str) -> bool {
    find_result(text).is_some()
}

pub(super) fn read_result(text: &str) -> Result<Option<Outcome>, ParseError> {
    find_result(text).ok_or_else(|| ParseError::new(text, "a result: 1-0, 0-1, 1/2-1/2 or *"))
}

fn find_result(text: &str) -> Option<Option<Outcome>> {
    CODES.iter().find(|&&(code, _)| code == text).map(|&(_, outcome)| outcome)
}

/// Formats a comment with the remaining time, to the microsecond: `{[%clk 0:04:59.93]}`. Source: the PGN supplement on
/// commands in comments, which PDN writers follow as well.
pub(super) fn write_clock(left: Duration) -> String {
    let (minutes, seconds) = (left.as_secs() / 60, left.as_secs() % 60);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let micros = match left.subsec_micros() {
        0 => String::new(),
        micros => format!(".{micros:06}").trim_end_matches('0').to_owned(),
    };
    format!("{{[%clk {hours}:{minutes:02}:{seconds:02}{micros}]}}")
}

/// Reads the clock in a comment, if there is one: hours, minutes and seconds.
pub(super) fn read_clock(comment: &str) -> Option<Duration> {
    let (_, rest) = comment.split_once("[%clk")?;
    let (time, _) = rest.strip_prefix(char::is_whitespace)?.split_once(']')?;
    let mut parts = time.trim().split(':');
    let mut whole = |below| parts.next()?.parse::<u32>().ok().filter(|&number| number < below).map(u64::from);
    let (hours, minutes) = (whole(u32::MAX)?, whole(60)?);
    let seconds = parts.next()?.parse().ok().filter(|seconds: &f64| (0.0..60.0).contains(seconds))?;
    let micros = (seconds * 1e6).round() as u64;
    parts.next().is_none().then(|| Duration::from_secs(hours * 3600 + minutes * 60) + Duration::from_micros(micros))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_told_from_other_brackets() {
        for (text, name, length) in
            [("[Event \"x\"]", "Event", 8), ("[ \r\n Event\t\n\"", "Event", 13), ("[2-nd\"", "2-nd", 6)]
        {
            assert_eq!(tag_head(text), Some(TagHead { name, length, quote: '"' }), "{text:?}");
        }
        for text in
            ["", "[", "[]", "[\"x\"]", "[Event", "[Event]", "[Event x \"y\"]", "[%clk 0:00:01]", "(Event \"x\")"]
        {
            assert_eq!(tag_head(text), None, "{text:?}");
        }
    }

    #[test]
    fn values_keep_quotes_and_backslashes() {
        let read = |text| tag_value(text, '"').map(|(length, value)| (&text[length..], value));
        assert_eq!(read(r#"a \"b\" c\\d e\f"] *"#), Some((" *", r#"a "b" c\d e\f"#.to_owned())));
        assert_eq!(read("x]\" \r\n ]"), Some(("", "x]".to_owned())));
        assert_eq!(read("a \"b\" c\"] [Site \"x\"]"), Some((" [Site \"x\"]", "a \"b\" c".to_owned())));
        assert_eq!(read("\u{fc}\u{201d}\"]"), Some(("", "\u{fc}\u{201d}".to_owned())));
        assert_eq!(tag_value("\u{fc}\u{201d}]", '\u{201c}'), Some((6, "\u{fc}".to_owned())));
        for text in ["", "x", "x\"", "x\" y]", "x\n\"]", "\\\"]", "x\" y] [Site \"x\"]", "x] [Site \"x\"]"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn dates_may_be_partly_unknown() {
        for date in ["1998.03.07", "1998.03", "1998", "????.??.??", "19??.??.??"] {
            assert!(is_date(date), "{date}");
        }
        for text in ["", "7.3.1998", "1998-03-07", "1998.3.7", "1998.03.07.1", "March 1998"] {
            assert!(!is_date(text), "{text}");
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

    #[test]
    fn the_first_number_is_blacks() {
        for (text, result) in [("1-0", BLACK), ("2-0", BLACK), ("0-1", WHITE), ("0-2", WHITE)] {
            assert_eq!(read_result(text), Ok(result), "{text}");
        }
        assert_eq!(result_code(Some(Outcome::Win(Color::Black))), "1-0");
        assert_eq!(result_code(Some(Outcome::Win(Color::White))), "0-1");
    }

    #[test]
    fn codes_round_trip() {
        for (text, result) in CODES {
            assert_eq!(read_result(result_code(result)), Ok(result), "{text}");
        }
    }

    #[test]
    fn codes_of_unknown_results_name_no_winner() {
        assert_eq!((read_result("0-0"), read_result("*")), (Ok(None), Ok(None)));
        assert_eq!(
            read_result("won").unwrap_err().to_string(),
            "found \"won\", expected a result: 1-0, 0-1, 1/2-1/2 or *"
        );
        for text in ["", "1", "1-", "1-5", "0", "2-2", "1/2", "1-0 "] {
            assert!(!is_result(text), "{text}");
        }
    }

    #[test]
    fn clock_round_trip() {
        for (micros, text) in [
            (0, "{[%clk 0:00:00]}"),
            (299_930_000, "{[%clk 0:04:59.93]}"),
            (1, "{[%clk 0:00:00.000001]}"),
            (360_000_000_000, "{[%clk 100:00:00]}"),
        ] {
            let left = Duration::from_micros(micros);
            assert_eq!(write_clock(left), text);
            assert_eq!(read_clock(text), Some(left));
        }
        assert_eq!(read_clock("{good [%clk\r\n 1:59:59.9 ] move}"), Some(Duration::from_millis(7_199_900)));
        let others = "\
            {}|{[%clk 5]}|{[%clks 0:00:00]}|{[%clk 1:2:3:4]}|{[%clk a:00:00]}|{[%clk 0:00:-1]}|\
            {[%clk 0:60:00]}|{[%clk 0:0:60]}|{[%clk 0:00:00}";
        for text in others.split('|') {
            assert_eq!(read_clock(text), None, "{text}");
        }
    }
}
