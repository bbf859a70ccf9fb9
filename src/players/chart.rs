//! Charts as SVG, for files and for pages.
//!
//! Colors and sizes are attributes, so that a file needs no style sheet and that of a page takes precedence.

use maud::{Markup, html};

/// Axis of a chart.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// Values at its ends.
    pub ends: [f64; 2],
    /// Values to write beside it.
    pub marks: Vec<(f64, String)>,
    /// Name and unit of the values.
    pub label: String,
}

impl Axis {
    /// Returns an axis of whole steps, fewer than `most`, that has room for these values.
    #[must_use]
    pub fn in_steps([low, high]: [f64; 2], most: f64, text: impl Fn(f64) -> String) -> Axis {
        let power = 10f64.powf(((high - low).max(1e-9) / most).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0, 20.0].map(|step| step * power);
        let step = steps.into_iter().find(|step| (high - low) / step < most - 1.0).unwrap_or(50.0 * power);
        let (first, last) = ((low / step - 0.1).floor() as i64, (high / step + 0.1).ceil() as i64);
        let marks = (first..=last).map(|mark| mark as f64 * step).map(|value| (value, text(value)));
        Axis { ends: [first, last].map(|mark| mark as f64 * step), marks: marks.collect(), label: String::new() }
    }

    /// Returns the place of a value on an axis of this length.
    #[must_use]
    pub fn place(&self, value: f64, length: f64) -> f64 {
        let [from, to] = self.ends;
        (value - from) / (to - from) * length
    }
}

/// Chart of points and lines.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Heading, or on a page the description.
    pub title: String,
    /// Second line below the title of a file.
    pub note: String,
    /// Width and height of the area between the axes.
    pub size: [f64; 2],
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Series of points; the first is in the background.
    pub series: Vec<Series>,
}

/// Points of a chart in one color.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Text below the chart; empty for none.
    pub name: String,
    /// Color in files.
    pub color: &'static str,
    /// True if a line connects the points.
    pub has_line: bool,
    /// True if each point is drawn as a dot.
    pub has_dots: bool,
    /// The points, in the order of the line.
    pub points: Vec<Point>,
}

/// Point of a chart.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// Values on both axes.
    pub at: [f64; 2],
    /// Ends of its error bar.
    pub error: Option<[f64; 2]>,
    /// Text above the point.
    pub label: String,
}

/// Room above a chart.
const TOP: f64 = 34.0;
/// Distance of two lines of text.
const LINE: f64 = 16.0;

impl Chart {
    /// Returns the chart as a file.
    #[must_use]
    pub fn file(&self) -> String {
        self.draw(None).into_string() + "\n"
    }

    /// Returns the chart as an element of this class. Lines are of class `bar`, dots `dot` and texts `mark`.
    #[must_use]
    pub fn element(&self, class: &str) -> Markup {
        self.draw(Some(class))
    }

    fn draw(&self, class: Option<&str>) -> Markup {
        let Chart { title, note, size: [width, height], x, y, series } = self;
        let is_file = class.is_none();
        let left = if y.label.is_empty() { 0.0 } else { 64.0 };
        let (right, bottom) = (left + width, TOP + height);
        let names: Vec<_> = series.iter().filter(|series| !series.name.is_empty()).collect();
        let rows = names.len() + usize::from(!x.label.is_empty());
        let (whole, down) = (right + left / 2.0, bottom + 1.5 * LINE + rows as f64 * LINE);
        let across = |value| number(left + x.place(value, *width));
        let up = |value| number(bottom - y.place(value, *height));
        html! {
            svg class=[class] xmlns=[is_file.then_some("http://www.w3.org/2000/svg")] role="img" aria-label=(title)
                viewBox={ "0 0 " (number(whole)) " " (number(down)) } width=(number(whole))
                font-family=[is_file.then_some("sans-serif")] font-size="12" {
                @if is_file {
                    rect width=(number(whole)) height=(number(down)) fill="white" {}
                    text x=(left) y="14" font-size="13" { (title) }
                    text x=(left) y="28" fill="#666666" { (note) }
                    @for (value, _) in &x.marks { path d={ "M" (across(*value)) " " (TOP) "V" (bottom) } stroke="#dddddd" {} }
                    @for (value, _) in &y.marks { path d={ "M" (left) " " (up(*value)) "H" (right) } stroke="#dddddd" {} }
                }
                @for (value, text) in &x.marks {
                    text .mark x=(across(*value)) y=(bottom + LINE) text-anchor="middle" { (text) }
                }
                @for (value, text) in &y.marks {
                    text .mark x=(left - 5.0) y=(up(*value)) dy="4" text-anchor="end" { (text) }
                }
                @if !x.label.is_empty() {
                    text x=((left + right) / 2.0) y=(bottom + 2.0 * LINE) text-anchor="middle" { (x.label) }
                }
                @if !y.label.is_empty() {
                    text transform={ "translate(12 " ((TOP + bottom) / 2.0) ") rotate(-90)" } text-anchor="middle" { (y.label) }
                }
                @for Series { color, has_line, has_dots, points, .. } in series {
                    @if *has_line {
                        @let points = points.iter().map(|Point { at, .. }| format!("{},{}", across(at[0]), up(at[1])));
                        polyline .bar fill="none" stroke=(color) stroke-width="1.8" points=(points.collect::<Vec<_>>().join(" ")) {}
                    }
                    @for Point { at: [at, value], error, label } in points {
                        @if let Some([low, high]) = error {
                            path .bar d={ "M" (across(*at)) " " (up(*low)) "V" (up(*high)) } stroke=(color) {}
                        }
                        @if *has_dots { circle .dot cx=(across(*at)) cy=(up(*value)) r="4" fill=(color) {} }
                        @if !label.is_empty() {
                            text .mark x=(across(*at)) y=(up(*value)) dy="-10" text-anchor="middle" { (label) }
                        }
                    }
                }
                @for (row, Series { name, color, .. }) in names.iter().enumerate() {
                    text x=(left) y=(down - LINE * (names.len() - row) as f64 + 4.0) fill=(color) { (name) }
                }
            }
        }
    }
}

