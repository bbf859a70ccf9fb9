//! What are agents called on pages, and which file is the page of each?

use std::fmt::Display;

use super::page::{Root, html};
use super::text::{OutsideLink, Text, cut, split_url};
use crate::master::store::StoredAgent;

/// An agent as pages name it.
pub(super) struct Name {
    /// The file of its page, from the top of the site; harmless whatever the agent is called.
    pub(super) file: String,
    /// What it calls itself, else its folder's name.
    pub(super) shown: String,
    /// Its folder's name, where it calls itself something else.
    pub(super) folder: Option<String>,
    /// The web page that it names.
    pub(super) url: Option<String>,
}

impl Name {
    /// The name of the agent with this index.
    pub(super) fn of(index: usize, agent: &StoredAgent) -> Name {
        const LONGEST: usize = 80;
        let (words, url) = agent.title.as_deref().map_or((String::new(), None), split_url);
        let named = if words.is_empty() { &agent.name } else { &words };
        Name {
            file: format!("agents/{}{}.html", index + 1, slug(&agent.name)),
            shown: cut(named, LONGEST),
            folder: (*named != agent.name).then(|| cut(&agent.name, LONGEST)),
            url,
        }
    }

    /// A link to its page.
    pub(super) fn link(&self, root: Root) -> impl Display {
        html(move |f| write!(f, "<a href=\"{root}{}\">{}</a>", self.file, Text(&self.shown)))
    }

    /// A link to its page, and one to the page that it names.
    pub(super) fn links(&self, root: Root) -> impl Display {
        html(move |f| {
            write!(f, "{}", self.link(root))?;
            self.url.as_ref().map_or(Ok(()), |url| write!(f, " {}", OutsideLink(url)))
        })
    }
}

/// The letters and digits of a name in lower case, with hyphens between words and before the first.
fn slug(name: &str) -> String {
    const LONGEST: usize = 40;
    let is_word = |letter: char| letter.is_ascii_alphanumeric();
    let words = name.split(|letter| !is_word(letter)).filter(|word| !word.is_empty());
    let slug: String = words.map(|word| format!("-{}", word.to_ascii_lowercase())).collect();
    slug[..slug.len().min(LONGEST)].trim_end_matches('-').to_owned()
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
    fn agents_are_called_by_their_titles() {
        let name = named("a1", Some("Deep <b> https://x.y/z"));
        let link = name.links(Root::Above).to_string();
        let outside = "<a class=\"outside\" href=\"https://x.y/z\" rel=\"nofollow noopener\">x.y</a>";
        assert_eq!(
            link,
            format!("<a href=\"../agents/7-a1.html\">Deep &lt;b&gt;</a> {outside}").replace(" &lt;b&gt;", " b")
        );
        assert_eq!(name.folder.as_deref(), Some("a1"));
        assert_eq!(named("a1", Some("http://x.y")).shown, "a1");
        assert_eq!(named("a1", Some("a1")).folder, None);
    }
}
