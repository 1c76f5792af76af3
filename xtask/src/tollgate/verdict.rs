//! Whether a goal was reached.

use locktoll_lab::stats::Estimate;

use super::group::Goal;

/// What a figure with its interval says of a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The whole interval is on the right side.
    Reached,
    /// The interval lies on both sides: the median is on the right one.
    RatherReached,
    /// The interval lies on both sides: the median misses the goal by so much of the goal.
    RatherLost {
        /// Distance from the goal, as a share of it.
        by: f64,
    },
    /// The whole interval is on the wrong side; the median misses the goal by so much of the goal.
    Lost {
        /// Distance from the goal, as a share of it.
        by: f64,
    },
    /// There is no figure: what was to be measured failed.
    Failed,
    /// Nothing was to be reached.
    None,
}

impl Verdict {
    /// Judges `figure`.
    pub fn of(goal: Goal, figure: Option<Estimate>) -> Self {
        let Some(Estimate {
            median, low, high, ..
        }) = figure
        else {
            return Self::Failed;
        };
        // Seen from the side on which less is better.
        let (nearest, middle, farthest, limit) = match goal {
            Goal::AtMost(limit) => (low, median, high, limit),
            Goal::AtLeast(limit) => (-high, -median, -low, -limit),
        };
        let by = (middle - limit) / limit.abs();
        if farthest <= limit {
            Self::Reached
        } else if nearest > limit {
            Self::Lost { by }
        } else if middle <= limit {
            Self::RatherReached
        } else {
            Self::RatherLost { by }
        }
    }

    /// Whether the median, at least, is where it should be.
    pub fn is_good(self) -> bool {
        matches!(self, Self::Reached | Self::RatherReached | Self::None)
    }

    /// In words.
    pub fn words(self) -> String {
        match self {
            Self::Reached => "reached".to_owned(),
            Self::RatherReached => "reached, within the noise".to_owned(),
            Self::RatherLost { by } => format!("lost by {}, within the noise", percent(by)),
            Self::Lost { by } => format!("LOST by {}", percent(by)),
            Self::Failed => "LOST: no figure".to_owned(),
            Self::None => "-".to_owned(),
        }
    }

    /// The word of the JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::RatherReached => "reached_within_noise",
            Self::RatherLost { .. } => "lost_within_noise",
            Self::Lost { .. } => "lost",
            Self::Failed => "no_figure",
            Self::None => "no_goal",
        }
    }

    /// By how much of the goal it was lost.
    pub fn lost_by(self) -> Option<f64> {
        match self {
            Self::Lost { by } | Self::RatherLost { by } => Some(by),
            _ => None,
        }
    }
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        _ if percent < 9.95 => format!("{percent:.1} %"),
        _ => format!("{percent:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(goal: Goal, low: f64, median: f64, high: f64) -> Verdict {
        let figure = Estimate {
            median,
            low,
            high,
            n: 9,
        };
        Verdict::of(goal, Some(figure))
    }

    #[test]
    fn the_interval_decides_and_the_median_leans() {
        let ahead = Goal::AtLeast(1.25);
        assert_eq!(judged(ahead, 1.25, 1.3, 1.4), Verdict::Reached);
        assert_eq!(judged(ahead, 1.2, 1.3, 1.4), Verdict::RatherReached);
        assert_eq!(
            judged(ahead, 0.9, 1.0, 1.3),
            Verdict::RatherLost { by: 0.2 }
        );
        assert_eq!(judged(ahead, 0.9, 1.0, 1.2), Verdict::Lost { by: 0.2 });
        let time = Goal::AtMost(10.0);
        assert_eq!(judged(time, 8.0, 9.0, 10.0), Verdict::Reached);
        assert_eq!(judged(time, 8.0, 9.0, 10.1), Verdict::RatherReached);
        assert_eq!(
            judged(time, 9.9, 12.5, 14.0),
            Verdict::RatherLost { by: 0.25 }
        );
        assert_eq!(judged(time, 11.0, 12.5, 14.0), Verdict::Lost { by: 0.25 });
    }

    #[test]
    fn no_figure_is_no_victory() {
        let verdict = Verdict::of(Goal::AtMost(1.0), None);
        assert!(!verdict.is_good());
        assert_eq!(verdict.words(), "LOST: no figure");
    }

    #[test]
    fn a_loss_says_by_how_much() {
        assert_eq!(Verdict::Lost { by: 0.034 }.words(), "LOST by 3.4 %");
        assert_eq!(Verdict::Lost { by: 1.5 }.words(), "LOST by 150 %");
        assert_eq!(Verdict::Lost { by: 0.0996 }.words(), "LOST by 10 %");
        assert_eq!(Verdict::RatherLost { by: 0.5 }.lost_by(), Some(0.5));
    }
}
