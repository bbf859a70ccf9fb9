//! The terms of an exam as its file stores them: everything that would make it another exam.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Course, CourseGame, CourseMoves, CourseSide, CourseThreshold, GradingRules, Opponent, Question};
use crate::hash::hash;
use crate::intake::agent::Agent;
use crate::league::League;
use kingline_players::protocol::turn_files::TurnRequest;
use kingline_players::terminal::escaped;

/// Terms by name, apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct StoredTerms(BTreeMap<String, Value>);

/// Longest value in a message, in characters.
const LONGEST_VALUE: usize = 40;
/// Most changes in a message.
const MOST_CHANGES: usize = 6;

impl StoredTerms {
    /// The terms of an exam of one agent, or of a class.
    ///
    /// # Errors
    /// A value has no form in JSON.
    pub(super) fn of(agent: Option<&Agent>, rules: &GradingRules, tier: &str) -> Result<StoredTerms> {
        let GradingRules { course, league, positions, opponent, .. } = rules;
        let opponent = opponent_in_terms(opponent);
        let thresholds: Vec<Value> = course
            .thresholds
            .iter()
            .zip(&rules.thresholds)
            .map(|(threshold, opponent)| {
                let CourseThreshold { opponent: _, seconds, opponent_seconds, games, needed, points } = threshold;
                json!({
                    "opponent": opponent_in_terms(opponent),
                    "seconds": seconds,
                    "opponent_seconds": opponent_seconds,
                    "games": games,
                    "needed": needed,
                    "points": points,
                })
            })
            .collect();
        let given = positions.as_ref().map(|questions| {
            questions.iter().map(|question| (question.name.clone(), question.request.to_string())).collect::<Vec<_>>()
        });
        let questions = positions.as_ref().map_or(course.moves.count, Vec::len);
        let games: Vec<_> = course.games.iter().map(|game| (game.side, game.seconds)).collect();
        let mut all = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "measurement": tier,
            "agent": agent.map(|agent| (&agent.name, &agent.hash)),
            "opponent": opponent,
            "league": league,
            "games": games,
            "points": { "move": course.moves.points, "game": course.points_a_game },
            "moves": { "count": questions, "seconds": course.moves.seconds, "positions": given },
        });
        // Stores from before there were thresholds have none.
        if !thresholds.is_empty() {
            all["thresholds"] = thresholds.into();
        }
        // Numbers are compared as they read back.
        Ok(serde_json::from_slice(&serde_json::to_vec(&all)?)?)
    }

    /// The course, and its positions if they were given, without its name. Paths of opponents are not among the terms.
    ///
    /// # Errors
    /// A term is missing or has another form.
    pub(super) fn course(&self) -> Result<(Course, Option<Vec<Question>>)> {
        #[derive(Deserialize)]
        struct Moves {
            count: usize,
            seconds: Option<f64>,
            positions: Option<Vec<(String, String)>>,
        }
        #[derive(Deserialize)]
        struct Points {
            #[serde(rename = "move")]
            a_move: u32,
            game: u32,
        }
        let moves: Moves = self.term("moves")?;
        let points: Points = self.term("points")?;
        let games: Vec<(CourseSide, f64)> = self.term("games")?;
        let question = |(name, text): &(String, String)| -> Result<Question> {
            Ok(Question { name: name.clone(), request: TurnRequest::parse(text).context("moves.positions")? })
        };
        let thresholds: Option<Vec<StoredThreshold>> = self.term("thresholds")?;
        let positions = moves.positions.as_ref().map(|all| all.iter().map(question).collect::<Result<_>>());
        let course = Course {
            moves: CourseMoves { count: moves.count, seconds: moves.seconds, points: points.a_move },
            games: games.into_iter().map(|(side, seconds)| CourseGame { seconds, side }).collect(),
            points_a_game: points.game,
            thresholds: thresholds.into_iter().flatten().map(StoredThreshold::threshold).collect(),
            ..Course::default()
        };
        Ok((course, positions.transpose()?))
    }

    /// The league of the games.
    ///
    /// # Errors
    /// See [`course`](Self::course).
    pub(super) fn league(&self) -> Result<League> {
        self.term("league")
    }

    /// How CPU time is measured.
    ///
    /// # Errors
    /// See [`course`](Self::course).
    pub(super) fn measurement(&self) -> Result<String> {
        self.term("measurement")
    }

    fn term<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        let value = self.0.get(name).cloned().unwrap_or_default();
        serde_json::from_value(value).with_context(|| format!("the term \"{name}\""))
    }

    /// SHA-256 in hexadecimal.
    pub(super) fn hash(&self) -> Result<String> {
        Ok(hash(serde_json::to_vec(self)?))
    }

    /// Lists the terms that differ in `new`, each with its old and new value.
    pub(super) fn changes(&self, new: &StoredTerms) -> Vec<Change> {
        let [old, new] = [self, new].map(|terms| {
            let mut values = BTreeMap::new();
            terms.0.iter().for_each(|(name, value)| flatten(name, value, &mut values));
            values
        });
        let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
        let value = |values: &BTreeMap<String, Value>, name: &String| values.get(name).cloned().unwrap_or_default();
        let change = |name: &String| Change::new(name, &value(&old, name), &value(&new, name));
        names.filter(|name| old.get(*name) != new.get(*name)).map(change).collect()
    }
}

