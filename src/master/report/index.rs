//! The home page: standings, the best agents' ratings and cross table, endings, and how games were measured.

use maud::{Markup, html};

use super::endings::{self, EndingCount, EndingKind};
use super::games_files::archive_name;
use super::meetings::{self, SHOWN_AGENTS};
use super::names::{Root, count, cut, elo, interval, points};
use super::page::{bar_row, cards, facts, scrolling};
use super::results::Results;
use super::review::accuracy_cell;
use super::{Tournament, ratings, rounds};
use crate::league::{DrawRule, Pairing};
use crate::record::FaultKind;
use crate::tournament::standings::Standing;
use kingline_players::chart::shares;
use kingline_players::terminal::escaped;

pub(super) struct IndexPage<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) results: &'a Results<'a>,
    /// Name of the file with a copy of the store, if there is one.
    pub(super) store: Option<&'a str>,
}

fn beginning(opening: u32) -> String {
    match opening {
        0 => "Games begin at the start position.".to_owned(),
        1 => "Games begin after 1 random turn.".to_owned(),
        turns => format!("Games begin after {turns} random turns."),
    }
}

impl IndexPage<'_> {
    pub(super) fn main(&self) -> Markup {
        html! {
            (self.head())
            (standings_section(self.tournament, self.results))
            section #ratings {
                h2 { "Ratings and points" @if self.is_cut() { " of the first " (SHOWN_AGENTS) } }
                (ratings::explanation(self.results))
                (rounds::improved(self.tournament, self.results))
                (ratings::chart(self.results, SHOWN_AGENTS))
                @if self.is_cut() { p { a href="ratings.html" { "Ratings of all agents" } } }
            }
            section #cross {
                h2 { "Cross table" @if self.is_cut() { " of the first " (SHOWN_AGENTS) } }
                p { "Points of the agent in the row against the one in the column; each cell links to their games." }
                (scrolling("Cross table", &meetings::cross_table(self.results)))
                @if self.is_cut() { p { a href="cross.html" { "Cross table of all agents" } } }
            }
            (self.endings())
            (self.measured())
            (self.data())
        }
    }

    /// Returns true if some sections show only the first agents.
    fn is_cut(&self) -> bool {
        self.results.standings.len() > SHOWN_AGENTS
    }

    fn head(&self) -> Markup {
        let Tournament { name, league, rules, agents, bracket, missing, .. } = self.tournament;
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
            @if *missing > 0 {
                p .verdict { strong { "Unofficial" } " The tournament is not over; ranks and ratings may still change." }
            }
            @if let Some(rounds) = bracket {
                (meetings::winners(rounds, self.results))
                p { a href="bracket.html" { "The bracket" } }
            }
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

    fn endings_of(&self, kind: EndingKind, endings: &[&EndingCount]) -> Markup {
        let all = self.tournament.games.len() as u64;
        let sum: u64 = endings.iter().map(|ending| ending.games).sum();
        html! {
            table .bars.(kind.class()) {
                caption { (kind.title()) ": " (count(sum)) " of " (count(all)) }
                tbody {
                    @for ending in endings {
                        @let what = html! {
                            (ending.words)
                            @if ending.on_time > 0 { " " span .quiet { (count(ending.on_time)) " awarded on time" } }
                        };
                        (bar_row(&what, ending.games, all))
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

    fn data(&self) -> Markup {
        let Tournament { name, league, .. } = self.tournament;
        let archive = archive_name(league.game);
        let mut files = vec![
            ("standings.csv", "the standings as a table"),
            ("standings.json", "the same for programs, with ratings of all rounds and endings"),
            ("games.csv", "all games, one a line"),
            ("games.json", "the same for programs"),
            (archive.as_str(), "all games with moves, clocks and faults, compressed"),
        ];
        files.extend(self.store.map(|store| (store, "the store itself; `master verify` replays each of its games")));
        html! {
            section #data {
                h2 { "Results as data" }
                ul { @for (file, about) in files { li { a href=(file) download="" { (file) } ", " (about) } } }
                p {
                    "Each game's page offers that game alone."
                    @if self.store.is_none() {
                        " The store of the tournament, " code { (escaped(name)) ".db" } ", contains all of this and what the \
                         agents wrote; its organizers have it, and " code { "master report" } " makes this site from it."
                    }
                }
            }
        }
    }
}

/// The section with the table, which scripts sort, search and page.
fn standings_section(tournament: &Tournament, results: &Results<'_>) -> Markup {
    let draws = match tournament.league.draws {
        DrawRule::Halves => "A drawn game is half a point for each side.",
        DrawRule::MoreTimeLeft => "The point of a drawn game goes to the side with more time left.",
        DrawRule::Nothing => "A game without a winner counts for neither side.",
    };
    let clock = &tournament.league.clock;
    let table = html! {
        table .sortable.paged.standings {
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
                    @if results.reviews.is_some() { th .n scope="col" { "Accuracy" } }
                    @if let Some(round) = results.rounds.last() {
                        th .n scope="col" { "Since " (cut(&escaped(&round.name), 80)) }
                    }
                }
            }
            tbody { @for row in &results.standings { (row_of(row, tournament, results)) } }
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

fn row_of(row: &Standing, tournament: &Tournament, results: &Results<'_>) -> Markup {
    let Results { names, ratings, rounds, statistics, .. } = results;
    let (rating, statistics) = (ratings[row.agent], &statistics.agents[row.agent]);
    let games = row.played - row.unfinished;
    let illegal = statistics.faults_of(FaultKind::Illegal);
    let mean = tournament.league.clock.seconds(statistics.mean());
    html! {
        tr {
            td { (row.rank) }
            th scope="row" {
                (names[row.agent].links(Root::Here))
                @if let Some(round) = row.out { " " span .quiet { "out after round " (round) } }
            }
            td .strong { (points(row.half_points)) }
            td .quiet { (games) }
            @for number in [row.wins, row.draws, row.losses] { td { (number) } }
            td { (share(row)) }
            @for number in [row.unfinished.into(), row.faults.into(), illegal, row.timeouts.into()] {
                td .quiet[number == 0] { (number) }
            }
            td { (mean) }
            td {
                @if rating.games > 0 {
                    (elo(rating.elo))
                    @if let Some(interval) = interval(&rating) { " " span .quiet { (interval) } }
                } @else {
                    "–"
                }
            }
            @if let Some(reviews) = results.reviews { (accuracy_cell(reviews.accuracy(row.agent))) }
            @if rounds.last().is_some() {
                (rounds::cell(rounds.risen(&tournament.agents[row.agent].name, &rating)))
            }
        }
    }
}

/// Won, drawn and lost games as parts of a bar; nothing if none counts.
pub(super) fn share(row: &Standing) -> Markup {
    let games = row.played - row.unfinished;
    let percent = |part: u32| f64::from(part) * 100.0 / f64::from(games.max(1));
    let (won_to, drawn_to) = (percent(row.wins), percent(row.wins + row.draws));
    html! {
        @if games > 0 { (shares("share", &[won_to, drawn_to])) }
    }
}
