//! Reads the output of the Java program: one sample per line.

/// Everything that the program printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Output {
    /// The JDK's version.
    pub(super) version: Option<String>,
    /// One hand-over by park and unpark, in nanoseconds, and the context switches in it.
    pub(super) parks: Vec<(f64, f64)>,
    /// The bare loop, in nanoseconds per turn.
    pub(super) bare_ns: Vec<f64>,
    /// The loop with a synchronized block.
    pub(super) synchronized_ns: Vec<f64>,
    /// The loop with a lock.
    pub(super) lock_ns: Vec<f64>,
}

/// Parses the program's output.
///
/// # Errors
/// The first line that is malformed, or a sentence that the end is missing.
pub(super) fn read(text: &str) -> Result<Output, String> {
    let mut output = Output::default();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["done"] => return Ok(output),
            // Answered while it runs.
            ["threads", _, _] => {}
            ["version", version] => output.version = Some(version.to_owned()),
            ["park", ns, switches] => output
                .parks
                .push((time(ns, line)?, number(switches, line)?)),
            ["loop", ns] => output.bare_ns.push(time(ns, line)?),
            ["synchronized", ns] => output.synchronized_ns.push(time(ns, line)?),
            ["reentrant-lock", ns] => output.lock_ns.push(time(ns, line)?),
            _ => return Err(not_understood(line)),
        }
    }
    Err("it ended before it was done".into())
}

fn number(word: &str, line: &str) -> Result<f64, String> {
    let number = word
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| not_understood(line))
}

/// A time is never zero.
fn time(word: &str, line: &str) -> Result<f64, String> {
    number(word, line).and_then(|ns| {
        if ns > 0.0 {
            Ok(ns)
        } else {
            Err(not_understood(line))
        }
    })
}

fn not_understood(line: &str) -> String {
    format!("it printed what is no sample: `{}`", excerpt(line))
}

/// Returns the beginning of a program's output, made fit for one line of a report.
pub(super) fn excerpt(line: &str) -> String {
    const MOST: usize = 120;
    let shown: String = line
        .chars()
        .filter(|one| !one.is_control())
        .take(MOST)
        .collect();
    if shown.len() < line.len() {
        format!("{shown}...")
    } else {
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn samples_come_in_their_order() {
        let text = "version 17.0.15\nloop 1.25\nsynchronized 11\nreentrant-lock 2.4E1\npark 2300.5 1.002\npark 9 2\ndone\n";
        let output = read(text).unwrap();
        assert_eq!(output.version.as_deref(), Some("17.0.15"));
        assert_eq!(output.parks, [(2300.5, 1.002), (9.0, 2.0)]);
        assert_eq!(
            (output.bare_ns, output.synchronized_ns, output.lock_ns),
            (vec![1.25], vec![11.0], vec![24.0])
        );
    }

    #[test]
    fn rubbish_is_named() {
        for wrong in [
            "park 1", "park x 1", "loop -1", "loop 0", "loop NaN", "loop inf", "hello", "",
            "park 0 1",
        ] {
            let reason = read(&format!("loop 1\n{wrong}\ndone\n")).unwrap_err();
            assert!(reason.contains(&format!("`{wrong}`")), "{reason}");
        }
    }

    #[test]
    fn an_early_end_is_told() {
        assert!(
            read("version 17\nloop 1\n")
                .unwrap_err()
                .contains("before it was done")
        );
        assert!(read("").unwrap_err().contains("before it was done"));
    }

    #[test]
    fn long_and_wild_lines_are_cut() {
        let shown = excerpt(&format!("\u{1b}[31m{}", "x".repeat(500)));
        assert!(shown.len() < 140 && shown.ends_with("...") && !shown.contains('\u{1b}'));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(park|loop|done|[0-9. \n-]|.){0,60}") {
            let _ = read(&text);
        }
    }
}
