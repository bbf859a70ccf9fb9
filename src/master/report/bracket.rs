//! How are the rounds of an elimination shown? A small table for each, which stand side by side where there is room.

use std::fmt::{self, Display, Formatter};

use super::Results;
use super::page::{Root, html};
use super::text::{Points, Text};
use crate::master::bracket::{Bracket, Meeting, MeetingResult, Round};

/// The section of the first page.
pub(super) fn section(bracket: &Bracket, results: &Results) -> impl Display {
    html(|f| {
        f.write_str(
            "<section id=\"bracket\">\n<h2>Bracket</h2>\n<p>In each round agents meet that have not met before. \
             An agent that loses more than half of the games of a meeting is out. An agent without an opponent rests. The \
             rounds end when all agents that are still in have met.</p>\n",
        )?;
        if bracket.winners.is_none() {
            f.write_str("<p>The last round is not over.</p>\n")?;
        }
        f.write_str("<div class=\"groups bracket\">\n")?;
        bracket.rounds.iter().try_for_each(|round| show_round(f, round, results))?;
        f.write_str("</div>\n</section>\n")
    })
}

/// Who won, for the top of the page; nothing until the tournament is over.
pub(super) fn winners(bracket: &Bracket, results: &Results) -> impl Display {
    html(|f| {
        let winners = bracket.winners.as_deref().unwrap_or_default();
        let title = match winners {
            [] => return Ok(()),
            [_] => "Winner",
            _ => "Winners",
        };
        write!(f, "<p class=\"verdict\"><strong>{title}</strong>")?;
        for (place, &agent) in winners.iter().enumerate() {
            write!(f, "{} {}", if place > 0 { "," } else { "" }, results.names[agent].links(Root::Here))?;
        }
        f.write_str("</p>\n")
    })
}

fn show_round(f: &mut Formatter<'_>, round: &Round, results: &Results) -> fmt::Result {
    let number = round.number;
    writeln!(
        f,
        "<section aria-labelledby=\"round{number}\">\n<h3 id=\"round{number}\">Round {number}</h3>\n<table>\n\
         <caption class=\"hidden\">Meetings of round {number}</caption>\n<thead><tr><th scope=\"col\">Agent</th>\
         <th scope=\"col\" class=\"n\">Points</th><th scope=\"col\">Result</th></tr></thead>"
    )?;
    round.meetings.iter().try_for_each(|meeting| show_meeting(f, meeting, results))?;
    for &agent in &round.resting {
        let link = results.names[agent].link(Root::Here);
        writeln!(f, "<tbody><tr><th scope=\"row\">{link}</th><td></td><td class=\"quiet\">rests</td></tr></tbody>")?;
    }
    f.write_str("</table>\n</section>\n")
}

/// A row for each of the two agents, and one for games without a result.
fn show_meeting(f: &mut Formatter<'_>, meeting: &Meeting, results: &Results) -> fmt::Result {
    f.write_str("<tbody>")?;
    for (place, agent) in meeting.agents.into_iter().enumerate() {
        let other = meeting.agents[1 - place];
        let (name, against) = (&results.names[agent], Text(&results.names[other].shown));
        let points = Points(meeting.half_points[place].into());
        // Their games are on the agent's page.
        let points = html(|f| match results.duels.contains_key(&[agent, other]) {
            true => write!(f, "<a href=\"{}#a{}\">{points}</a>", name.file, other + 1),
            false => write!(f, "{points}"),
        });
        let (class, result) = match meeting.result(place) {
            MeetingResult::Out => ("lost", "out"),
            MeetingResult::StaysIn => ("strong", "stays in"),
            MeetingResult::Open => ("quiet", "open"),
        };
        writeln!(
            f,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{points}</td>\
             <td class=\"{class}\">{result}<span class=\"hidden\"> against {against}</span></td></tr>",
            name.link(Root::Here)
        )?;
    }
    let remarks = meeting.remarks();
    if !remarks.is_empty() {
        writeln!(f, "<tr><td colspan=\"3\" class=\"quiet\">{}</td></tr>", remarks.join(", "))?;
    }
    f.write_str("</tbody>\n")
}
