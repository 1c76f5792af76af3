//! The counts that the repository keeps, as a table of Markdown: `benches/instructions.md`.

use std::fmt::Write;

use crate::count::Counts;

/// By how much a chain may be longer than the kept one: it is kept with one decimal.
const ROUNDING: f64 = 0.05;

/// A row: a way, and what its pair takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The way's name.
    pub name: String,
    /// What its pair takes.
    pub counts: Counts,
}

/// The rows, and under which C library and compiler they were counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// As [`Table::made_by`] gives it.
    pub made_by: String,
    /// In the order in which they were counted.
    pub rows: Vec<Row>,
}

/// What precedes the name of the C library and the compiler in the file.
const MADE_BY: &str = "Counted with ";
const HEAD: &str = "| way | instructions | over bare | loads | stores | branches | locked | chain |\n\
                    |---|---:|---:|---:|---:|---:|---:|---:|\n";

impl Table {
    /// The C library that runs, and the compiler that `rustc` says it is: with others, counts are others.
    pub fn made_by(rustc: &str) -> String {
        // SAFETY: the function returns a string that stays.
        let version = unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) };
        let rustc: Vec<&str> = rustc.split_whitespace().take(2).collect();
        format!("glibc {}, {}", version.to_string_lossy(), rustc.join(" "))
    }

    /// Reads the table from the file's text. `None` if there is none in it.
    pub fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let made_by = lines.find_map(|line| line.strip_prefix(MADE_BY))?;
        let made_by = made_by.trim_end_matches('.').to_owned();
        let rows: Vec<Row> = lines.filter_map(row).collect();
        (!rows.is_empty()).then_some(Self { made_by, rows })
    }

    /// The line that names the tools, and the table, as the file has them.
    pub fn text(&self) -> String {
        let bare = self.rows.iter().find(|row| row.name == "bare");
        let mut text = format!("{MADE_BY}{}.\n\n{HEAD}", self.made_by);
        for Row { name, counts } in &self.rows {
            let over = bare
                .map(|bare| i64::from(counts.instructions) - i64::from(bare.counts.instructions));
            let over = over.map_or_else(|| "-".to_owned(), |over| over.to_string());
            let _ = writeln!(
                text,
                "| {name} | {} | {over} | {} | {} | {} | {} | {:.1} |",
                counts.instructions,
                counts.loads,
                counts.stores,
                counts.branches,
                counts.locked,
                counts.chain,
            );
        }
        text
    }

    /// What of `counts` is more than the table has for this way: a line each. A way that is not in the table has no bound.
    pub fn grown(&self, name: &str, counts: &Counts) -> Vec<String> {
        let Some(kept) = self.rows.iter().find(|row| row.name == name) else {
            return vec![format!("{name}: not in the table")];
        };
        let figures = |it: &Counts| {
            [
                ("instructions", f64::from(it.instructions)),
                ("loads", f64::from(it.loads)),
                ("stores", f64::from(it.stores)),
                ("branches", f64::from(it.branches)),
                ("locked instructions", f64::from(it.locked)),
                ("loads and stores in the longest chain", it.chain),
            ]
        };
        let both = figures(&kept.counts).into_iter().zip(figures(counts));
        both.filter(|(kept, now)| now.1 > kept.1 + ROUNDING)
            .map(|((what, kept), (_, now))| format!("{name}: {now} {what}, kept are {kept}"))
            .collect()
    }
}

/// A row from its line.
fn row(line: &str) -> Option<Row> {
    let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
    let name = cells.next()?.to_owned();
    let instructions = cells.next()?.parse().ok()?;
    // The difference follows from the others.
    cells.next();
    let mut count = || cells.next()?.parse().ok();
    let (loads, stores, branches, locked) = (count()?, count()?, count()?, count()?);
    let chain = cells.next()?.parse().ok()?;
    let counts = Counts {
        instructions,
        loads,
        stores,
        branches,
        locked,
        chain,
    };
    Some(Row { name, counts })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(instructions: u32) -> Counts {
        Counts {
            instructions,
            loads: 20,
            stores: 11,
            branches: 9,
            locked: 2,
            chain: 5.5,
        }
    }

    fn table() -> Table {
        let row = |name: &str, counts| Row {
            name: name.to_owned(),
            counts,
        };
        Table {
            made_by: "glibc 2.36, rustc 1.95.0".to_owned(),
            rows: vec![row("bare", counts(65)), row("recorded", counts(120))],
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = format!("# Title\n\nText.\n\n{}\nMore.\n", table().text());
        assert!(
            text.contains("| recorded | 120 | 55 | 20 | 11 | 9 | 2 | 5.5 |"),
            "{text}"
        );
        assert_eq!(Table::read(&text), Some(table()));
        assert_eq!(Table::read("# Title\n"), None);
    }

    #[test]
    fn what_has_grown_is_named() {
        assert_eq!(table().grown("recorded", &counts(120)), [""; 0]);
        assert_eq!(table().grown("recorded", &counts(90)), [""; 0]);
        assert_eq!(
            table().grown("recorded", &counts(121)),
            ["recorded: 121 instructions, kept are 120"]
        );
        let deeper = Counts {
            chain: 6.5,
            ..counts(65)
        };
        assert_eq!(
            table().grown("bare", &deeper),
            ["bare: 6.5 loads and stores in the longest chain, kept are 5.5"]
        );
        assert_eq!(table().grown("try x", &deeper), ["try x: not in the table"]);
    }
}
