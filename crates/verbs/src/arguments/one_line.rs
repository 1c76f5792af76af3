//! clap's messages, in one line.

/// Folds clap's several lines into one: first what was wrong, then what is accepted.
pub fn one_line(rendered: &str) -> String {
    let mut kept = Vec::new();
    // A usage may have several lines; an empty line ends it.
    let mut is_usage = false;
    for line in rendered.lines().map(str::trim) {
        is_usage = !line.is_empty() && (is_usage || line.starts_with("Usage:"));
        if is_usage || line.starts_with("For more information") {
            continue;
        }
        let line = line.strip_prefix("error: ").unwrap_or(line);
        if let Some(tip) = line.strip_prefix("tip: ") {
            // A value that begins like a flag is rare; a misspelt flag is not.
            if !tip.starts_with("to pass '") {
                kept.push(format!("({tip})"));
            }
        } else if !line.is_empty() {
            kept.push(line.to_owned());
        }
    }
    in_our_words(&accepted(&kept.join(" ")))
}

/// Rewords clap's messages about unknown words to match the program's other refusals.
fn in_our_words(line: &str) -> String {
    let mut line = line.to_owned();
    if let Some(rest) = line.strip_prefix("unrecognized subcommand ") {
        let (word, tip) = rest.split_once(' ').unwrap_or((rest, ""));
        line = match tip {
            "" => format!("{word} is not a verb; `locktoll -h` lists them"),
            tip => format!("{word} is not a verb {tip}; `locktoll -h` lists them"),
        };
    }
    if let Some(rest) = line.strip_prefix("unexpected argument ") {
        line = match rest.starts_with("'-") {
            true => format!("unknown flag {}", rest.replacen(" found", "", 1)),
            false => rest.replacen(" found", " is not expected here", 1),
        };
    }
    if line.contains(" cannot be used with ") {
        line.push_str("; give one of the two");
    }
    line = named_once(&line).unwrap_or(line);
    for (clap, ours) in [
        ("(a similar argument exists: ", "(did you mean "),
        ("(a similar value exists: ", "(did you mean "),
        ("(a similar subcommand exists: ", "(did you mean "),
        ("(some similar subcommands exist: ", "(did you mean "),
        ("(some similar values exist: ", "(did you mean "),
        ("(some similar arguments exist: ", "(did you mean "),
    ] {
        if let Some((before, after)) = line.split_once(clap)
            && let Some((names, rest)) = after.split_once(')')
        {
            let wrong = before.split('\'').nth(1).unwrap_or_default();
            let nearest = nearest(wrong, names).join(" or ");
            line = format!("{before}{ours}{nearest}?){rest}");
        }
    }
    if let Some((before, after)) = line.split_once(" [possible values: ")
        && let Some((values, rest)) = after.split_once(']')
    {
        line = format!("{before}{rest}; accepted: {values}");
    }
    line
}

/// Returns a refusal that names the value once: clap quotes it and its flag before the reason, and most reasons begin with the value.
/// `None` for other lines.
fn named_once(line: &str) -> Option<String> {
    let (value, rest) = line
        .strip_prefix("invalid value '")?
        .split_once("' for '")?;
    let (flag, reason) = rest.split_once('\'')?;
    let is_flag = flag.starts_with('-');
    let Some(reason) = reason.strip_prefix(": ") else {
        // clap gives no reason for a value that has to be one of a list. `[VERB]` says what the value should have been.
        let noun = flag.trim_matches(['[', ']', '<', '>', '.']).to_lowercase();
        return (!is_flag && !noun.is_empty())
            .then(|| format!("'{value}' is not a {noun}{reason}"));
    };
    let quoted = format!("'{value}' ");
    let why = reason
        .strip_prefix(&quoted)
        .or_else(|| reason.strip_prefix(&quoted.replace('\'', "")));
    match (is_flag, why) {
        (true, Some(why)) => {
            // A value that may be left out is in brackets: `--timeline[=<SIZE>]`.
            let name = flag.split([' ', '=', '[']).next().unwrap_or(flag);
            Some(format!("{name} {value} {why}"))
        }
        (false, Some(_)) => Some(reason.to_owned()),
        (_, None) => None,
    }
}

