//! What is on the first page? Standings, the bracket of an elimination, ratings, the cross table, how games ended, and how
//! they were measured.

use std::fmt::{self, Display, Formatter};

use super::bracket;
use super::cross;
use super::endings::{self, EndingKind};
use super::page::{Root, html};
use super::plot::{self, RatingLine};
use super::text::{Count, Elo, Points, Text, cut};
use super::{Results, Tournament};
use crate::master::league::{DrawRule, Pairing};
use crate::master::record::FaultKind;
use crate::master::standings::Standing;

/// The first page.
pub(super) struct IndexPage<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) results: &'a Results,
}

impl Display for IndexPage<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.head(f)?;
        self.standings(f)?;
        if let Some(rounds) = &self.tournament.bracket {
            write!(f, "{}", bracket::section(rounds, self.results))?;
        }
        self.ratings(f)?;
        writeln!(
            f,
            "<section id=\"cross\">\n<h2>Cross table</h2>\n<p>Points of the agent in the row against the one in the column; \
             each cell links to their games.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
             aria-label=\"Cross table\">\n{}</div>\n</section>",
            cross::table(self.results)
        )?;
        self.endings(f)?;
        self.measured(f)
    }
}

/// A sentence about where games begin.
fn beginning(opening: u32) -> String {
    match opening {
        0 => "Games begin at the start position.".to_owned(),
        1 => "Games begin after 1 random turn.".to_owned(),
        turns => format!("Games begin after {turns} random turns."),
    }
}

