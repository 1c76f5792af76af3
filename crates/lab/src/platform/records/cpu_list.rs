//! Lists of CPUs as the kernel and `taskset` write them: `0,2-3`.

/// The fault in a list of CPUs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CpuListError {
    /// The text is not a number, a range, or a list of these.
    #[error("`{part}` is not a CPU or a range of CPUs (write `0,2-3`; usable here: {usable})")]
    Syntax {
        /// The part that was not understood.
        part: String,
        /// The usable CPUs, as a list.
        usable: String,
    },
    /// The CPU does not exist, or this process may not use it.
    #[error("CPU {cpu} cannot be used (usable here: {usable})")]
    Unusable {
        /// The requested CPU.
        cpu: usize,
        /// The usable CPUs, as a list.
        usable: String,
    },
}

/// Reads a list such as `0,2-3`. Keeps its order (thread 0 runs on the first CPU) and its repetitions (two threads on one CPU).
///
/// # Errors
/// The list is malformed or empty, or names a CPU that is not among `usable`. Either message names the usable ones.
pub fn parse_cpu_list(text: &str, usable: &[usize]) -> Result<Vec<usize>, CpuListError> {
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (first, last) = range(part).ok_or_else(|| CpuListError::Syntax {
            part: part.trim().to_owned(),
            usable: format_cpu_list(usable),
        })?;
        // Checked one by one, so that `0-99999999999` stops at the first CPU that does not exist.
        for cpu in first..=last {
            if !usable.contains(&cpu) {
                return Err(CpuListError::Unusable {
                    cpu,
                    usable: format_cpu_list(usable),
                });
            }
            cpus.push(cpu);
        }
    }
    Ok(cpus)
}

/// Reads `3` or `3-5`; rejects `5-3`.
pub(crate) fn range(part: &str) -> Option<(usize, usize)> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let (first, last) = match part.split_once('-') {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(part)?, number(part)?),
    };
    (first <= last).then_some((first, last))
}

/// Writes CPUs as a list, with runs of neighbours as ranges: `0,2-3`.
pub fn format_cpu_list(cpus: &[usize]) -> String {
    let runs = cpus.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let parts: Vec<String> = runs
        .map(|run| match run {
            [one] => one.to_string(),
            [first, .., last] => format!("{first}-{last}"),
            [] => unreachable!("chunk_by makes no empty chunk"),
        })
        .collect();
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lists_ranges_and_order() {
        let usable = [0, 1, 2, 3, 8];
        assert_eq!(parse_cpu_list("0,2-3", &usable), Ok(vec![0, 2, 3]));
        assert_eq!(parse_cpu_list(" 8 , 0", &usable), Ok(vec![8, 0]));
        assert_eq!(parse_cpu_list("1,1", &usable), Ok(vec![1, 1]));
    }

    #[test]
    fn errors_name_what_is_usable() {
        let usable = [0, 1, 4];
        for wrong in ["", "a", "1-", "-1", "3-1", "1,,2", "0;1"] {
            let error = parse_cpu_list(wrong, &usable).unwrap_err();
            assert!(matches!(error, CpuListError::Syntax { .. }), "{wrong}");
            assert!(error.to_string().contains("0-1,4"), "{error}");
        }
        let error = parse_cpu_list("0-18446744073709551615", &usable).unwrap_err();
        assert_eq!(
            error.to_string(),
            "CPU 2 cannot be used (usable here: 0-1,4)"
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(cpus in prop::collection::btree_set(0usize..300, 1..40)) {
            let cpus: Vec<usize> = cpus.into_iter().collect();
            let text = format_cpu_list(&cpus);
            prop_assert_eq!(parse_cpu_list(&text, &cpus), Ok(cpus));
        }

        #[test]
        fn no_text_makes_it_panic(text in "[-0-9, a]{0,30}") {
            let _ = parse_cpu_list(&text, &[0, 1]);
        }
    }
}
