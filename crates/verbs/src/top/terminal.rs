//! Puts the terminal into the state for a screen, and back, whatever happens.

use std::io::{self, IsTerminal, Stdout, Write, stdout};
use std::panic;
use std::sync::Once;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::ResetColor;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use rustix::process::{Signal, getpid, kill_process};

/// The screen. When it is dropped, the terminal is as it was.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Whether there is a terminal on which a screen can be drawn.
    pub fn is_possible() -> bool {
        stdout().is_terminal() && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
    }

    /// Takes the terminal. A panic gives it back before its message is printed.
    ///
    /// # Errors
    /// If the terminal cannot be set up, for example without a keyboard.
    pub fn open() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                give_back();
                before(info);
            }));
        });
        take()?;
        match Terminal::new(CrosstermBackend::new(stdout())) {
            Ok(terminal) => Ok(Self { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Draws a frame.
    ///
    /// # Errors
    /// If the terminal cannot be written to, for example because it is gone.
    pub fn draw(&mut self, draw: impl FnOnce(&mut ratatui::Frame<'_>)) -> io::Result<()> {
        self.terminal.draw(draw).map(|_| ())
    }

    /// Takes the terminal again, in case somebody has changed it.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn retake(&mut self) -> io::Result<()> {
        // Otherwise the terminal would still count as raw, although a shell may have undone that.
        let _ = disable_raw_mode();
        take()?;
        self.clear()
    }

    /// Clears the screen, so that everything is redrawn.
    ///
    /// # Errors
    /// As [`draw`](Self::draw).
    pub fn clear(&mut self) -> io::Result<()> {
        // `Terminal::clear` asks the terminal for its cursor position, and fails if no answer comes.
        execute!(stdout(), Clear(ClearType::All))?;
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back, stops the process, and takes the terminal again once the process continues.
///
/// # Errors
/// As [`Screen::open`].
pub fn suspended(screen: &mut Screen) -> io::Result<()> {
    give_back();
    // Not SIGTSTP, which we handle ourselves: the shell sees the same.
    kill_process(getpid(), Signal::STOP)?;
    screen.retake()
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    let entered = execute!(stdout(), EnterAlternateScreen, Hide);
    if entered.is_err() {
        give_back();
    }
    entered
}

/// Gives the terminal back as far as possible: at the end there is nobody to report an error to.
fn give_back() {
    let _ = execute!(stdout(), ResetColor, LeaveAlternateScreen, Show);
    let _ = stdout().flush();
    let _ = disable_raw_mode();
}
