//! Waits and holds by their length, as bars.

use std::fmt::{self, Write};

use super::glance::bar;
use super::styles::{FAINT, LOCKS, RUNNING, in_style};
use crate::report::quantity::{count, duration};

/// Two histograms side by side: entry `i` of each counts durations from 2^i up to 2^(i+1) ns.
pub fn write(page: &mut String, waits: &[u64], holds: &[u64], width: usize) -> fmt::Result {
    let at = |buckets: &[u64], i: usize| buckets.get(i).copied().unwrap_or(0);
    let used: Vec<usize> = (0..waits.len().max(holds.len()))
        .filter(|&i| at(waits, i) > 0 || at(holds, i) > 0)
        .collect();
    let (Some(&first), Some(&last)) = (used.first(), used.last()) else {
        return Ok(());
    };
    let digits = |buckets: &[u64]| {
        let longest = buckets.iter().map(|&n| count(n).len()).max().unwrap_or(0);
        longest.max("waits".len())
    };
    let (wait_digits, hold_digits) = (digits(waits), digits(holds));
    let taken = 2 + "1.02 us .. 2.05 us".len() + 3 + wait_digits + 1 + 2 + hold_digits + 1;
    let room = (width.saturating_sub(taken) / 2).clamp(6, 30);
    let (most_waits, most_holds) = (
        waits.iter().copied().max().unwrap_or(0),
        holds.iter().copied().max().unwrap_or(0),
    );
    writeln!(
        page,
        "  {FAINT}{:>19}  {:>wait_digits$} {:room$}  {:>hold_digits$}{FAINT:#}",
        "length", "waits", "", "holds"
    )?;
    for i in first..=last {
        let bound = |power: usize| duration(2_f64.powi(power as i32));
        let (waited, held) = (at(waits, i), at(holds, i));
        let line = format!(
            "  {:>7} .. {:>7}  {:>wait_digits$} {LOCKS}{:room$}{LOCKS:#}  {:>hold_digits$} {}",
            bound(i),
            bound(i + 1),
            count(waited),
            bar(waited, most_waits, room),
            count(held),
            in_style(RUNNING, &bar(held, most_holds, room)),
        );
        writeln!(page, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_histograms_share_their_rows() {
        let mut page = String::new();
        let (mut waits, mut holds) = (vec![0; 13], vec![0; 12]);
        waits[10] = 1_500;
        waits[12] = 3_000;
        holds[9] = 40;
        holds[11] = 20;
        write(&mut page, &waits, &holds, 80).unwrap();
        insta::assert_snapshot!(anstream::adapter::strip_str(&page).to_string());
        assert!(
            page.lines()
                .all(|line| anstream::adapter::strip_str(line).to_string().len() <= 80)
        );
        page.clear();
        write(&mut page, &[], &[0, 0], 80).unwrap();
        assert_eq!(page, "");
    }
}
