//! The page of ratings: the chart of all agents, and the rounds. Each line of the chart is text and a small drawing as wide
//! as the page has room for, so that it fits a phone.

use maud::{Markup, html};

use super::names::{Name, count, elo, interval, points};
use super::results::Results;
use super::{Tournament, rounds};
use crate::tournament::rating::Rating;
use kingline_players::chart::Axis;

pub(super) fn page(tournament: &Tournament, results: &Results<'_>) -> Markup {
    html! {
        h1 { "Ratings" }
        (explanation(results))
        (chart(results, results.standings.len()))
        (rounds::section(tournament, results))
    }
}

/// Method of the ratings, and the number of games that they rest on.
pub(super) fn explanation(results: &Results<'_>) -> Markup {
    let games = results.ratings.iter().map(|rating| u64::from(rating.games)).sum::<u64>() / 2;
    let with_bars = results.intervals_of as u64;
    html! {
        p {
            "Ratings (Bradley-Terry) estimate strength from results against each opponent. A difference of 400 means ten \
             wins for each loss; the mean is 0. They rest on " (count(games)) " games that count, all of this \
             tournament. Bars are 95 % confidence intervals, from a bootstrap over pairings of games"
            @if with_bars < games { "; their widths are those of the first " (count(with_bars)) " games" }
            ". If two bars overlap a lot, the order may be chance. A bar that fades has an open end: the agent never \
             lost, or never won, a point. An agent without games has no rating."
        }
    }
}

/// The chart of the first `most` agents of the standings.
pub(super) fn chart(results: &Results<'_>, most: usize) -> Markup {
    let Results { names, ratings, standings, .. } = results;
    let lines = standings.iter().take(most).map(|row| RatingLine {
        rank: row.rank,
        name: &names[row.agent],
        rating: ratings[row.agent],
        half_points: row.half_points.into(),
        games: (row.played - row.unfinished).into(),
    });
    plot(&lines.collect::<Vec<RatingLine<'_>>>())
}

struct RatingLine<'a> {
    rank: usize,
    name: &'a Name,
    rating: Rating,
    /// Half points scored.
    half_points: u64,
    /// Games that count; each is worth one point.
    games: u64,
}

/// Width of a drawing, before it is stretched.
const WIDTH: f64 = 1000.0;
/// Maximum number of steps of the scale.
const STEPS: f64 = 8.0;

/// Draws a line for each agent, in this order. Agents without games have no bar.
fn plot(lines: &[RatingLine<'_>]) -> Markup {
    let scale = scale(lines);
    html! {
        div .plot {
            div .scale aria-hidden="true" { div .marks { @for (_, mark) in &scale.marks { span { (mark) } " " } } }
            ol { @for line in lines { (line.draw(&scale)) } }
        }
    }
}

impl RatingLine<'_> {
    fn draw(&self, scale: &Axis) -> Markup {
        let RatingLine { rank, name, rating, half_points, games } = self;
        html! {
            li {
                a href=(name.file) { span .quiet { (rank) } " " (name.shown) }
                @if rating.games == 0 {
                    span .quiet { "no games, no rating" }
                } @else {
                    span .rating {
                        (elo(rating.elo))
                        @if let Some(interval) = interval(rating) { " " span .quiet { (interval) } }
                    }
                    (bar(rating, scale))
                    span .points.quiet { (points(*half_points)) " of " (games) " points" }
                }
            }
        }
    }
}

/// Returns the scale of ratings. Its marks are at equal distances from edge to edge.
fn scale(lines: &[RatingLine<'_>]) -> Axis {
    let rated = lines.iter().filter(|line| line.rating.games > 0);
    let ends = rated.flat_map(|line| [Some(line.rating.elo), line.rating.low, line.rating.high]).flatten();
    let (low, high) = ends.fold((-50.0, 50.0), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
    Axis::in_steps([low, high], STEPS, elo)
}

/// An error bar with a dot. An open end reaches the edge and fades.
fn bar(rating: &Rating, scale: &Axis) -> Markup {
    let x = |elo: f64| scale.place(elo, WIDTH);
    let (from, to) = (rating.low.map_or(0.0, x), rating.high.map_or(WIDTH, x));
    let marks: String = scale.marks.iter().map(|(mark, _)| format!("M{:.0} 0v20", x(*mark))).collect();
    let open = |end: Option<f64>, at: f64| end.is_none().then(|| format!("M{:.0} 10h{:.0}", at * (WIDTH - 60.0), 60.0));
    let open: String = [open(rating.low, 0.0), open(rating.high, 1.0)].into_iter().flatten().collect();
    html! {
        svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true" {
            path .grid d=(marks) {}
            path .zero d=(format_args!("M{:.0} 0v20", x(0.0))) {}
            path .bar d=(format_args!("M{from:.0} 10H{to:.0}")) {}
            @if !open.is_empty() { path .open d=(open) {} }
            path .dot d=(format_args!("M{:.0} 10h0", x(rating.elo))) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::store::StoredAgent;

    fn drawn(rating: Rating) -> String {
        let agent = StoredAgent { name: "<a>".into(), title: None, hash: String::new() };
        let name = Name::of(0, &agent);
        plot(&[RatingLine { rank: 1, name: &name, rating, half_points: 5, games: 4 }]).into_string()
    }

    #[test]
    fn bars_fit_the_scale_and_unbounded_ones_are_marked() {
        let drawn = drawn(Rating { games: 4, elo: 200.0, low: Some(100.0), high: None });
        assert!(
            drawn.contains("&lt;a&gt;") && drawn.contains("+100 or more") && drawn.contains("2½ of 4 points"),
            "{drawn}"
        );
        // From -100 to 250 in steps of 50.
        assert!(drawn.contains("class=\"bar\" d=\"M571 10H1000\"") && drawn.contains("class=\"open\""), "{drawn}");
        assert!(drawn.contains("class=\"dot\" d=\"M857 10h0\""), "{drawn}");
    }

    #[test]
    fn an_agent_without_games_has_no_bar() {
        let drawn = drawn(Rating { games: 0, elo: 0.0, low: None, high: None });
        assert!(drawn.contains("no games, no rating") && !drawn.contains("<svg"), "{drawn}");
    }

    #[test]
    fn no_agents_can_be_drawn() {
        assert!(plot(&[]).into_string().contains("+40"));
    }
}
