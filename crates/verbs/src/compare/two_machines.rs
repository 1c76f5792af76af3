//! The warning that the two sides come from different machines.

use locktoll_results::Made;

/// Returns the warning if a file of B is from a host that no file of A is from. Files that do not name their host cause no
/// warning.
pub fn warning(a: &[Option<Made>], b: &[Option<Made>]) -> Option<String> {
    let host = |made: &Option<Made>| made.as_ref().and_then(|made| made.host.clone());
    let hosts = |side: &[Option<Made>]| side.iter().map(host).collect::<Option<Vec<String>>>();
    let (a, b) = (hosts(a)?, hosts(b)?);
    let (first, other) = (a.first()?, b.iter().find(|it| !a.contains(it))?);
    Some(format!(
        "Warning: A was made on {first} and B on {other}. Differences may come from the machines."
    ))
}

#[cfg(test)]
mod tests {
    use crate::compare::{Results, between};
    use locktoll_made_up::{made_up, sample};
    use locktoll_results::Made;
    use locktoll_results::comparison::Comparison;
    use locktoll_results::saved::Saved;
    use locktoll_shown::Shown;

    const WARNING: &str =
        "Warning: A was made on build-1 and B on build-2. Differences may come from the machines.";

    fn made(host: Option<&str>) -> Option<Made> {
        Some(Made {
            host: host.map(str::to_owned),
            ..Made::now()
        })
    }

    /// Returns one recording from each of these hosts.
    fn recordings(hosts: &[Option<&str>]) -> Results {
        let run = |host: &Option<&str>| {
            let mut profile = sample::job_server();
            profile.made = made(*host);
            Saved::Profile(Box::new(profile))
        };
        Results::of("x.locktoll", hosts.iter().map(run).collect())
    }

    fn bench(host: &str) -> Results {
        let mut bench = made_up::contended();
        bench.made = made(Some(host));
        Results::of("x.json", vec![Saved::Bench(Box::new(bench))])
    }

    fn compared(a: &Results, b: &Results) -> Comparison {
        between(a, b, None).unwrap()
    }

    #[test]
    fn two_machines_are_a_warning_in_the_document_and_in_the_text() {
        for (a, b) in [
            (bench("build-1"), bench("build-2")),
            (
                recordings(&[Some("build-1")]),
                recordings(&[Some("build-1"), Some("build-2")]),
            ),
        ] {
            let comparison = compared(&a, &b);
            assert_eq!(comparison.notes.first().map(String::as_str), Some(WARNING));
            let text = comparison.text();
            let text = anstream::adapter::strip_str(&text).to_string();
            assert!(text.contains(WARNING), "{text}");
        }
    }

    #[test]
    fn one_machine_is_no_warning_and_neither_is_an_unknown_one() {
        let known = || recordings(&[Some("build-1")]);
        for (a, b) in [
            (bench("build-1"), bench("build-1")),
            (known(), recordings(&[Some("build-1"), Some("build-1")])),
            (known(), recordings(&[None])),
            (recordings(&[None]), known()),
        ] {
            let notes = compared(&a, &b).notes;
            let warns = notes
                .iter()
                .any(|note| note.starts_with("Warning: A was made on"));
            assert!(!warns, "{notes:#?}");
        }
    }
}
