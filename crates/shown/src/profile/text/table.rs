//! Tables that fit: figures to the left, a name of any length to the right.

use std::fmt::{self, Write};

use super::styles::{FAINT, STRONG};
use crate::profile::words::{cut_right, fit_name};

/// The gap between columns.
const GAP: usize = 2;
/// Below this number of characters, a table gives up figures that it otherwise always has.
const NARROW: usize = 76;
/// The number of figures that are never left out even then.
const FIRST: usize = 2;

/// A table whose last column is a name. Columns are left out, the least important first, until names have room.
pub struct Table {
    columns: Vec<Column>,
    name: &'static str,
    names: Vec<Name>,
    /// The fewest characters for names, in a narrow terminal.
    name_room: usize,
}

struct Column {
    head: &'static str,
    /// Rank 0 is always shown; the highest rank is left out first.
    rank: u8,
    cells: Vec<String>,
    width: usize,
}

/// The subject of a row.
pub struct Name {
    /// Shown in bold, and cut on the left if there is no room.
    pub text: String,
    /// The text that follows. It is cut only if it would take more than half of the room.
    pub remark: String,
}

impl Table {
    /// Makes a table without columns; `name` is the heading of the last one, which has at least `name_room` characters.
    pub fn new(name: &'static str, name_room: usize) -> Self {
        Self {
            columns: Vec::new(),
            name,
            names: Vec::new(),
            name_room,
        }
    }

    /// Adds a column of figures, one for each row.
    pub fn column(&mut self, head: &'static str, rank: u8, cells: impl Iterator<Item = String>) {
        let cells: Vec<String> = cells.collect();
        let widest = cells.iter().map(|cell| cell.chars().count()).max();
        let width = widest.unwrap_or(0).max(head.chars().count());
        self.columns.push(Column {
            head,
            rank,
            cells,
            width,
        });
    }

    /// Sets the names of the rows.
    pub fn names(&mut self, names: impl Iterator<Item = Name>) {
        self.names = names.collect();
    }

    /// Writes the table into lines of `width` characters, each after `indent` spaces.
    pub fn write(mut self, page: &mut String, width: usize, indent: usize) -> fmt::Result {
        // In a wide terminal, names get a third of the width if the longest needs it.
        let longest = self.names.iter().map(Name::width).max().unwrap_or(0);
        let name_room = match width < NARROW {
            true => self.name_room.max(longest).min(width / 3),
            false => self.name_room.max(longest.min(width / 3)),
        };
        while self.figures() + indent + name_room > width {
            let least = self.columns.iter().map(|column| column.rank).max();
            match least {
                None => break,
                // On a narrow terminal, the first figures and the name are the most useful.
                Some(0) if width >= NARROW || self.columns.len() <= FIRST => break,
                Some(rank) => {
                    let last = self.columns.iter().rposition(|it| it.rank == rank);
                    self.columns.remove(last.expect("the rank was found"));
                }
            }
        }
        let room = width.saturating_sub(self.figures() + indent);
        write!(page, "{:indent$}{FAINT}", "")?;
        for column in &self.columns {
            write!(page, "{:>w$}{:GAP$}", column.head, "", w = column.width)?;
        }
        writeln!(page, "{}{FAINT:#}", self.name)?;
        for (row, name) in self.names.iter().enumerate() {
            write!(page, "{:indent$}", "")?;
            for column in &self.columns {
                write!(
                    page,
                    "{:>w$}{:GAP$}",
                    column.cells[row],
                    "",
                    w = column.width
                )?;
            }
            let remark = cut_right(&name.remark, room.max(name_room) / 2);
            let left = room.saturating_sub(remark.chars().count());
            let text = fit_name(&name.text, left.max(name_room / 2));
            writeln!(page, "{STRONG}{text}{STRONG:#}{remark}")?;
        }
        Ok(())
    }

    fn figures(&self) -> usize {
        self.columns.iter().map(|column| column.width + GAP).sum()
    }
}

impl Name {
    fn width(&self) -> usize {
        self.text.chars().count() + self.remark.chars().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: usize) -> String {
        let mut table = Table::new("lock", 8);
        let cells = |cell: &str| [cell.to_owned(), "1".to_owned()].into_iter();
        table.column("wait", 0, cells("9.12 s"));
        table.column("p50", 2, cells("3 ms"));
        table.column("hold", 1, cells("2 s"));
        let name = |text: &str| Name {
            text: text.to_owned(),
            remark: " (spin)".to_owned(),
        };
        table.names([name("a::very::long::name"), name("b")].into_iter());
        let mut page = String::new();
        table.write(&mut page, width, 2).unwrap();
        anstream::adapter::strip_str(&page).to_string()
    }

    #[test]
    fn the_least_needed_column_goes_first_and_names_are_cut_last() {
        assert_eq!(
            shown(60),
            "    wait   p50  hold  lock\n  \
               9.12 s  3 ms   2 s  a::very::long::name (spin)\n       \
                    1     1     1  b (spin)\n"
        );
        let narrow = shown(30);
        assert!(
            !narrow.contains("p50") && narrow.contains("hold"),
            "{narrow}"
        );
        assert!(
            narrow.contains("...name (spin)") || narrow.contains("...ame (spin)"),
            "{narrow}"
        );
        assert!(shown(10).contains("9.12 s"));
    }
}
