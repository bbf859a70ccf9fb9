//! Names, files and links of agents and games.

use maud::{Markup, Render, html};

use super::text::{cut, split_url};
use crate::tournament::store::{GameId, StoredAgent};
use kingline_players::terminal::escaped;

/// Top of the site, relative to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// The page's own folder.
    Here,
    /// The folder above.
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
    /// Returns the name of the agent with this index.
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

    /// A link to its page.
    pub(super) fn link(&self, root: Root) -> Markup {
        html! { a href={ (root) (self.file) } { (self.shown) } }
    }

    /// A link to its page, followed by its title.
    pub(super) fn titled_link(&self, root: Root) -> Markup {
        html! {
            (self.link(root))
            @if let Some(title) = &self.title { " " q .quiet { (title) } }
        }
    }

    /// A link to its page, its title, and a link to the web page in the title.
    pub(super) fn links(&self, root: Root) -> Markup {
        html! {
            (self.titled_link(root))
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

/// The address of a game, relative to the top of the site.
pub(super) fn game_link(GameId(id): GameId) -> String {
    format!("game.html#{id}")
}

/// The address of a turn of a game.
pub(super) fn turn_link(GameId(id): GameId, turn: usize) -> String {
    format!("game.html#{id}.{turn}")
}

/// The address of the head-to-head of two agents with these indexes.
pub(super) fn pair_link([one, other]: [usize; 2]) -> String {
    format!("pair.html#{},{}", one + 1, other + 1)
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
}
