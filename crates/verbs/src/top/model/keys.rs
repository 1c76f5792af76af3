//! Keys and their actions.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The action that a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// End.
    Quit,
    /// Give the terminal back to the shell for a while.
    Suspend,
    /// Redraw everything.
    Redraw,
    /// Move the cursor by this many rows, up if negative.
    Move(i32),
    /// Move the cursor by this many screens.
    Page(i32),
    /// Go to the first row.
    First,
    /// Go to the last row.
    Last,
    /// Open the row under the cursor.
    Open,
    /// Go back to the previous page.
    Back,
    /// Order by the next column.
    NextOrder,
    /// Reverse the order.
    Reverse,
    /// Begin to type a filter.
    Filter,
    /// A character of the filter.
    Type(char),
    /// Delete the filter's last character.
    Erase,
    /// The filter is done.
    Accept,
    /// Pause the screen, or let it continue.
    Pause,
    /// Switch between the figures of the last interval and those since the start.
    Period,
    /// Write the data collected about the program to a file.
    Save,
    /// Explain the keys and columns.
    Help,
    /// Do nothing, except to end the help, as any key does.
    Nothing,
}

/// Returns what a key asks for, if anything. `typing` is true while a filter is typed, which takes all characters.
pub fn key_action(key: KeyEvent, typing: bool) -> Option<Action> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Action::Quit),
            KeyCode::Char('z') => Some(Action::Suspend),
            KeyCode::Char('l') => Some(Action::Redraw),
            KeyCode::Char('u') if typing => Some(Action::Back),
            _ => None,
        };
    }
    if typing {
        return match key.code {
            KeyCode::Char(character) => Some(Action::Type(character)),
            KeyCode::Backspace => Some(Action::Erase),
            KeyCode::Enter => Some(Action::Accept),
            KeyCode::Esc => Some(Action::Back),
            KeyCode::Up => Some(Action::Move(-1)),
            KeyCode::Down => Some(Action::Move(1)),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Char('q') => Action::Quit,
        KeyCode::Up | KeyCode::Char('k') => Action::Move(-1),
        KeyCode::Down | KeyCode::Char('j') => Action::Move(1),
        KeyCode::PageUp => Action::Page(-1),
        KeyCode::PageDown => Action::Page(1),
        KeyCode::Home | KeyCode::Char('g') => Action::First,
        KeyCode::End | KeyCode::Char('G') => Action::Last,
        KeyCode::Enter | KeyCode::Right => Action::Open,
        KeyCode::Esc | KeyCode::Left | KeyCode::Backspace => Action::Back,
        KeyCode::Char('o') => Action::NextOrder,
        KeyCode::Char('r') => Action::Reverse,
        KeyCode::Char('/') => Action::Filter,
        KeyCode::Char('p' | ' ') => Action::Pause,
        KeyCode::Char('t') => Action::Period,
        KeyCode::Char('s') => Action::Save,
        KeyCode::Char('?' | 'h') => Action::Help,
        _ => Action::Nothing,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(code: KeyCode, modifiers: KeyModifiers, typing: bool) -> Option<Action> {
        key_action(KeyEvent::new(code, modifiers), typing)
    }

    #[test]
    fn while_a_filter_is_typed_letters_are_letters() {
        let q = KeyCode::Char('q');
        assert_eq!(pressed(q, KeyModifiers::NONE, false), Some(Action::Quit));
        assert_eq!(
            pressed(q, KeyModifiers::NONE, true),
            Some(Action::Type('q'))
        );
        let c = KeyCode::Char('c');
        for typing in [false, true] {
            assert_eq!(
                pressed(c, KeyModifiers::CONTROL, typing),
                Some(Action::Quit)
            );
        }
    }

    #[test]
    fn a_key_that_is_let_go_does_nothing() {
        let mut key = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
        key.kind = KeyEventKind::Release;
        assert_eq!(key_action(key, false), None);
    }
}
