//! Names that may have been meant by a wrong one.

/// Maximum number of names suggested.
const MOST: usize = 5;

/// Returns the names closest to `wrong`, the closest first: those with a few other letters, and those that contain it.
/// Letter case does not matter.
pub(super) fn near<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wrong = wrong.to_lowercase();
    let most = (wrong.chars().count() / 3).max(2);
    let mut close: Vec<(usize, &str)> = names
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let is_part = !wrong.is_empty() && lower.contains(&wrong);
            let distance = if is_part { 1 } else { distance(&wrong, &lower) };
            (distance <= most).then_some((distance, name))
        })
        .collect();
    close.sort();
    close.dedup();
    close.into_iter().take(MOST).map(|(_, name)| name).collect()
}

/// Number of letters to insert, delete or replace.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (line, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_come_first() {
        assert_eq!(["kitten", "", "ada"].map(|name| distance(name, "sitting")), [3, 7, 7]);
        let names = ["ada", "adam", "cleo", "Ada_101", "zoe"];
        let near = |wrong| near(wrong, names.into_iter());
        assert_eq!(near("adda"), ["ada", "adam"]);
        assert_eq!(near("ADA"), ["Ada_101", "ada", "adam"]);
        assert_eq!(near("cloe"), ["cleo", "zoe"]);
        assert!(near("somebody else").is_empty());
    }
}
