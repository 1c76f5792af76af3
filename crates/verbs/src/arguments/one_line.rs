//! What clap says, in one line.

/// Folds clap's several lines into one: what was wrong, then what is accepted.
pub fn one_line(rendered: &str) -> String {
    let mut kept = Vec::new();
    // A usage may have several lines; an empty one ends it.
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
    kept.join(" ")
}
