//! The conditions for the numbers of a publication: they can be drawn next to the measured ones.

use locktoll_results::{PublishedLine, number_of};

use super::Description;

impl Description {
    /// # Errors
    /// One line about the first line or point that cannot be drawn.
    pub(super) fn check_published(&self) -> Result<(), String> {
        let lines: Vec<&PublishedLine> = (self.published.iter())
            .flat_map(|published| &published.lines)
            .collect();
        let Some(first) = lines.first() else {
            return Ok(());
        };
        if let Some(other) = lines.iter().find(|line| line.unit != first.unit) {
            return Err(format!(
                "published lines have one unit, not both '{}' and '{}'",
                first.unit, other.unit
            ));
        }
        let several = lines.iter().any(|line| line.name != first.name);
        let mut places: Vec<(&str, &str)> = Vec::new();
        for line in &lines {
            let name = &line.name;
            if name.is_empty() || line.unit.is_empty() {
                return Err("a published line needs a name and a unit".to_owned());
            }
            if line.points.is_empty() {
                return Err(format!(
                    "the published line '{name}' has no points; accepted: points = [{{ x = 1, y = 9.5 }}]"
                ));
            }
            match &line.measured {
                None if several => {
                    return Err(format!(
                        "the published line '{name}' has no 'measured'; a claim with several lines needs it in each"
                    ));
                }
                Some(lock) if !self.measures(lock) => {
                    return Err(format!(
                        "the published line '{name}' has measured = '{lock}', but no run has that lock"
                    ));
                }
                _ => {}
            }
            for point in &line.points {
                if !(point.y.is_finite() && point.y > 0.0) {
                    return Err(format!(
                        "the published line '{name}' has y = {} at {}; accepted: a number above 0",
                        point.y, point.x
                    ));
                }
                if places.contains(&(name, &point.x)) {
                    return Err(format!(
                        "the published line '{name}' has two points at {}",
                        point.x
                    ));
                }
                places.push((name, &point.x));
            }
        }
        let numbers = places.iter().filter(|(_, x)| number_of(x).is_some());
        match numbers.count() {
            count if count == 0 || count == places.len() => Ok(()),
            _ => Err(
                "the x of all published points must be numbers, or all must be words".to_owned(),
            ),
        }
    }

    /// Whether a run takes this lock.
    fn measures(&self, lock: &str) -> bool {
        let flags = self.runs.iter().filter_map(|run| run.bench.as_deref());
        flags
            .flat_map(|flags| flags.split([' ', ',']))
            .any(|word| word == lock)
    }
}