/// An opponent as the terms have it.
fn opponent_in_terms(opponent: &Opponent) -> Value {
    let kind = match opponent {
        Opponent::Reference { cost, .. } => json!({ "reference cost": cost }),
        Opponent::Other(_) => json!("another agent"),
    };
    json!({ "kind": kind, "name": opponent.agent().name, "files": opponent.agent().hash })
}

/// A threshold as the terms have it.
#[derive(Deserialize)]
struct StoredThreshold {
    opponent: StoredOpponent,
    seconds: f64,
    opponent_seconds: Option<f64>,
    games: usize,
    needed: f64,
    points: u32,
}

#[derive(Deserialize)]
struct StoredOpponent {
    name: PathBuf,
}

impl StoredThreshold {
    /// The threshold with the opponent's name in place of its path.
    fn threshold(self) -> CourseThreshold {
        let StoredThreshold { opponent, seconds, opponent_seconds, games, needed, points } = self;
        CourseThreshold { opponent: opponent.name, seconds, opponent_seconds, games, needed, points }
    }
}

/// Lists the values inside a value, each with its path.
fn flatten(path: &str, value: &Value, values: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(name, value)| flatten(&format!("{path}.{name}"), value, values));
        }
        _ => drop(values.insert(path.to_owned(), value.clone())),
    }
}

/// A term that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    name: String,
    old: String,
    new: String,
}

impl Change {
    pub(super) fn new(name: &str, old: &impl ToString, new: &impl ToString) -> Change {
        Change { name: name.to_owned(), old: old.to_string(), new: new.to_string() }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |value: &str| match value.chars().count() {
            count if count <= LONGEST_VALUE => escaped(value),
            _ => escaped(&value.chars().take(LONGEST_VALUE).chain("...".chars()).collect::<String>()),
        };
        write!(f, "{}: {}, now {}", escaped(&self.name), short(&self.old), short(&self.new))
    }
}

/// Changes on one line.
pub(super) fn listed(changes: &[Change]) -> String {
    let mut texts: Vec<String> = changes.iter().take(MOST_CHANGES).map(ToString::to_string).collect();
    if let more @ 1.. = changes.len().saturating_sub(MOST_CHANGES) {
        texts.push(format!("and {more} more"));
    }
    texts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(value: Value) -> StoredTerms {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn changes_name_the_old_and_the_new_value() {
        let old = terms(json!({ "a": 1, "b": { "c": null, "d": [1, 2] }, "gone": "x" }));
        let new = terms(json!({ "a": 1, "b": { "c": 2.5, "d": [1, 3] }, "long": "y".repeat(50) }));
        assert_eq!(old.changes(&old), []);
        let long = format!("long: null, now \"{}...", "y".repeat(39));
        let expected = format!("b.c: null, now 2.5; b.d: [1,2], now [1,3]; gone: \"x\", now null; {long}");
        assert_eq!(listed(&old.changes(&new)), expected);
        assert_ne!(old.hash().unwrap(), new.hash().unwrap());
        let many: Vec<Change> = (0..9).map(|number| Change::new("n", &0, &number)).collect();
        assert!(listed(&many).ends_with("n: 0, now 5; and 3 more"));
    }
}
