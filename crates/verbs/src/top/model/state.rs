//! The chosen view of an interval: actions go in, and some lead to requests to other parts of the program.

use super::{Action, History, LockSort, ProgramSort, locks, programs};
use locktoll_results::top::Interval;

/// The page that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// All programs.
    Programs,
    /// The locks of one program, by its process id.
    Locks(u32),
}

/// A request that only another part of the program can carry out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Look into a program, or at all of them again.
    Choose(Option<u32>),
    /// Write the data collected about a program to a file.
    Save(u32),
    /// Give the terminal back for a while.
    Suspend,
    /// Redraw everything.
    Redraw,
    /// End.
    Quit,
}

/// A sentence in the last line, until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The sentence, safe to show.
    pub text: String,
    /// Whether something went wrong.
    pub wrong: bool,
}

/// Everything that decides what is shown.
#[derive(Clone, Debug)]
pub struct State {
    /// The page that is shown.
    pub page: Page,
    /// Whether the screen began with one program, so that there is no page to go back to.
    pub began_with_one: bool,
    /// The interval shown; `None` before the first.
    pub interval: Option<Interval>,
    /// The intervals before it on this page.
    pub history: History,
    /// The order of programs.
    pub program_sort: ProgramSort,
    /// The order of locks.
    pub lock_sort: LockSort,
    /// Whether the order is reversed.
    pub reversed: bool,
    /// Whether the figures are those since the start instead of those of the last interval.
    pub whole: bool,
    /// Only rows with this in their name are shown.
    pub filter: String,
    /// Whether the filter is being typed.
    pub typing: bool,
    /// Whether new intervals are ignored.
    pub paused: bool,
    /// Whether the keys are explained.
    pub help: bool,
    /// Whether the lock under the cursor takes the whole screen.
    pub opened: bool,
    /// A message for the reader.
    pub notice: Option<Notice>,
    /// The row under the cursor, by the key that stays the same when rows move: a process id or a lock's id.
    cursor: Option<String>,
    /// The position of that row, in case the row goes.
    cursor_at: usize,
    /// Number of rows on a screen, as far as is known.
    pub rows_of_screen: usize,
}

impl State {
    /// Creates the state for all programs, or for one of them.
    pub fn new(pid: Option<u32>) -> Self {
        Self {
            page: pid.map_or(Page::Programs, Page::Locks),
            began_with_one: pid.is_some(),
            interval: None,
            history: History::default(),
            program_sort: ProgramSort::default(),
            lock_sort: LockSort::default(),
            reversed: false,
            whole: false,
            filter: String::new(),
            typing: false,
            paused: false,
            help: false,
            opened: false,
            notice: None,
            cursor: None,
            cursor_at: 0,
            rows_of_screen: 10,
        }
    }

    /// Takes in a new interval, unless the screen is paused. An interval of another page is late and is ignored.
    pub fn take(&mut self, interval: Interval) {
        let of = interval.chosen.as_ref().map(|chosen| chosen.pid);
        let page = match self.page {
            Page::Programs => None,
            Page::Locks(pid) => Some(pid),
        };
        let first = self.interval.is_none();
        if of != page {
            return;
        }
        if self.paused && !first {
            self.history.leave_out();
            return;
        }
        self.history.add(&interval);
        self.interval = Some(interval);
        self.follow();
    }

    /// Shows a message in the last line.
    pub fn say(&mut self, text: String, wrong: bool) {
        self.notice = Some(Notice { text, wrong });
    }

    /// Returns the cursor's position among the rows shown.
    pub fn cursor(&self) -> usize {
        let ids = self.ids();
        let at = self.cursor.as_ref();
        at.and_then(|id| ids.iter().position(|it| it == id))
            .unwrap_or(self.cursor_at)
            .min(ids.len().saturating_sub(1))
    }

