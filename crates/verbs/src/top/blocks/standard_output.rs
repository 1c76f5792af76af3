//! The place of the blocks: each over the previous one on a terminal, one after the other in a pipe.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

use anstream::ColorChoice;

use locktoll_shown::{Block, Room, block_text, has_room_for_notes, json_line, notes_text};
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::terminal::screen;
use locktoll_terminal::width::line_width;

/// Standard output, as a destination for blocks.
pub struct StandardOutput {
    kind: Destination,
    /// Number of lines of the block that is on the terminal.
    standing: usize,
    /// Notes for which the terminal has no room.
    owed: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Destination {
    Json,
    Pipe,
    Terminal,
}

impl StandardOutput {
    /// Finds out what standard output is.
    pub fn new(json: bool) -> Self {
        let terminal = io::stdout().is_terminal()
            && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
            && screen().is_some();
        let kind = match (json, terminal) {
            (true, _) => Destination::Json,
            (false, true) => Destination::Terminal,
            (false, false) => Destination::Pipe,
        };
        Self {
            kind,
            standing: 0,
            owed: None,
        }
    }

    /// Whether each block replaces the previous one.
    pub fn rewrites(&self) -> bool {
        self.kind == Destination::Terminal
    }

    /// Writes a block there.
    pub fn show(&mut self, block: &Block) -> Result<(), Failure> {
        let text = match self.kind {
            Destination::Json => json_line(block)?,
            Destination::Pipe => {
                let room = Room {
                    width: line_width(),
                    lines: None,
                };
                unstyled(block_text(block, room)) + "\n"
            }
            Destination::Terminal => {
                let (columns, lines) = screen().unwrap_or((80, 24));
                let room = Room {
                    width: columns,
                    // The cursor is on its own line below.
                    lines: Some(lines.saturating_sub(1).max(1)),
                };
                self.owed =
                    (!has_room_for_notes(block, room)).then(|| unstyled(notes_text(block, room)));
                self.over_the_last(&unstyled(block_text(block, room)))
            }
        };
        put(&text)
    }

    /// Prints below the last block the notes for which it had no room.
    pub fn finish(self) -> Result<(), Failure> {
        match self.owed {
            // Overwrites what the terminal showed for Ctrl-C.
            Some(notes) => put(&format!("\r\x1b[K{notes}")),
            None => Ok(()),
        }
    }

    /// Returns the block with control sequences that move the cursor to the beginning of the last block and clear what remains of
    /// it.
    fn over_the_last(&mut self, text: &str) -> String {
        let mut whole = String::with_capacity(text.len() + 256);
        if self.standing > 0 {
            let _ = write!(whole, "\x1b[{}F", self.standing);
        }
        for line in text.lines() {
            let _ = writeln!(whole, "{line}\x1b[K");
        }
        whole.push_str("\x1b[J");
        self.standing = text.lines().count();
        whole
    }
}

/// Writes the text in one piece, so that half a block is never seen.
fn put(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Returns the text without styles, unless standard output is to have them. Cursor movements are not styles, and are added later.
fn unstyled(text: String) -> String {
    match anstream::AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => anstream::adapter::strip_str(&text).to_string(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_takes_the_place_of_the_last() {
        let mut output = StandardOutput {
            kind: Destination::Terminal,
            standing: 0,
            owed: None,
        };
        assert_eq!(output.over_the_last("a\nb\n"), "a\x1b[K\nb\x1b[K\n\x1b[J");
        assert_eq!(output.over_the_last("c\n"), "\x1b[2Fc\x1b[K\n\x1b[J");
        assert_eq!(output.over_the_last("d\n"), "\x1b[1Fd\x1b[K\n\x1b[J");
    }
}