/// Draws shares of 100 as parts of a bar that begin where the one before ends. `ends` are in percent.
#[must_use]
pub fn shares(class: &str, ends: &[f64]) -> Markup {
    let starts = std::iter::once(&0.0).chain(ends);
    html! {
        svg .(class) viewBox="0 0 100 9" preserveAspectRatio="none" aria-hidden="true" {
            @for (from, to) in starts.zip(ends) { rect x=(number(*from)) width=(number(to - from)) height="9" {} }
        }
    }
}

/// Returns a line through these points as the data of a path, without its start.
#[must_use]
pub fn line_through(points: impl IntoIterator<Item = [f64; 2]>) -> String {
    points.into_iter().map(|[x, y]| format!("L{} {}", number(x), number(y))).collect()
}

/// Writes a coordinate with at most one decimal.
fn number(coordinate: f64) -> f64 {
    (coordinate * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_whole_steps_and_room_for_all_values() {
        let marks = |ends| Axis::in_steps(ends, 8.0, |value| format!("{value:.2}")).marks;
        let texts = |ends| marks(ends).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts([0.61, 0.634]), ["0.60", "0.61", "0.61", "0.62", "0.62", "0.63", "0.64"]);
        assert_eq!(
            texts([-50.0, 200.0]),
            ["-100.00", "-50.00", "0.00", "50.00", "100.00", "150.00", "200.00", "250.00"]
        );
        for ends in [[-50.0, 50.0], [3.0, 3.0], [-1e6, 7.0], [0.0, 0.999]] {
            let axis = Axis::in_steps(ends, 8.0, |_| String::new());
            assert!(
                axis.ends[0] <= ends[0] && ends[1] <= axis.ends[1] && (2..=10).contains(&axis.marks.len()),
                "{axis:?}"
            );
        }
    }

    #[test]
    fn a_chart_has_labels_marks_lines_dots_and_names() {
        let axis =
            |label: &str| Axis { ends: [0.0, 10.0], marks: vec![(5.0, "half".to_owned())], label: label.to_owned() };
        let points = vec![
            Point { at: [0.0, 10.0], ..Point::default() },
            Point { at: [5.0, 5.0], error: Some([4.0, 6.0]), label: "<b>".to_owned() },
        ];
        let series = Series { name: "one".to_owned(), color: "red", has_line: true, has_dots: true, points };
        let (title, note) = ("a title".to_owned(), "a note".to_owned());
        let chart = Chart { title, note, size: [100.0, 50.0], x: axis("time"), y: axis("value"), series: vec![series] };
        let file = chart.file();
        assert!(file.starts_with("<svg ") && file.ends_with("</svg>\n"), "{file}");
        for part in
            ["a title<", "a note<", ">time<", ">value<", ">half<", ">one<", "&lt;b&gt;", "points=\"64,34 114,59\""]
        {
            assert!(file.contains(part), "{part} is not in {file}");
        }
        let element = chart.element("way").into_string();
        assert!(element.starts_with("<svg class=\"way\"") && !element.contains("a note"), "{element}");
    }
}