    /// Does what a key asks for.
    pub fn act(&mut self, action: Action) -> Option<Order> {
        self.notice = None;
        if self.help && !matches!(action, Action::Quit | Action::Suspend | Action::Redraw) {
            self.help = false;
            return None;
        }
        match action {
            Action::Quit => return Some(Order::Quit),
            Action::Suspend => return Some(Order::Suspend),
            Action::Redraw => return Some(Order::Redraw),
            Action::Move(rows) => self.go(i64::from(rows)),
            Action::Page(screens) => {
                let rows = self.rows_of_screen.max(2) as i64 - 1;
                self.go(i64::from(screens) * rows);
            }
            Action::First => self.go(i64::MIN),
            Action::Last => self.go(i64::MAX),
            Action::Open => return self.open(),
            Action::Back => return self.back(),
            Action::NextOrder => match self.page {
                Page::Programs => self.program_sort = self.program_sort.next(),
                Page::Locks(_) => self.lock_sort = self.lock_sort.next(),
            },
            Action::Reverse => self.reversed = !self.reversed,
            Action::Filter => self.typing = true,
            Action::Type(character) => {
                self.filter.push(character);
                self.follow();
            }
            Action::Erase => {
                self.filter.pop();
                self.follow();
            }
            Action::Accept => self.typing = false,
            Action::Pause => self.paused = !self.paused,
            Action::Period => self.whole = !self.whole,
            Action::Save => return self.save(),
            Action::Help => self.help = true,
            Action::Nothing => {}
        }
        None
    }

    fn open(&mut self) -> Option<Order> {
        if let Page::Locks(_) = self.page {
            self.opened = !self.opened;
            return None;
        }
        let pid = self.chosen_pid()?;
        self.turn_to(Page::Locks(pid));
        Some(Order::Choose(Some(pid)))
    }

    fn back(&mut self) -> Option<Order> {
        if self.typing || !self.filter.is_empty() {
            self.typing = false;
            self.filter.clear();
            return None;
        }
        if self.opened {
            self.opened = false;
            return None;
        }
        match self.page {
            Page::Locks(_) if !self.began_with_one => {
                self.turn_to(Page::Programs);
                Some(Order::Choose(None))
            }
            _ => None,
        }
    }

    fn turn_to(&mut self, page: Page) {
        self.page = page;
        self.interval = None;
        self.history = History::default();
        self.cursor = None;
        self.cursor_at = 0;
        self.filter.clear();
        self.typing = false;
        self.paused = false;
        self.opened = false;
        self.reversed = false;
    }

    fn save(&mut self) -> Option<Order> {
        match self.page {
            Page::Locks(pid) => Some(Order::Save(pid)),
            Page::Programs => {
                self.say("open a program first: s saves its locks".to_owned(), true);
                None
            }
        }
    }

    fn chosen_pid(&self) -> Option<u32> {
        let ids = self.ids();
        ids.get(self.cursor())?.parse().ok()
    }

    /// Moves the cursor and remembers the row that it is on.
    fn go(&mut self, rows: i64) {
        let last = self.ids().len().saturating_sub(1) as i64;
        let at = (self.cursor() as i64).saturating_add(rows).clamp(0, last);
        self.cursor_at = at as usize;
        // At the top it stays at the top, whatever row comes there.
        self.cursor = match self.cursor_at {
            0 => None,
            at => self.ids().get(at).cloned(),
        };
    }

    /// Keeps the cursor on its row after rows have come, gone or moved, or at its position if the row has gone.
    fn follow(&mut self) {
        let at = self.cursor();
        self.cursor_at = at;
    }

    /// Returns the keys of the rows, in the order shown.
    fn ids(&self) -> Vec<String> {
        let Some(interval) = &self.interval else {
            return Vec::new();
        };
        match self.page {
            Page::Programs => programs(interval, self.program_sort, self.reversed, &self.filter)
                .into_iter()
                .map(|program| program.pid.to_string())
                .collect(),
            Page::Locks(_) => {
                let rows = locks(
                    interval,
                    self.lock_sort,
                    self.reversed,
                    &self.filter,
                    self.whole,
                );
                rows.into_iter().map(|lock| lock.id.clone()).collect()
            }
        }
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
