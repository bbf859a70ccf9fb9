//! Numbers and text as pages show them.

use crate::tournament::rating::Rating;
use kingline::game::Color;
use kingline_players::terminal::in_thousands;

/// Maximum number of characters of an agent's text that a page shows.
pub(super) const SHOWN: usize = 240;

/// The first `longest` characters of a text, followed by three dots if there are more.
pub(super) fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The first URL in a text, and the text without it.
pub(super) fn split_url(text: &str) -> (String, Option<String>) {
    let starts = ["https://", "http://"].iter().filter_map(|scheme| Some((text.find(scheme)?, scheme.len()))).min();
    let Some((start, scheme)) = starts else { return (text.to_owned(), None) };
    let rest = &text[start..];
    let fits = |letter: char| letter.is_ascii_graphic() && !"<>\"'`{}|\\^()[]".contains(letter);
    let url = rest[..rest.find(|letter| !fits(letter)).unwrap_or(rest.len())]
        .trim_end_matches(['.', ',', ';', ':', '!', '?']);
    if url.len() <= scheme {
        return (text.to_owned(), None);
    }
    let left = format!("{}{}", &text[..start], &rest[url.len()..]);
    let words: Vec<&str> =
        left.split(|letter: char| " ()[]<>".contains(letter)).filter(|word| !word.is_empty()).collect();
    let words = words.join(" ");
    (words.trim_end_matches([' ', ',', ';', ':', '.', '-']).to_owned(), Some(url.to_owned()))
}

/// Half points written as points: `3½`.
pub(super) fn points(half_points: impl Into<u64>) -> String {
    let half_points = half_points.into();
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// A whole number with a narrow no-break space between groups of three digits.
pub(super) fn count(number: impl Into<u64>) -> String {
    in_thousands(number.into()).replace(',', "\u{202f}")
}

/// A rating with its sign: `+35`, `−120`.
pub(super) fn elo(rating: f64) -> String {
    let whole = rating.round();
    let sign = if whole > 0.0 {
        "+"
    } else if whole < 0.0 {
        "\u{2212}"
    } else {
        ""
    };
    format!("{sign}{:.0}", whole.abs())
}

/// The confidence interval of a rating, unless both ends are open.
pub(super) fn interval(rating: &Rating) -> Option<String> {
    match (rating.low, rating.high) {
        (Some(low), Some(high)) => Some(format!("{} to {}", elo(low), elo(high))),
        (Some(low), None) => Some(format!("{} or more", elo(low))),
        (None, Some(high)) => Some(format!("{} or less", elo(high))),
        (None, None) => None,
    }
}

/// The class of a side in the style sheet.
pub(super) fn side_class(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_split_from_the_text() {
        for (text, words, url) in [
            ("minimax", "minimax", None),
            ("deep one (https://example.org/a?b=1&c).", "deep one", Some("https://example.org/a?b=1&c")),
            ("http://x.y", "", Some("http://x.y")),
            ("see http://x.y, or https://z", "see , or https://z", Some("http://x.y")),
            ("https:// nothing", "https:// nothing", None),
            ("javascript:alert(1)", "javascript:alert(1)", None),
            ("a http://x\"onclick=\"y", "a \"onclick=\"y", Some("http://x")),
        ] {
            assert_eq!(split_url(text), (words.to_owned(), url.map(str::to_owned)), "{text}");
        }
    }

    #[test]
    fn points_counts_and_ratings_are_formatted() {
        assert_eq!([0u64, 1, 2, 7].map(points), ["0", "½", "1", "3½"]);
        assert_eq!([7u64, 999, 1000, 1_234_567].map(count), ["7", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]);
        assert_eq!([0.2, 34.6, -120.0].map(elo), ["0", "+35", "\u{2212}120"]);
        assert_eq!((cut("äöü", 3), cut("äöü", 2)), ("äöü".to_owned(), "äö...".to_owned()));
    }
}
