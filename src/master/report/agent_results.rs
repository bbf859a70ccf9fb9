//! An agent's results by opponent, by color and by ending.

use maud::{Markup, html};

use super::endings;
use super::names::{Root, pair_link};
use super::names::{points, side_class};
use super::page::scrolling;
use super::results::Results;
use crate::tournament::store::Summary;
use kingline::game::Color;
use kingline_players::chart::shares;

pub(super) struct AgentResults<'a> {
    pub(super) results: &'a Results<'a>,
    pub(super) agent: usize,
    /// Its games in the order of their numbers.
    pub(super) games: &'a [&'a Summary],
}

/// Results of some of its games.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Games that count.
    games: u32,
    half_points: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    unfinished: u32,
}

impl Count {
    fn add(&mut self, game: &Summary, side: Color) {
        let Some(half_points) = game.half_points else { return self.unfinished += 1 };
        self.games += 1;
        self.half_points += half_points[side.index()];
        match game.winner {
            Some(winner) if winner == side => self.won += 1,
            Some(_) => self.lost += 1,
            None => self.drawn += 1,
        }
    }

    /// Cells of a table's row: games, which may lead to those games, points, a bar, won, drawn, lost, unfinished.
    fn cells(&self, link: Option<&str>) -> Markup {
        let percent = |part: u32| f64::from(part) * 100.0 / f64::from(self.games.max(1));
        html! {
            td { @if let Some(link) = link { a href=(link) { (self.games) } } @else { (self.games) } }
            td .strong { (points(self.half_points)) }
            td { @if self.games > 0 { (shares("share", &[percent(self.won), percent(self.won + self.drawn)])) } }
            @for number in [self.won, self.drawn, self.lost, self.unfinished] { td { (number) } }
        }
    }
}

fn headings() -> Markup {
    html! {
        @for title in ["Games", "Points"] { th .n scope="col" { (title) } }
        td {}
        @for title in ["Won", "Drawn", "Lost", "Unfinished"] { th .n scope="col" { (title) } }
    }
}

impl AgentResults<'_> {
    pub(super) fn sections(&self) -> Markup {
        html! {
            section #results {
                h2 { "Results" }
                (scrolling("Results by color", &self.by_color()))
                (scrolling("Results by ending", &self.by_ending()))
            }
            section #opponents {
                h2 { "Opponents" }
                p { "The number of games leads to those games." }
                (scrolling("Results by opponent", &self.by_opponent()))
            }
        }
    }

    fn side(&self, game: &Summary) -> Color {
        if game.agents[0] == self.agent { Color::Black } else { Color::White }
    }

    fn by_color(&self) -> Markup {
        let mut counts = [Count::default(); 2];
        for game in self.games {
            let side = self.side(game);
            counts[side.index()].add(game, side);
        }
        html! {
            table .counts {
                caption { "Results by color" }
                thead { tr { th scope="col" { "Color" } (headings()) } }
                tbody {
                    @for side in Color::ALL {
                        tr {
                            th scope="row" { span .side.(side_class(side)) { (side.to_string()) } }
                            (counts[side.index()].cells(None))
                        }
                    }
                }
            }
        }
    }

    fn by_ending(&self) -> Markup {
        let mut counts: Vec<(&str, Count)> = Vec::new();
        for game in self.games {
            let place = counts.iter().position(|(reason, _)| *reason == game.reason);
            let place = place.unwrap_or_else(|| {
                counts.push((&game.reason, Count::default()));
                counts.len() - 1
            });
            counts[place].1.add(game, self.side(game));
        }
        let mut rows: Vec<_> = counts.into_iter().map(|(reason, count)| (endings::in_words(reason), count)).collect();
        rows.sort_by(|(one, _), (other, _)| one.cmp(other));
        html! {
            table .counts {
                caption { "Results by ending" }
                thead { tr { th scope="col" { "End" } (headings()) } }
                tbody { @for ((_, words), count) in rows { tr { th scope="row" { (words) } (count.cells(None)) } } }
            }
        }
    }

    fn by_opponent(&self) -> Markup {
        let mut counts = vec![Count::default(); self.results.names.len()];
        for game in self.games {
            let side = self.side(game);
            counts[game.agents[(!side).index()]].add(game, side);
        }
        let met = |count: &Count| count.games + count.unfinished > 0;
        html! {
            table .sortable.paged.counts {
                caption { "Results by opponent, in the order of the standings" }
                thead { tr { th scope="col" { "Opponent" } th .n scope="col" { "Rank" } (headings()) } }
                tbody {
                    @for row in &self.results.standings {
                        @let count = &counts[row.agent];
                        @if met(count) {
                            tr {
                                th scope="row" { (self.results.names[row.agent].link(Root::Above)) }
                                td { (row.rank) }
                                (count.cells(Some(&format!("{}{}", Root::Above.path(), pair_link([self.agent, row.agent])))))
                            }
                        }
                    }
                }
            }
        }
    }
}
