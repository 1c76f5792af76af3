//! Tables as text.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};

/// Columns under their headings: names to the left, figures to the right, and `left` to the left as well.
pub fn lay_out(
    page: &mut String,
    head: &[&str],
    lines: impl Iterator<Item = Vec<String>>,
    left: &[usize],
) {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(head.to_vec())
        .add_rows(lines);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index > 0 && !left.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for line in table.to_string().lines() {
        let _ = writeln!(page, "{}", format!("  {line}").trim_end());
    }
}
