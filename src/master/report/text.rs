//! How is text from agents and records made safe for pages? Nothing in it is ever markup.

use std::fmt::{self, Display, Write};

use crate::terminal::is_deceptive;

/// Shows a value between tags or within a quoted attribute.
///
/// Characters that are invisible, or change the direction of the text, are shown as escapes.
pub(super) struct Text<T>(pub(super) T);

impl<T: Display> Display for Text<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escape(f), "{}", self.0)
    }
}

struct Escape<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Escape<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for piece in text.split_inclusive(is_special) {
            let plain = piece.trim_end_matches(is_special);
            self.0.write_str(plain)?;
            piece[plain.len()..].chars().try_for_each(|special| match special {
                '&' => self.0.write_str("&amp;"),
                '<' => self.0.write_str("&lt;"),
                '>' => self.0.write_str("&gt;"),
                '"' => self.0.write_str("&quot;"),
                '\'' => self.0.write_str("&#39;"),
                '\n' => self.0.write_char('\n'),
                hidden => write!(self.0, "\\u{{{:x}}}", u32::from(hidden)),
            })?;
        }
        Ok(())
    }
}

fn is_special(letter: char) -> bool {
    matches!(letter, '&' | '<' | '>' | '"' | '\'') || is_deceptive(letter)
}

/// The first `longest` characters of a text, with three dots if there were more.
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

/// A link to somebody else's page.
pub(super) struct OutsideLink<'a>(pub(super) &'a str);

impl Display for OutsideLink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, place) = self.0.split_once("://").unwrap_or(("", self.0));
        let host = place.split(['/', '?', '#']).next().unwrap_or(place);
        let (url, host) = (Text(self.0), Text(cut(host, 40)));
        write!(f, "<a class=\"outside\" href=\"{url}\" rel=\"nofollow noopener\">{host}</a>")
    }
}

/// Half points, as points: `3½`.
pub(super) struct Points(pub(super) u64);

impl Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 2, self.0 % 2) {
            (0, 1) => f.write_str("½"),
            (whole, 0) => write!(f, "{whole}"),
            (whole, _) => write!(f, "{whole}½"),
        }
    }
}

/// A whole number with narrow no-break spaces between thousands.
pub(super) struct Count(pub(super) u64);

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_char('\u{202f}')?;
            }
            f.write_char(digit)?;
        }
        Ok(())
    }
}

/// A rating with its sign: `+35`, `−120`.
pub(super) struct Elo(pub(super) f64);

impl Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.0.round();
        let sign = if whole > 0.0 {
            "+"
        } else if whole < 0.0 {
            "\u{2212}"
        } else {
            ""
        };
        write!(f, "{sign}{:.0}", whole.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_control_characters_are_escaped() {
        let nasty = "a<b>&\"'c\u{202e}\u{0}\u{200b}\né";
        assert_eq!(Text(nasty).to_string(), "a&lt;b&gt;&amp;&quot;&#39;c\\u{202e}\\u{0}\\u{200b}\né");
    }

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
        let link = OutsideLink("https://example.org/a?b=1&c").to_string();
        assert_eq!(
            link,
            "<a class=\"outside\" href=\"https://example.org/a?b=1&amp;c\" rel=\"nofollow noopener\">example.org</a>"
        );
    }

    #[test]
    fn points_counts_and_ratings_are_formatted() {
        let points: Vec<String> = [0, 1, 2, 7].map(|halves| Points(halves).to_string()).into();
        assert_eq!(points, ["0", "½", "1", "3½"]);
        let counts: Vec<String> = [7, 999, 1000, 1_234_567].map(|number| Count(number).to_string()).into();
        assert_eq!(counts, ["7", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]);
        let ratings: Vec<String> = [0.2, 34.6, -120.0].map(|elo| Elo(elo).to_string()).into();
        assert_eq!(ratings, ["0", "+35", "\u{2212}120"]);
        assert_eq!((cut("äöü", 3), cut("äöü", 2)), ("äöü".to_owned(), "äö...".to_owned()));
    }
}
