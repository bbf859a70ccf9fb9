//! Commands that replace those in a script.

use std::str::FromStr;

use kingline::game::ParseError;

/// Replacement `NAME=COMMAND`: if a script's command begins with the words of NAME, COMMAND replaces these words. The
/// rest of the command stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    name: Vec<String>,
    command: String,
}

impl FromStr for Replacement {
    type Err = ParseError;

    /// Reads `NAME=COMMAND`. The first `=` ends the name.
    fn from_str(text: &str) -> Result<Replacement, ParseError> {
        let parts = text.split_once('=').map(|(name, command)| (words(name), command.trim()));
        match parts {
            Some((name, command)) if !name.is_empty() && !command.is_empty() => {
                Ok(Replacement { name, command: command.to_string() })
            }
            _ => Err(ParseError::new(text, "NAME=COMMAND")),
        }
    }
}

/// Command to run for `command` in a script. The longest matching name applies; of equal names, the last one.
pub(super) fn replaced(command: &str, replacements: &[Replacement]) -> String {
    let fits = |replacement: &&Replacement| rest(command, &replacement.name).is_some();
    let best = replacements.iter().filter(fits).max_by_key(|replacement| replacement.name.len());
    let instead = best.and_then(|best| Some((best, rest(command, &best.name)?)));
    match instead {
        Some((best, "")) => best.command.clone(),
        Some((best, rest)) => format!("{} {rest}", best.command),
        None => command.to_string(),
    }
}

/// Rest of `command` after `name`, unchanged; `None` if the command does not start with it.
fn rest<'a>(command: &'a str, name: &[String]) -> Option<&'a str> {
    let mut rest = command.trim();
    for word in name {
        let (first, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if first != word {
            return None;
        }
        rest = after.trim_start();
    }
    Some(rest)
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_matching_name_is_replaced() {
        let texts = ["java=short", "java -ea  loa.Main = loa --time=1 ", "staff-loa=staff", "staff-loa=other"];
        let replacements: Vec<Replacement> = texts.iter().map(|text| text.parse().unwrap()).collect();
        for (command, expected) in [
            ("java -ea loa.Main", "loa --time=1"),
            ("java  -ea\tloa.Main --strict 'a  b' | tee x", "loa --time=1 --strict 'a  b' | tee x"),
            ("java -ea loa.Mainly", "short -ea loa.Mainly"),
            ("javac -ea loa.Main", "javac -ea loa.Main"),
            ("staff-loa --time=0.25", "other --time=0.25"),
            ("nice staff-loa", "nice staff-loa"),
            ("", ""),
        ] {
            assert_eq!(replaced(command, &replacements), expected);
        }
    }

    #[test]
    fn replacements_require_a_name_and_a_command() {
        for text in ["", "loa", "=loa", " =loa", "loa=", "loa= "] {
            assert_eq!(text.parse::<Replacement>().unwrap_err().expected, "NAME=COMMAND", "{text}");
        }
    }
}
