//! Finds where comments end.
//!
//! In the standard, comments do not nest: a comment ends at the first `}`. In practice, people nest them and forget to
//! close them. A comment that contains another `{` therefore ends at its balancing brace if there is one before the
//! next tag, and otherwise at the first `}` before that tag. If there is none, the comment is unclosed and ends before
//! the tag.

use std::collections::HashMap;

use super::tag;

/// Finds tags and the ends of comments. Queries must be in text order, so that no part is scanned twice.
#[derive(Clone, Debug)]
pub(super) struct Braces<'a> {
    text: &'a str,
    /// Start of the first tag after the last queried place.
    tag: usize,
    /// End of the range that `ends` covers.
    paired: usize,
    /// Offset of the `}` that balances each `{`.
    ends: HashMap<usize, usize>,
}

impl<'a> Braces<'a> {
    pub(super) fn new(text: &'a str) -> Braces<'a> {
        Braces { text, tag: 0, paired: 0, ends: HashMap::new() }
    }

    /// Start of the first tag at or after `from`, which must not be 0; the end of the text if there is none.
    pub(super) fn next_tag(&mut self, from: usize) -> usize {
        if self.tag < from {
            let mut brackets = self.text[from..].match_indices('[').map(|(place, _)| from + place);
            self.tag = brackets.find(|&place| tag::tag_head(&self.text[place..]).is_some()).unwrap_or(self.text.len());
        }
        self.tag
    }

    /// Offset after the comment whose `{` is at `start`.
    ///
    /// # Errors
    /// The comment is unclosed; returns the start of the tag that follows it.
    pub(super) fn end_of_comment(&mut self, start: usize) -> Result<usize, usize> {
        let inside = start + 1;
        let first = self.text[inside..].find(['{', '}']).map(|length| inside + length);
        if let Some(end) = first.filter(|&place| self.text[place..].starts_with('}')) {
            return Ok(end + 1);
        }
        let tag = self.next_tag(inside);
        if first.is_none() {
            return Err(tag);
        }
        if start >= self.paired {
            self.pair(start, tag);
        }
        let balancing = self.ends.get(&start).copied();
        let end = balancing.or_else(|| self.text[inside..tag].find('}').map(|length| inside + length));
        end.map(|end| end + 1).ok_or(tag)
    }

    /// Pairs the braces between `start` and `end`.
    fn pair(&mut self, start: usize, end: usize) {
        self.ends.clear();
        self.paired = end;
        let mut open = Vec::new();
        for (place, brace) in self.text[start..end].match_indices(['{', '}']) {
            if brace == "{" {
                open.push(start + place);
            } else if let Some(opened) = open.pop() {
                self.ends.insert(opened, start + place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_where_their_authors_meant() {
        for (text, comment) in [
            ("{} *", "{}"),
            ("{a (b [%c] ;} d} *", "{a (b [%c] ;}"),
            ("{a {b} c} *", "{a {b} c}"),
            ("{a {b {c} {d}} e} f} *", "{a {b {c} {d}} e}"),
            ("{a {b} * {c} *", "{a {b}"),
            ("{a {b} c\n[Event \"x\"] {d} } *", "{a {b}"),
            ("{a [Event \"x\"] b} *", "{a [Event \"x\"] b}"),
        ] {
            assert_eq!(Braces::new(text).end_of_comment(0), Ok(comment.len()), "{text}");
        }
    }

    #[test]
    fn comments_without_an_end_reach_to_the_next_tag() {
        for text in
            ["{", "{a", "{a {b {", "{a\n|[Event \"x\"] *", "{a\n|[Event \"x\"] {b} *", "{a {b [c]\n|[Event \"x\"] } *"]
        {
            let tag = text.find('|').unwrap_or(text.len());
            assert_eq!(Braces::new(&text.replace('|', "")).end_of_comment(0), Err(tag), "{text}");
        }
    }
}
