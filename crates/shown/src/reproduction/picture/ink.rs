//! The elements of SVG, and the colours of a picture.

use std::fmt::Write;

use locktoll_terminal::escape::shown_text;

/// About the width of a character of 12 px; pictures cannot measure text.
pub const CHARACTER: f64 = 6.4;

/// Colours for light and dark surroundings. The line colours are those of Okabe and Ito, "Color universal design", 2008, made
/// darker or lighter for contrast with the background.
pub const STYLE: &str = "\
svg{font:12px system-ui,-apple-system,'Segoe UI',sans-serif}\
.bg{fill:#ffffff}text{fill:#1f2328}.faint{fill:#59636e}.head{font-weight:600}\
.grid{stroke:#d8dee4}.axis{stroke:#59636e}.band{fill:#1a7f37;opacity:.16}\
.s0{--c:#0067a5}.s1{--c:#b84a00}.s2{--c:#007a5a}.s3{--c:#9a4d85}.s4{--c:#8a6d00}.s5{--c:#3a6ea5}.s6{--c:#5c5c5c}.s7{--c:#a3293d}\
.holds{--c:#1a7f37}.fails{--c:#cf222e}.open{--c:#59636e}.pub{--c:#1f2328}\
.line{fill:none;stroke:var(--c);stroke-width:2}.dash{stroke-dasharray:6 4}\
.mark{fill:var(--c);stroke:var(--c);stroke-width:1.5}.hollow{fill:none}\
@media(prefers-color-scheme:dark){\
.bg{fill:#0d1117}text{fill:#e6edf3}.faint{fill:#9198a1}\
.grid{stroke:#30363d}.axis{stroke:#9198a1}.band{fill:#3fb950;opacity:.22}\
.s0{--c:#56b4e9}.s1{--c:#f0883e}.s2{--c:#2dc492}.s3{--c:#d98ac4}.s4{--c:#d8b840}.s5{--c:#8ab4e8}.s6{--c:#b0b0b0}.s7{--c:#ff7b8a}\
.holds{--c:#3fb950}.fails{--c:#ff7b72}.open{--c:#9198a1}.pub{--c:#e6edf3}}";

/// The number of colours for lines.
pub const COLOURS: usize = 8;

/// The elements of a picture.
#[derive(Debug, Default)]
pub struct Ink(pub String);

/// A mark on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A diamond.
    Diamond,
    /// A cross.
    Cross,
}

impl Mark {
    /// Marks of lines: two lines of the same colour have different ones.
    pub fn of_line(index: usize) -> Self {
        [Self::Circle, Self::Square, Self::Triangle][index % 3]
    }
}

impl Ink {
    fn add(&mut self, arguments: std::fmt::Arguments<'_>) {
        self.0
            .write_fmt(arguments)
            .expect("writing to a string does not fail");
        self.0.push('\n');
    }

    /// Writes text; `anchor` is start, middle or end.
    pub fn text(&mut self, (x, y): (f64, f64), class: &str, anchor: &str, text: &str) {
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    /// Draws a straight line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.add(format_args!(
            "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            from.0, from.1, to.0, to.1
        ));
    }

    /// Draws a line through points.
    pub fn path(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = (points.iter())
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        self.add(format_args!(
            "<polyline class=\"{class}\" points=\"{}\"/>",
            points.join(" ")
        ));
    }

    /// Fills a rectangle.
    pub fn rectangle(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        self.add(format_args!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        ));
    }

    /// Draws a mark around a point.
    pub fn mark(&mut self, class: &str, mark: Mark, (x, y): (f64, f64)) {
        let path = match mark {
            Mark::Circle => {
                return self.add(format_args!(
                    "<circle class=\"mark {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"
                ));
            }
            Mark::Square => "m-3.6-3.6h7.2v7.2h-7.2z",
            Mark::Triangle => "m0-4.6l4.4 8h-8.8z",
            Mark::Diamond => "m0-5.4l5.4 5.4l-5.4 5.4l-5.4-5.4z",
            Mark::Cross => "m-4-4l8 8m0-8l-8 8",
        };
        self.add(format_args!(
            "<path class=\"mark {class}\" d=\"M{x:.1} {y:.1}{path}\"/>"
        ));
    }

    /// Draws an interval: a line with an end at each value.
    pub fn whisker(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let class = format!("line {class}");
        self.line(&class, from, to);
        let (dx, dy) = if from.0 == to.0 {
            (3.0, 0.0)
        } else {
            (0.0, 3.0)
        };
        for (x, y) in [from, to] {
            self.line(&class, (x - dx, y - dy), (x + dx, y + dy));
        }
    }
}

/// Escapes text for SVG; what a terminal or an XML reader does not show is made visible.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in shown_text(text).chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            control if control.is_control() => escaped.push(' '),
            // Not characters of XML 1.0.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Returns the text, cut to a width in pixels.
pub fn fitting(text: &str, width: f64) -> String {
    let most = (width / CHARACTER).max(4.0) as usize;
    match text.chars().count() > most {
        true => text
            .chars()
            .take(most - 1)
            .chain(std::iter::once('\u{2026}'))
            .collect(),
        false => text.to_owned(),
    }
}
