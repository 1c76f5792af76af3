//! A pseudo-terminal with the binary in it, read as a person reads it.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longer than anything takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Terminal {
    child: Child,
    keyboard: File,
    /// The end that the program has, kept open so that its state can be looked at after the program's end.
    slave: OwnedFd,
    parser: Arc<Mutex<vt100::Parser>>,
    before: libc::termios,
}

impl Terminal {
    /// Starts a command in a terminal of this size.
    pub fn start(command: &mut Command, columns: u16, lines: u16) -> Self {
        Self::open(command.env_remove("NO_COLOR"), columns, lines)
    }

    /// The same for somebody who wants no colours.
    pub fn start_without_colours(command: &mut Command, columns: u16, lines: u16) -> Self {
        Self::open(command.env("NO_COLOR", "1"), columns, lines)
    }

    fn open(command: &mut Command, columns: u16, lines: u16) -> Self {
        let size = libc::winsize {
            ws_row: lines,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let (mut master, mut slave) = (-1, -1);
        // SAFETY: the kernel fills the two numbers; a name and settings are not asked for; `size` lives through the call.
        let opened = unsafe {
            libc::openpty(
                &raw mut master,
                &raw mut slave,
                std::ptr::null_mut(),
                std::ptr::null(),
                &raw const size,
            )
        };
        assert_eq!(opened, 0, "no pseudo-terminal");
        // SAFETY: both were just opened, and belong to nobody else.
        let (master, slave) = unsafe { (File::from_raw_fd(master), OwnedFd::from_raw_fd(slave)) };
        let before = settings(&slave);
        let number = slave.as_raw_fd();
        command
            .env("TERM", "xterm-256color")
            .env_remove("COLUMNS")
            .stdin(Stdio::null());
        // SAFETY: only system calls between fork and exec: a new session, whose terminal this becomes, on all three descriptors.
        unsafe {
            command.pre_exec(move || match libc::login_tty(libc::dup(number)) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            });
        }
        let child = command.spawn().unwrap();
        let parser = Arc::new(Mutex::new(vt100::Parser::new(
            some(lines),
            some(columns),
            0,
        )));
        let shown = Arc::clone(&parser);
        let mut output = master.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // It ends with an error once nobody has the other end any more.
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                shown.lock().unwrap().process(&bytes[..read]);
            }
        });
        Self {
            child,
            keyboard: master,
            slave,
            parser,
            before,
        }
    }

    /// The number of the process in it.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// What is on the screen.
    pub fn text(&self) -> String {
        self.parser.lock().unwrap().screen().contents()
    }

    /// Whether a screen is drawn: the alternate one, without a cursor.
    pub fn is_taken(&self) -> bool {
        let parser = self.parser.lock().unwrap();
        parser.screen().alternate_screen() && parser.screen().hide_cursor()
    }

    /// Waits until the text is as wanted, and gives it.
    #[track_caller]
    pub fn until(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let text = self.text();
            if wanted(&text) {
                return text;
            }
            assert!(began.elapsed() < PATIENCE, "no {what} on:\n{text}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until something is so.
    #[track_caller]
    pub fn until_so(&self, what: &str, so: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        while !so(self) {
            assert!(began.elapsed() < PATIENCE, "never {what}:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Sends a signal to the program.
    pub fn send(&self, signal: i32) {
        // SAFETY: the child has not been waited for, so its number is still its own.
        assert_eq!(unsafe { libc::kill(self.process() as i32, signal) }, 0);
    }

    /// Makes the terminal another size, of which the kernel tells the program.
    pub fn resize(&mut self, columns: u16, lines: u16) {
        self.parser
            .lock()
            .unwrap()
            .screen_mut()
            .set_size(some(lines), some(columns));
        let size = libc::winsize {
            ws_row: lines,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        // SAFETY: the descriptor is a terminal's, and `size` lives through the call.
        let set =
            unsafe { libc::ioctl(self.keyboard.as_raw_fd(), libc::TIOCSWINSZ, &raw const size) };
        assert_eq!(set, 0);
    }

    /// Whether the terminal is as it was before the program: its settings, and what it shows.
    pub fn is_as_before(&self) -> bool {
        let now = settings(&self.slave);
        let same = now.c_lflag == self.before.c_lflag
            && now.c_iflag == self.before.c_iflag
            && now.c_oflag == self.before.c_oflag;
        let parser = self.parser.lock().unwrap();
        same && !parser.screen().alternate_screen() && !parser.screen().hide_cursor()
    }

    /// Whether anything on the screen has a colour.
    pub fn has_colours(&self) -> bool {
        let parser = self.parser.lock().unwrap();
        let screen = parser.screen();
        let (lines, columns) = screen.size();
        let (lines, columns) = (lines.get(), columns.get());
        let mut cells = (0..lines).flat_map(|line| (0..columns).map(move |column| (line, column)));
        cells.any(|(line, column)| {
            let cell = screen.cell(line, column);
            cell.is_some_and(|it| {
                it.fgcolor() != vt100::Color::Default || it.bgcolor() != vt100::Color::Default
            })
        })
    }

    /// Sets the terminal as it was before the program.
    pub fn restore_settings(&self) {
        // SAFETY: the descriptor is a terminal's, and the settings were read from it.
        let set = unsafe {
            libc::tcsetattr(
                self.slave.as_raw_fd(),
                libc::TCSANOW,
                &raw const self.before,
            )
        };
        assert_eq!(set, 0);
    }

    /// Whether keys reach the program one by one.
    pub fn is_raw(&self) -> bool {
        settings(&self.slave).c_lflag & (libc::ICANON | libc::ECHO) == 0
    }

    /// Whether the program is stopped.
    pub fn is_stopped(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process()));
        stat.is_ok_and(|stat| {
            stat.rsplit(") ")
                .next()
                .is_some_and(|it| it.starts_with('T'))
        })
    }

    /// Waits for the program's end.
    #[track_caller]
    pub fn end(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(began.elapsed() < PATIENCE, "it goes on:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn settings(slave: &OwnedFd) -> libc::termios {
    // SAFETY: all zeroes is a valid termios, and the kernel fills the struct we own.
    unsafe {
        let mut settings: libc::termios = std::mem::zeroed();
        assert_eq!(libc::tcgetattr(slave.as_raw_fd(), &raw mut settings), 0);
        settings
    }
}

fn some(size: u16) -> NonZero<u16> {
    NonZero::new(size).expect("a terminal has a size")
}
