//! The home page: standings, bracket, ratings, cross table, endings, and how games were measured.

use maud::{Markup, html};

use super::bracket;
use super::content::Tournament;
use super::cross;
use super::endings::{self, EndingCount, EndingKind};
use super::names::Root;
use super::page::{cards, facts, scrolling};
use super::plot::{self, RatingLine};
use super::results::Results;
use super::review::accuracy_cell;
use super::rounds;
use super::text::{count, cut, elo, interval, points};
use crate::league::{DrawRule, Pairing};
use crate::record::FaultKind;
use crate::tournament::standings::Standing;
use kingline::terminal::escaped;

/// The home page.
pub(super) struct IndexPage<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) results: &'a Results,
}

/// A sentence about how games begin.
fn beginning(opening: u32) -> String {
    match opening {
        0 => "Games begin at the start position.".to_owned(),
        1 => "Games begin after 1 random turn.".to_owned(),
        turns => format!("Games begin after {turns} random turns."),
    }
}

impl IndexPage<'_> {
    /// The page's content.
    pub(super) fn main(&self) -> Markup {
        let rounds = self.tournament.bracket.as_ref();
        html! {
            (self.head())
            (self.standings())
            @if let Some(rounds) = rounds { (bracket::section(rounds, self.tournament.league.draws, self.results)) }
            (self.ratings())
            (rounds::section(self.tournament, self.results))
            section #cross {
                h2 { "Cross table" }
                p { "Points of the agent in the row against the one in the column; each cell links to their games." }
                (scrolling("Cross table", &cross::table(self.results)))
            }
            (self.endings())
            (self.measured())
        }
    }

    fn head(&self) -> Markup {
        let Tournament { name, league, rules, agents, bracket, .. } = self.tournament;
        let how = match rules.pairing {
            Pairing::RoundRobin => "Round robin",
            Pairing::Elimination => "Elimination rounds",
        };
        html! {
            h1 { (name) }
            p .lead {
                (how) " of " (league.game.to_string()) ", league " q { (league.name) }
                ", among " (agents.len()) " agents. " (beginning(league.opening))
            }
            @if let Some(rounds) = bracket { (bracket::winners(rounds, self.results)) }
            (self.cards())
        }
    }

    fn cards(&self) -> Markup {
        let Tournament { rules, games, missing, failed, .. } = self.tournament;
        let turns: u64 = games.iter().map(|game| u64::from(game.turns)).sum();
        let faults: u64 = games.iter().flat_map(|game| game.faults).map(u64::from).sum();
        let without_winner = games.iter().filter(|game| game.winner.is_none()).count() as u64;
        let all = games.len() as u64;
        let mut numbers = vec![
            (all, "games"),
            (turns, "agent turns"),
            (turns.checked_div(all).unwrap_or(0), "turns per game"),
            (without_winner, "games without a winner"),
            (faults, "faults"),
        ];
        if *missing > 0 {
            numbers.push((*missing, "games still to be played"));
        }
        if *failed > 0 {
            let text = match rules.pairing {
                Pairing::RoundRobin => "games failed, to be played again",
                Pairing::Elimination => "games failed; the next round waits for them",
            };
            numbers.push((*failed, text));
        }
        let numbers: Vec<(String, String)> =
            numbers.into_iter().map(|(number, text)| (count(number), text.to_owned())).collect();
        cards(&numbers)
    }

    fn standings(&self) -> Markup {
        let draws = match self.tournament.league.draws {
            DrawRule::Halves => "A drawn game is half a point for each side.",
            DrawRule::MoreTimeLeft => "The point of a drawn game goes to the side with more time left.",
            DrawRule::Nothing => "A game without a winner counts for neither side.",
        };
        let clock = &self.tournament.league.clock;
        let table = html! {
            table .sortable {
                caption { "Standings" }
                thead {
                    tr {
                        th .n scope="col" { "Rank" }
                        th scope="col" { "Agent" }
                        @for title in ["Points", "Games", "Won", "Drawn", "Lost"] { th .n scope="col" { (title) } }
                        td {}
                        @for title in ["Unfinished", "Faults", "Illegal moves", "Timeouts"] {
                            th .n scope="col" { (title) }
                        }
                        th .n scope="col" { (clock.counts.title()) " s per turn" }
                        th .n scope="col" { "Rating" }
                        @if self.results.reviews.is_some() { th .n scope="col" { "Accuracy" } }
                        @if let Some(round) = self.results.rounds.last() {
                            th .n scope="col" { "Since " (cut(&escaped(&round.name), 80)) }
                        }
                    }
                }
                tbody { @for row in &self.results.standings { (self.standing(row)) } }
            }
        };
        html! {
            section #standings {
                h2 { "Standings" }
                p {
                    (draws) " Won, drawn and lost are outcomes by the rules or by a fault, whoever gets the points. "
                    "Clock: " (clock.steps_in_words()) "."
                }
                (scrolling("Standings", &table))
            }
        }
    }

    fn standing(&self, row: &Standing) -> Markup {
        let Results { names, ratings, rounds, statistics, .. } = self.results;
        let (rating, statistics) = (ratings[row.agent], &statistics.agents[row.agent]);
        let games = row.played - row.unfinished;
        let percent = |part: u32| f64::from(part) * 100.0 / f64::from(games.max(1));
        let (won_to, drawn_to) = (percent(row.wins), percent(row.wins + row.draws));
        let illegal = statistics.faults_of(FaultKind::Illegal);
        let mean = self.tournament.league.clock.seconds(statistics.mean()).to_string();
        html! {
            tr {
                td .n { (row.rank) }
                th scope="row" {
                    (names[row.agent].links(Root::Here))
                    @if let Some(round) = row.out { " " span .quiet { "out after round " (round) } }
                }
                td .n.strong { (points(row.half_points)) }
                td .n.quiet { (games) }
                @for number in [row.wins, row.draws, row.losses] { td .n { (number) } }
                td {
                    span .share aria-hidden="true"
                        style=(format_args!("--won-to:{won_to:.1}%;--drawn-to:{drawn_to:.1}%")) {}
                }
                @for number in [row.unfinished.into(), row.faults.into(), illegal, row.timeouts.into()] {
                    td .n .quiet[number == 0] { (number) }
                }
                td .n { (mean) }
                td .n data-value=(format_args!("{:.3}", rating.elo)) {
                    (elo(rating.elo))
                    @if let Some(interval) = interval(&rating) { " " span .quiet { (interval) } }
                }
                @if let Some(reviews) = &self.results.reviews { (accuracy_cell(reviews.accuracy(row.agent))) }
                @if rounds.last().is_some() {
                    (rounds::cell(rounds.risen(&self.tournament.agents[row.agent].name, &rating)))
                }
            }
        }
    }

    fn ratings(&self) -> Markup {
        let Results { names, ratings, standings, .. } = self.results;
        let line = |row: &Standing| RatingLine {
            name: &names[row.agent],
            rating: ratings[row.agent],
            half_points: row.half_points.into(),
            games: (row.played - row.unfinished).into(),
        };
        let lines: Vec<RatingLine<'_>> = standings.iter().map(line).collect();
        html! {
            section #ratings {
                h2 { "Ratings and points" }
                p {
                    "Ratings estimate strength from results against each opponent. A difference of 400 means ten wins \
                     for each loss; the mean is 0. Bars are 95 % confidence intervals, from a bootstrap over pairings \
                     of games. If two bars overlap a lot, the order may be chance. An arrow marks an open end: the \
                     agent never lost, or never won, a point."
                }
                (scrolling("Plot of ratings", &plot::plot(&lines)))
            }
        }
    }

    fn endings(&self) -> Markup {
        let counts = endings::count(&self.tournament.games);
        let of_kind = |kind| counts.iter().filter(|ending| ending.kind == kind).collect::<Vec<_>>();
        let kinds = EndingKind::ALL.map(|kind| (kind, of_kind(kind))).into_iter();
        html! {
            section #endings {
                h2 { "How games ended" }
                div .groups {
                    @for (kind, endings) in kinds.filter(|(_, endings)| !endings.is_empty()) {
                        (self.endings_of(kind, &endings))
                    }
                }
            }
        }
    }

    /// A table of the endings of one kind.
    fn endings_of(&self, kind: EndingKind, endings: &[&EndingCount]) -> Markup {
        let all = self.tournament.games.len() as u64;
        let sum: u64 = endings.iter().map(|ending| ending.games).sum();
        html! {
            table .bars.(kind.class()) {
                caption { (kind.title()) ": " (count(sum)) " of " (count(all)) }
                tbody {
                    @for ending in endings {
                        @let percent = ending.games as f64 * 100.0 / all.max(1) as f64;
                        tr {
                            th scope="row" {
                                (ending.words)
                                @if ending.on_time > 0 {
                                    " " span .quiet { (count(ending.on_time)) " awarded on time" }
                                }
                            }
                            td .n { (count(ending.games)) }
                            td .n.quiet { (format_args!("{percent:.1} %")) }
                            td .wide {
                                span .bar aria-hidden="true" style=(format_args!("width:{percent:.2}%")) {}
                            }
                        }
                    }
                }
            }
        }
    }

    fn measured(&self) -> Markup {
        let Tournament { rules, league, games, earlier, .. } = self.tournament;
        let tiers = self.results.statistics.tiers.iter();
        let mut values: Vec<(String, String)> =
            tiers.map(|(tier, &games)| (format!("{} games measured by", count(games)), cut(tier, 240))).collect();
        if let Some(round) = earlier.last() {
            let taken = games.iter().filter(|game| game.id <= round.last).count() as u64;
            values.push(("Games taken over from earlier rounds".to_owned(), count(taken)));
        }
        values.extend([
            ("Tournament seed".to_owned(), rules.seed.to_string()),
            ("Games per pair of agents".to_owned(), rules.games.to_string()),
            ("Random opening turns".to_owned(), league.opening.to_string()),
        ]);
        html! {
            section #measured {
                h2 { "How it was measured" }
                (facts(&values))
                p {
                    "Each game has its own seed, shown on its page, which determines its opening and the referee's \
                     random moves. Both games of a pairing have the same opening."
                }
            }
        }
    }
}
