//! How many points did each agent make against each other one?

use std::collections::HashMap;
use std::fmt::Display;

use super::Results;
use super::page::html;
use super::text::{Points, Text};
use crate::master::store::Summary;

/// The games of an agent against another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Duel {
    /// Games that count.
    pub(super) games: u64,
    /// Two per win.
    pub(super) half_points: u64,
}

/// The duels of each agent against each other one that it met.
pub(super) fn duels(games: &[Summary]) -> HashMap<[usize; 2], Duel> {
    let mut duels: HashMap<[usize; 2], Duel> = HashMap::new();
    for game in games {
        let [black, white] = game.agents;
        for (side, agents) in [[black, white], [white, black]].into_iter().enumerate() {
            let duel = duels.entry(agents).or_default();
            if let Some(half_points) = game.half_points {
                duel.games += 1;
                duel.half_points += u64::from(half_points[side]);
            }
        }
    }
    duels
}

/// The table of points of each agent, a row, against each other one, a column.
pub(super) fn table(results: &Results) -> impl Display {
    html(|f| {
        let order: Vec<usize> = results.standings.iter().map(|row| row.agent).collect();
        f.write_str(
            "<table class=\"cross\">\n<caption>Points of each agent against each other one</caption>\n\
             <thead><tr><th scope=\"col\">Agent</th>",
        )?;
        for (place, &agent) in order.iter().enumerate() {
            let (file, shown) = (&results.names[agent].file, Text(&results.names[agent].shown));
            write!(
                f,
                "<th scope=\"col\"><a href=\"{file}\" title=\"{shown}\"><span class=\"hidden\">{shown}</span> {}</a></th>",
                place + 1
            )?;
        }
        f.write_str("</tr></thead>\n<tbody>\n")?;
        for (place, &row) in order.iter().enumerate() {
            let (file, shown) = (&results.names[row].file, Text(&results.names[row].shown));
            write!(
                f,
                "<tr><th scope=\"row\"><span class=\"quiet\">{}</span> <a href=\"{file}\">{shown}</a></th>",
                place + 1
            )?;
            for &column in &order {
                let Some(&Duel { games, half_points }) = results.duels.get(&[row, column]) else {
                    f.write_str("<td></td>")?;
                    continue;
                };
                let anchor = column + 1;
                match (half_points * 5).checked_div(games) {
                    None => write!(f, "<td><a href=\"{file}#a{anchor}\">–</a></td>")?,
                    Some(tenths) => {
                        let points = Points(half_points);
                        write!(f, "<td class=\"s{tenths}\"><a href=\"{file}#a{anchor}\">{points}</a></td>")?;
                    }
                }
            }
            f.write_str("</tr>\n")?;
        }
        f.write_str("</tbody>\n</table>\n")
    })
}
