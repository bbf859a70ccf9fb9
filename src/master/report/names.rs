//! Names, numbers and text as pages show them, and links to agents and games.

use maud::{Markup, Render, html};

use crate::tournament::rating::Rating;
use crate::tournament::store::{GameId, StoredAgent};
use kingline::game::Color;
use kingline_players::terminal::{escaped, in_thousands};

/// Top of the site, relative to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    Here,
    Above,
}

impl Root {
    /// The way from the page to the top.
    pub(super) fn path(self) -> &'static str {
        match self {
            Root::Here => "",
            Root::Above => "../",
        }
    }
}

impl Render for Root {
    fn render_to(&self, buffer: &mut String) {
        buffer.push_str(self.path());
    }
}

/// Name of an agent, its page here, and the web page in its title.
pub(super) struct Name {
    /// The file of its page, relative to the top of the site; safe for any agent name.
    pub(super) file: String,
    /// The name of its folder, which is unique.
    pub(super) shown: String,
    /// The title that it gives itself, if that differs from the name. Never shown alone, so that no agent can pose as
    /// another.
    pub(super) title: Option<String>,
    /// The web page in its title.
    pub(super) url: Option<String>,
}

impl Name {
    pub(super) fn of(index: usize, agent: &StoredAgent) -> Name {
        const LONGEST: usize = 80;
        let (words, url) = agent.title.as_deref().map_or((String::new(), None), split_url);
        Name {
            file: format!("agents/{}{}.html", index + 1, slug(&agent.name)),
            shown: cut(&escaped(&agent.name), LONGEST),
            title: (!words.is_empty() && words != agent.name).then(|| cut(&escaped(&words), LONGEST)),
            url,
        }
    }

    pub(super) fn link(&self, root: Root) -> Markup {
        html! { a href={ (root) (self.file) } { (self.shown) } }
    }

    /// A link to its page, its title, and a link to the web page in the title.
    pub(super) fn links(&self, root: Root) -> Markup {
        html! {
            (self.link(root))
            @if let Some(title) = &self.title { " " q .quiet { (title) } }
            @if let Some(url) = &self.url { " " (outside_link(url)) }
        }
    }
}

/// A link to an agent's web page, labeled with the host.
pub(super) fn outside_link(url: &str) -> Markup {
    let (_, place) = url.split_once("://").unwrap_or(("", url));
    let host = place.split(['/', '?', '#']).next().unwrap_or(place);
    html! { a .outside href=(url) rel="nofollow noopener" { (cut(host, 40)) } }
}

/// The letters and digits of a name in lower case, with hyphens between words and before the first.
fn slug(name: &str) -> String {
    const LONGEST: usize = 40;
    let is_word = |letter: char| letter.is_ascii_alphanumeric();
    let words = name.split(|letter| !is_word(letter)).filter(|word| !word.is_empty());
    let slug: String = words.map(|word| format!("-{}", word.to_ascii_lowercase())).collect();
    slug[..slug.len().min(LONGEST)].trim_end_matches('-').to_owned()
}

pub(super) fn game_link(GameId(id): GameId) -> String {
    format!("game.html#{id}")
}

pub(super) fn turn_link(GameId(id): GameId, turn: usize) -> String {
    format!("game.html#{id}.{turn}")
}

/// The address of the head-to-head of two agents with these indexes.
pub(super) fn pair_link([one, other]: [usize; 2]) -> String {
    format!("pair.html#{},{}", one + 1, other + 1)
}

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

pub(super) fn side_class(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, title: Option<&str>) -> Name {
        Name::of(6, &StoredAgent { name: name.into(), title: title.map(str::to_owned), hash: String::new() })
    }

    #[test]
    fn file_names_are_safe_for_any_agent_name() {
        for (name, file) in [
            ("Alpha_2", "agents/7-alpha-2.html"),
            ("../../etc/passwd", "agents/7-etc-passwd.html"),
            ("\u{1f600}", "agents/7.html"),
            ("", "agents/7.html"),
            ("con", "agents/7-con.html"),
        ] {
            assert_eq!(named(name, None).file, file, "{name}");
        }
        assert!(named(&"long ".repeat(100), None).file.len() < 60);
    }

    #[test]
    fn an_agent_has_the_name_of_its_folder_and_its_title_stands_beside_it() {
        let name = named("a1", Some("Deep <b> https://x.y/z?b=1&c"));
        let link = name.links(Root::Above).into_string();
        let outside = "<a class=\"outside\" href=\"https://x.y/z?b=1&amp;c\" rel=\"nofollow noopener\">x.y</a>";
        assert_eq!(link, format!("<a href=\"../agents/7-a1.html\">a1</a> <q class=\"quiet\">Deep b</q> {outside}"));
        for title in [None, Some("http://x.y"), Some("a1")] {
            let name = named("a1", title);
            assert_eq!((&*name.shown, name.title), ("a1", None), "{title:?}");
        }
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
    }

    #[test]
    fn points_counts_and_ratings_are_formatted() {
        assert_eq!([0u64, 1, 2, 7].map(points), ["0", "½", "1", "3½"]);
        assert_eq!([7u64, 999, 1000, 1_234_567].map(count), ["7", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]);
        assert_eq!([0.2, 34.6, -120.0].map(elo), ["0", "+35", "\u{2212}120"]);
        assert_eq!((cut("äöü", 3), cut("äöü", 2)), ("äöü".to_owned(), "äö...".to_owned()));
    }
}
