//! What a figure is to reach, and whether it does.

use locktoll_lab::stats::Estimate;

/// What a figure is judged against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// A ratio that is better when greater.
    AtLeast(f64),
    /// A time.
    AtMost(f64),
}

/// What a figure with its interval says of a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The median is on the right side.
    Reached { within_noise: bool },
    /// The median misses the goal by this share of it.
    Lost { by: f64, within_noise: bool },
    /// There is no figure: the measurement failed.
    Failed,
}

impl Verdict {
    /// Judges a figure. Where its interval lies on both sides of the goal, the verdict is within the noise.
    pub fn of(goal: Goal, figure: Option<Estimate>) -> Self {
        let Some(figure) = figure else {
            return Self::Failed;
        };
        // Seen from the side on which less is better.
        let (low, median, high, limit) = match goal {
            Goal::AtMost(limit) => (figure.low, figure.median, figure.high, limit),
            Goal::AtLeast(limit) => (-figure.high, -figure.median, -figure.low, -limit),
        };
        let within_noise = low <= limit && high > limit;
        if median <= limit {
            Self::Reached { within_noise }
        } else {
            let by = (median - limit) / limit.abs();
            Self::Lost { by, within_noise }
        }
    }

    pub fn is_good(self) -> bool {
        matches!(self, Self::Reached { .. })
    }

    /// By how much of the goal it was lost.
    pub fn lost_by(self) -> Option<f64> {
        match self {
            Self::Lost { by, .. } => Some(by),
            _ => None,
        }
    }

    pub fn words(self) -> String {
        match self {
            Self::Reached {
                within_noise: false,
            } => "reached".to_owned(),
            Self::Reached { within_noise: true } => "reached, within the noise".to_owned(),
            Self::Lost {
                by,
                within_noise: false,
            } => format!("LOST by {}", percent(by)),
            Self::Lost {
                by,
                within_noise: true,
            } => {
                format!("lost by {}, within the noise", percent(by))
            }
            Self::Failed => "LOST: no figure".to_owned(),
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Reached {
                within_noise: false,
            } => "reached",
            Self::Reached { within_noise: true } => "reached_within_noise",
            Self::Lost {
                within_noise: false,
                ..
            } => "lost",
            Self::Lost {
                within_noise: true, ..
            } => "lost_within_noise",
            Self::Failed => "no_figure",
        }
    }
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let digits = usize::from(percent < 9.95);
    format!("{percent:.digits$} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_decides_and_the_interval_says_how_surely() {
        let words = |goal, low, median, high| {
            let figure = Estimate {
                median,
                low,
                high,
                n: 9,
            };
            Verdict::of(goal, Some(figure)).words()
        };
        let ahead = Goal::AtLeast(1.25);
        assert_eq!(words(ahead, 1.25, 1.3, 1.4), "reached");
        assert_eq!(words(ahead, 1.2, 1.3, 1.4), "reached, within the noise");
        assert_eq!(
            words(ahead, 0.9, 1.0, 1.3),
            "lost by 20 %, within the noise"
        );
        assert_eq!(words(ahead, 0.9, 1.0, 1.2), "LOST by 20 %");
        let time = Goal::AtMost(10.0);
        assert_eq!(words(time, 8.0, 9.0, 10.0), "reached");
        assert_eq!(words(time, 8.0, 9.0, 10.1), "reached, within the noise");
        assert_eq!(
            words(time, 9.9, 10.3, 14.0),
            "lost by 3.0 %, within the noise"
        );
        assert_eq!(words(time, 11.0, 12.5, 14.0), "LOST by 25 %");
        assert_eq!(Verdict::of(time, None).words(), "LOST: no figure");
        assert!(!Verdict::Failed.is_good());
    }
}