/// Returns the names in the comma-separated list that are nearest to the wrong one. clap also suggests names that are less
/// similar.
fn nearest<'a>(wrong: &str, names: &'a str) -> Vec<&'a str> {
    let distance = |name: &&str| strsim::damerau_levenshtein(name.trim_matches(['\'', '"']), wrong);
    let names: Vec<&str> = names.split(", ").collect();
    let least = names.iter().map(distance).min();
    let mut nearest = names;
    nearest.retain(|name| Some(distance(name)) == least);
    nearest
}

/// Adds what is accepted to a message about a wrong number, where clap gives a range or Rust's parser only its own error.
fn accepted(line: &str) -> String {
    if let Some(begin) = line.strip_suffix(": invalid digit found in string") {
        return format!("{begin}: accepted: a whole number");
    }
    for (range, least) in [
        (" is not in ", true),
        ("number too large to fit in target type", false),
    ] {
        let Some((begin, rest)) = line.split_once(range) else {
            continue;
        };
        if !least {
            return format!("{begin}the number is too large");
        }
        let Some((least, most)) = rest.split_once("..") else {
            continue;
        };
        let most = most.trim_start_matches('=');
        let is_open = most.is_empty() || most.len() >= u32::MAX.to_string().len();
        return match is_open {
            true => format!("{begin} is out of range; accepted: {least} or more"),
            false => format!("{begin} is out of range; accepted: {least} to {most}"),
        };
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_said_in_words() {
        for (clap, ours) in [
            (
                "error: invalid value '0' for '--count <N>': 0 is not in 1..18446744073709551615",
                "--count 0 is out of range; accepted: 1 or more",
            ),
            (
                "error: invalid value '5' for '--max-entries <N>': 5 is not in 64..=1048576",
                "--max-entries 5 is out of range; accepted: 64 to 1048576",
            ),
            (
                "error: invalid value '6' for '--timeline[=<SIZE>]': 6 is not a size; accepted: a number of bytes",
                "--timeline 6 is not a size; accepted: a number of bytes",
            ),
            (
                "error: invalid value 'x' for '[PID]...': 'x' is not a process id; accepted: a number",
                "'x' is not a process id; accepted: a number",
            ),
            (
                "error: invalid value 'tuor' for '[VERB]'\n  [possible values: tour, top]\n\n  tip: a similar value exists: 'tour'",
                "'tuor' is not a verb (did you mean 'tour'?); accepted: tour, top",
            ),
            (
                "error: invalid value '1h' for '--duration <T>': 'h' is not a unit",
                "invalid value '1h' for '--duration <T>': 'h' is not a unit",
            ),
            (
                "error: invalid value 'x' for '--repeat <R>': invalid digit found in string",
                "invalid value 'x' for '--repeat <R>': accepted: a whole number",
            ),
            (
                "error: unrecognized subcommand 'banch'\n\n  tip: some similar subcommands exist: 'attach', 'bench'\n",
                "'banch' is not a verb (did you mean 'bench'?); `locktoll -h` lists them",
            ),
            (
                "error: invalid value 'waits' for '--sort <SORT>'\n  [possible values: wait, hold]\n\n  tip: a similar value exists: 'wait'",
                "invalid value 'waits' for '--sort <SORT>' (did you mean 'wait'?); accepted: wait, hold",
            ),
            ("error: unexpected argument '-x' found", "unknown flag '-x'"),
            (
                "error: unexpected argument '--jso' found\n\n  tip: some similar arguments exist: '--json', '--jso2'",
                "unknown flag '--jso' (did you mean '--json' or '--jso2'?)",
            ),
            (
                "error: unexpected argument 'x' found",
                "'x' is not expected here",
            ),
        ] {
            assert_eq!(one_line(clap), ours);
        }
    }
}
