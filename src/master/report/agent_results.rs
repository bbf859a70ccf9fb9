//! An agent's results by opponent, by color and by ending.

use maud::{Markup, html};

use super::endings;
use super::index::share;
use super::names::{Root, pair_link, points, side_class};
use super::page::scrolling;
use super::results::Results;
use crate::tournament::standings::Standing;
use crate::tournament::store::Summary;
use kingline::game::Color;

pub(super) struct AgentResults<'a> {
    pub(super) results: &'a Results<'a>,
    pub(super) agent: usize,
    /// Its games in the order of their numbers.
    pub(super) games: &'a [&'a Summary],
}

/// Cells of a table's row: games, which may lead to those games, points, a bar, won, drawn, lost, unfinished.
fn cells(count: &Standing, link: Option<&str>) -> Markup {
    let games = count.played - count.unfinished;
    html! {
        td { @if let Some(link) = link { a href=(link) { (games) } } @else { (games) } }
        td .strong { (points(count.half_points)) }
        td { (share(count)) }
        @for number in [count.wins, count.draws, count.losses, count.unfinished] { td { (number) } }
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
        let mut counts = [Standing::default(); 2];
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
                            (cells(&counts[side.index()], None))
                        }
                    }
                }
            }
        }
    }

    fn by_ending(&self) -> Markup {
        let mut counts: Vec<(&str, Standing)> = Vec::new();
        for game in self.games {
            let place = counts.iter().position(|(reason, _)| *reason == game.reason);
            let place = place.unwrap_or_else(|| {
                counts.push((&game.reason, Standing::default()));
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
                tbody { @for ((_, words), count) in rows { tr { th scope="row" { (words) } (cells(&count, None)) } } }
            }
        }
    }

    fn by_opponent(&self) -> Markup {
        let mut counts = vec![Standing::default(); self.results.names.len()];
        for game in self.games {
            let side = self.side(game);
            counts[game.agents[(!side).index()]].add(game, side);
        }
        let met = |count: &Standing| count.played > 0;
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
                                (cells(count, Some(&format!("{}{}", Root::Above.path(), pair_link([self.agent, row.agent])))))
                            }
                        }
                    }
                }
            }
        }
    }
}