impl IndexPage<'_> {
    fn head(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Tournament { league, rules, agents, games, .. } = self.tournament;
        let how = match rules.pairing {
            Pairing::RoundRobin => "Round robin",
            Pairing::Elimination => "Elimination rounds",
        };
        writeln!(
            f,
            "<h1>{}</h1>\n<p class=\"lead\">{how} of {}, league <q>{}</q>, among {} agents. {}</p>",
            Text(&self.tournament.name),
            league.game,
            Text(&league.name),
            agents.len(),
            beginning(league.opening)
        )?;
        if let Some(rounds) = &self.tournament.bracket {
            write!(f, "{}", bracket::winners(rounds, self.results))?;
        }
        f.write_str("<ul class=\"cards\">\n")?;
        let turns: u64 = games.iter().map(|game| u64::from(game.turns)).sum();
        let faults: u64 = games.iter().flat_map(|game| game.faults).map(u64::from).sum();
        let without = games.iter().filter(|game| game.winner.is_none()).count() as u64;
        let mut cards = vec![
            (Count(games.len() as u64).to_string(), "games"),
            (Count(turns).to_string(), "turns of agents"),
            (Count(turns.checked_div(games.len() as u64).unwrap_or(0)).to_string(), "turns a game"),
            (Count(without).to_string(), "games without a winner"),
            (Count(faults).to_string(), "faults"),
        ];
        if self.tournament.missing > 0 {
            cards.push((Count(self.tournament.missing).to_string(), "games still to be played"));
        }
        if self.tournament.failed > 0 {
            let what = match rules.pairing {
                Pairing::RoundRobin => "games failed, to be played again",
                Pairing::Elimination => "games failed: the next round waits for them",
            };
            cards.push((Count(self.tournament.failed).to_string(), what));
        }
        for (number, what) in cards {
            writeln!(f, "<li><b>{number}</b> {what}</li>")?;
        }
        f.write_str("</ul>\n")
    }

    fn standings(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let draws = match self.tournament.league.draws {
            DrawRule::Halves => "A drawn game is half a point for each side.",
            DrawRule::MoreTimeLeft => "The point of a drawn game goes to the side with more time left.",
            DrawRule::Nothing => "A game without a winner counts for neither side.",
        };
        let clock = &self.tournament.league.clock;
        let (steps, clock) = (clock.steps_in_words(), clock.counts.title());
        writeln!(
            f,
            "<section id=\"standings\">\n<h2>Standings</h2>\n<p>{draws} Won, drawn and lost count who won by the rules or \
             by a fault, whoever got the points. {steps} counts.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
             aria-label=\"Standings\">\n<table class=\"sortable\">\n<caption>Standings</caption>\n<thead><tr>\
             <th scope=\"col\" class=\"n\">Rank</th><th scope=\"col\">Agent</th><th scope=\"col\" class=\"n\">Points</th>\
             <th scope=\"col\" class=\"n\">Games</th><th scope=\"col\" class=\"n\">Won</th><th scope=\"col\" class=\"n\">Drawn</th>\
             <th scope=\"col\" class=\"n\">Lost</th><td></td><th scope=\"col\" class=\"n\">Unfinished</th>\
             <th scope=\"col\" class=\"n\">Faults</th><th scope=\"col\" class=\"n\">Illegal moves</th>\
             <th scope=\"col\" class=\"n\">Timeouts</th><th scope=\"col\" class=\"n\">{clock} s a turn</th>\
             <th scope=\"col\" class=\"n\">Rating</th></tr></thead>\n<tbody>"
        )?;
        self.results.standings.iter().try_for_each(|row| self.standing(f, row))?;
        f.write_str("</tbody>\n</table>\n</div>\n</section>\n")
    }

    fn standing(&self, f: &mut Formatter<'_>, row: &Standing) -> fmt::Result {
        let Results { names, ratings, statistics, .. } = self.results;
        let (rating, statistics) = (ratings[row.agent], &statistics.agents[row.agent]);
        let games = row.played - row.unfinished;
        let percent = |part: u32| f64::from(part) * 100.0 / f64::from(games.max(1));
        let out = html(|f| match row.out {
            Some(round) => write!(f, " <span class=\"quiet\">out after round {round}</span>"),
            None => Ok(()),
        });
        write!(
            f,
            "<tr><td class=\"n\">{}</td><th scope=\"row\">{}{out}</th><td class=\"n strong\">{}</td>\
             <td class=\"n quiet\">{games}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td><span class=\"share\" aria-hidden=\"true\" style=\"--won-to:{:.1}%;--drawn-to:{:.1}%\"></span></td>",
            row.rank,
            names[row.agent].links(Root::Here),
            Points(row.half_points.into()),
            row.wins,
            row.draws,
            row.losses,
            percent(row.wins),
            percent(row.wins + row.draws)
        )?;
        let illegal = statistics.faults_of(FaultKind::Illegal);
        for number in [row.unfinished.into(), row.faults.into(), illegal, row.timeouts.into()] {
            write!(f, "<td class=\"n{}\">{number}</td>", if number == 0 { " quiet" } else { "" })?;
        }
        let elo = Elo(rating.elo);
        let bar = html(|f| match (rating.low, rating.high) {
            (Some(low), Some(high)) => write!(f, " <span class=\"quiet\">{} to {}</span>", Elo(low), Elo(high)),
            (Some(low), None) => write!(f, " <span class=\"quiet\">{} or more</span>", Elo(low)),
            (None, Some(high)) => write!(f, " <span class=\"quiet\">{} or less</span>", Elo(high)),
            (None, None) => Ok(()),
        });
        let rating = rating.elo;
        writeln!(
            f,
            "<td class=\"n\">{}</td><td class=\"n\" data-value=\"{rating:.3}\">{elo}{bar}</td></tr>",
            self.tournament.league.clock.seconds(statistics.mean())
        )
    }

    fn ratings(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Results { names, ratings, standings, .. } = self.results;
        let line = |row: &Standing| RatingLine {
            name: &names[row.agent],
            rating: ratings[row.agent],
            half_points: row.half_points.into(),
            games: (row.played - row.unfinished).into(),
        };
        let lines: Vec<RatingLine<'_>> = standings.iter().map(line).collect();
        writeln!(
            f,
            "<section id=\"ratings\">\n<h2>Ratings beside points</h2>\n<p>A rating says how strong an agent is by whom it \
             beat: 400 more means ten wins for each loss, and the mean is 0. The bars are 95 % confidence intervals, \
             from a bootstrap over pairings of games. If two bars overlap much, the order may be luck. A bar with an \
             arrow has no end: the agent never lost, or never won, a point.</p>\n\
             <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Plot of ratings\">{}</div>\n</section>",
            plot::plot(&lines)
        )
    }

    fn endings(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let endings = endings::count(&self.tournament.games);
        let all = self.tournament.games.len().max(1) as f64;
        f.write_str("<section id=\"endings\">\n<h2>How games ended</h2>\n<div class=\"groups\">\n")?;
        for group in EndingKind::ALL {
            let endings: Vec<_> = endings.iter().filter(|ending| ending.group == group).collect();
            if endings.is_empty() {
                continue;
            }
            let sum: u64 = endings.iter().map(|ending| ending.games).sum();
            writeln!(
                f,
                "<table class=\"bars {}\">\n<caption>{}: {} of {}</caption>\n<tbody>",
                group.class(),
                group.title(),
                Count(sum),
                Count(self.tournament.games.len() as u64)
            )?;
            for ending in endings {
                let part = ending.games as f64 * 100.0 / all;
                let on_time = html(|f| match ending.on_time {
                    0 => Ok(()),
                    games => write!(f, " <span class=\"quiet\">{} awarded on time</span>", Count(games)),
                });
                writeln!(
                    f,
                    "<tr><th scope=\"row\">{}{on_time}</th><td class=\"n\">{}</td><td class=\"n quiet\">{part:.1} %</td>\
                     <td class=\"wide\"><span class=\"bar\" aria-hidden=\"true\" style=\"width:{part:.2}%\"></span></td></tr>",
                    Text(&ending.words),
                    Count(ending.games)
                )?;
            }
            f.write_str("</tbody>\n</table>\n")?;
        }
        f.write_str("</div>\n</section>\n")
    }

    fn measured(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let rules = &self.tournament.rules;
        f.write_str("<section id=\"measured\">\n<h2>How it was measured</h2>\n<dl class=\"facts\">\n")?;
        for (tier, games) in &self.results.statistics.tiers {
            writeln!(f, "<div><dt>{} games measured by</dt><dd>{}</dd></div>", Count(*games), Text(cut(tier, 240)))?;
        }
        writeln!(
            f,
            "<div><dt>Seed of the tournament</dt><dd>{}</dd></div>\n\
             <div><dt>Games of two agents that meet</dt><dd>{}</dd></div>\n\
             <div><dt>Random turns before a game</dt><dd>{}</dd></div>\n</dl>\n\
             <p>Each game has a seed of its own, shown on its page, from which its opening and the referee's own moves were \
             drawn. Both games of a pairing have the same opening.</p>\n</section>",
            rules.seed, rules.games, self.tournament.league.opening
        )
    }
}
