//! Numbers that depend on the machine: threads per CPU, and the CPUs that exist.

/// Evaluates "cpus", "2*cpus", "cpus+1" and "2*cpus-1".
///
/// # Errors
/// If the text is anything else, or the result is below 1.
pub fn per_cpu(text: &str, cpus: u32) -> Result<u32, String> {
    let wrong = || {
        format!("'{text}' is not a number of threads; accepted: such as 4, cpus, 2*cpus, 2*cpus-1")
    };
    let (product, added) = match text.find(['+', '-']) {
        Some(at) => {
            let added: i64 = text[at + 1..].trim().parse().map_err(|_| wrong())?;
            let sign = if text[at..].starts_with('-') { -1 } else { 1 };
            (&text[..at], sign * added)
        }
        None => (text, 0),
    };
    let factor: i64 = match product
        .trim()
        .strip_suffix("cpus")
        .ok_or_else(wrong)?
        .trim()
    {
        "" => 1,
        factor => factor
            .strip_suffix('*')
            .and_then(|factor| factor.trim().parse().ok())
            .ok_or_else(wrong)?,
    };
    let number = factor
        .checked_mul(cpus.into())
        .and_then(|n| n.checked_add(added));
    number
        .and_then(|n| u32::try_from(n).ok())
        .filter(|n| *n > 0)
        .ok_or_else(wrong)
}

/// Replaces placeholders in flags by this machine's numbers: `{2*cpus}`, and `{cpu0}`, `{cpu1}` for the first usable CPUs.
///
/// # Errors
/// If braces contain anything else, or a CPU that does not exist.
pub fn fill_in(flags: &str, usable_cpus: &[usize]) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = flags;
    while let Some((before, behind)) = rest.split_once('{') {
        let (inside, behind) = behind
            .split_once('}')
            .ok_or_else(|| format!("a brace in '{flags}' is never closed"))?;
        filled.push_str(before);
        let index: Option<usize> = inside.strip_prefix("cpu").and_then(|i| i.parse().ok());
        match index {
            Some(index) => {
                let cpu = usable_cpus.get(index).ok_or_else(|| {
                    format!(
                        "'{{{inside}}}': only {} CPUs may be used",
                        usable_cpus.len()
                    )
                })?;
                filled.push_str(&cpu.to_string());
            }
            None => filled.push_str(&per_cpu(inside, usable_cpus.len() as u32)?.to_string()),
        }
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_each_cpu() {
        for (text, number) in [
            ("cpus", 2),
            ("4*cpus", 8),
            ("2*cpus-1", 3),
            ("cpus + 1", 3),
            ("3 * cpus", 6),
        ] {
            assert_eq!(per_cpu(text, 2), Ok(number), "{text}");
        }
        for wrong in [
            "",
            "4",
            "cpus*2",
            "cpus-2",
            "cpu",
            "2cpus",
            "cpus+x",
            "99999999999*cpus",
        ] {
            assert!(per_cpu(wrong, 2).is_err(), "{wrong}");
        }
    }

    #[test]
    fn braces_take_what_this_machine_has() {
        let filled = |flags| fill_in(flags, &[4, 7]);
        assert_eq!(
            filled("--threads 1,{4*cpus} --pin {cpu1}").unwrap(),
            "--threads 1,8 --pin 7"
        );
        assert_eq!(filled("--threads 1").unwrap(), "--threads 1");
        for wrong in ["{", "{cpu2}", "{nproc}", "{}"] {
            assert!(filled(wrong).is_err(), "{wrong}");
        }
    }
}
