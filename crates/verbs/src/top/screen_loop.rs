//! The screen: keys, signals and new intervals come in, screens go out.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event};

use super::gather_thread::{Gathering, News};
use super::run::refusal;
use crate::groups::Cgroup;
use crate::top::flags::TopArgs;
use crate::top::{Order, Palette, Screen, Signals, State, draw, is_hung_up, key_action, suspended};
use locktoll_sources::ebpf::privileges::keep_for;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::{Ending, Failure, Outcome};

/// How long to wait for keys before checking for signals and news.
const PATIENCE: Duration = Duration::from_millis(50);

/// Shows the screen until told to end.
pub fn run(args: &TopArgs, group: Option<Cgroup>) -> Outcome {
    let length = Duration::from_nanos(args.interval);
    let gathering = Gathering::start(args.pid, group, length, args.save_in.clone())?;
    // Before the terminal is taken, so that a refusal is printed where people read it.
    if let Some(News::Refused(trouble)) = gathering.next_news() {
        return Err(refusal(trouble));
    }
    // This thread draws and reads keys, and nothing else.
    keep_for(&[]);
    let signals = Signals::listen()?;
    let screen = Screen::open().map_err(|error| {
        Failure::Usage(format!(
            "the terminal cannot be used as a screen ({error}); use --json for one line per interval"
        ))
    })?;
    let ended = Live {
        screen,
        signals,
        gathering,
        state: State::new(args.pid),
        palette: Palette::of_environment(),
        left: args.count,
    }
    .run();
    match ended {
        Ok(()) => Ok(Ending::Done),
        // Taking the terminal away is another way in which people end programs.
        Err(error) if is_gone(&error) => Ok(Ending::Done),
        Err(error) => Err(error.into()),
    }
}

struct Live {
    screen: Screen,
    signals: Signals,
    gathering: Gathering,
    state: State,
    palette: Palette,
    /// Intervals left until the end, if they are counted.
    left: Option<u64>,
}

impl Live {
    fn run(mut self) -> std::io::Result<()> {
        self.draw()?;
        while !self.signals.end() && !is_hung_up() {
            let mut changed = self.take_news();
            if self.left == Some(0) {
                break;
            }
            if self.signals.stop() {
                suspended(&mut self.screen)?;
                changed = true;
            }
            // If others stopped and continued the process, the terminal may be in any state.
            if self.signals.went_on() {
                self.screen.retake()?;
                changed = true;
            }
            if event::poll(PATIENCE)? {
                changed = true;
                let read_until = Instant::now() + PATIENCE;
                // Keys that are held down come faster than screens are drawn.
                while Instant::now() < read_until && event::poll(Duration::ZERO)? {
                    match self.take(event::read()?) {
                        Some(Order::Quit) => return Ok(()),
                        Some(order) => self.carry_out(order)?,
                        None => {}
                    }
                }
            }
            if changed {
                self.draw()?;
            }
        }
        Ok(())
    }

    fn draw(&mut self) -> std::io::Result<()> {
        let (state, palette) = (&mut self.state, &self.palette);
        self.screen.draw(|frame| draw(frame, state, palette))
    }

    /// Takes in all news. Returns whether there was any.
    fn take_news(&mut self) -> bool {
        let mut any = false;
        while let Some(news) = self.gathering.news() {
            any = true;
            match news {
                News::Interval(interval) => {
                    let counts = interval.interval_ns > 0;
                    self.state.take(*interval);
                    if counts && let Some(left) = &mut self.left {
                        *left = left.saturating_sub(1);
                    }
                }
                News::Saved(Ok(path)) => {
                    self.state
                        .say(format!("saved: locktoll report {path}"), false);
                }
                News::Saved(Err(why)) => {
                    self.state
                        .say(format!("not saved: {}", shown_text(&why)), true);
                }
                News::Started | News::Refused(_) => {}
            }
        }
        any
    }

    fn take(&mut self, event: Event) -> Option<Order> {
        match event {
            Event::Key(key) => {
                let action = key_action(key, self.state.typing)?;
                self.state.act(action)
            }
            _ => None,
        }
    }

    fn carry_out(&mut self, order: Order) -> std::io::Result<()> {
        match order {
            Order::Choose(pid) => self.gathering.choose(pid),
            Order::Save(pid) => self.gathering.save(pid),
            Order::Suspend => suspended(&mut self.screen)?,
            Order::Redraw => self.screen.clear()?,
            // The caller handles this.
            Order::Quit => {}
        }
        Ok(())
    }
}

/// Whether the terminal was taken away.
fn is_gone(error: &std::io::Error) -> bool {
    matches!(
        error.raw_os_error(),
        Some(libc::EIO | libc::ENXIO | libc::ENOTTY)
    ) || error.kind() == std::io::ErrorKind::BrokenPipe
}
