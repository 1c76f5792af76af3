//! The guest's side: the first process of the virtual machine.
//!
//! 1. The strings that are passed to the kernel here are constants that end with a zero byte.

use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::time::Duration;

use locktoll_sources::kernel_locks::SpinSlowPath;
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use super::message::{Answer, Request, line, read};
use crate::reproduce::kernel_plan::KernelPlan;
use crate::reproduce::kernel_run::KernelRound;
use crate::reproduce::system_watch::{acquisitions, build};

/// The serial line to the host.
const LINE: &str = "/dev/ttyS0";

/// File systems that the first process of a Linux system has to mount itself: type and place.
const MOUNTS: [(&CStr, &CStr); 3] = [
    (c"proc", c"/proc"),
    (c"sysfs", c"/sys"),
    (c"devtmpfs", c"/dev"),
];

/// Does what the host asks for, and switches the machine off. Waits are counted in ticks of the host's counter, of which the guest's
/// is a copy; the guest does not trust its own, since the emulated processor does not promise that it is steady.
///
/// # Errors
/// If this is not the first process of a guest. In a guest, a failure ends the first process, so the kernel panics, and the
/// emulator ends with it.
pub fn serve(counter_khz: u64) -> Outcome {
    if std::process::id() != 1 {
        return Err(Failure::Usage(
            "this argument is for the first process of a guest of `locktoll reproduce`".to_owned(),
        ));
    }
    mount_all()?;
    let mut to_host = OpenOptions::new().read(true).write(true).open(LINE)?;
    unprocessed(&to_host)?;
    let requests = BufReader::new(to_host.try_clone()?).lines();
    match Watching::begin(counter_khz) {
        Ok(watching) => {
            let ready = Answer::Ready {
                kernel: rustix::system::uname()
                    .release()
                    .to_string_lossy()
                    .into_owned(),
            };
            to_host.write_all(line(&ready).as_bytes())?;
            for request in requests {
                match read(&request?) {
                    Some(Request::Round { milliseconds, jobs }) => {
                        let round = watching.round(Duration::from_millis(milliseconds), jobs);
                        let answer = round.map_or_else(Answer::Refused, Answer::Round);
                        to_host.write_all(line(&answer).as_bytes())?;
                    }
                    Some(Request::End) => break,
                    None => {}
                }
            }
        }
        Err(why) => to_host.write_all(line(&Answer::Refused(why)).as_bytes())?,
    }
    // The line must be empty before the power is gone.
    rustix::termios::tcdrain(&to_host).map_err(std::io::Error::from)?;
    // SAFETY: no memory is involved.
    unsafe { libc::reboot(libc::RB_POWER_OFF) };
    Ok(Ending::Done)
}

/// The watch over the guest's spin locks.
struct Watching(SpinSlowPath);

impl Watching {
    fn begin(counter_khz: u64) -> Result<Self, String> {
        let watch = SpinSlowPath::begin(counter_khz as f64 / 1e6);
        // `doctor`, which the message names, is not at hand in a guest.
        let why = |failure| match failure {
            Failure::NotTraced(said) => format!(
                "the guest's kernel does not accept programs at its functions, or does not describe itself (BTF): {said}; name \
                 another image with --guest-kernel FILE"
            ),
            other => other.to_string(),
        };
        watch.map(Self).map_err(why)
    }

    fn round(&self, length: Duration, jobs: u32) -> Result<KernelRound, String> {
        let log2 = || self.0.log2_ticks().map_err(|error| error.to_string());
        let plan = KernelPlan {
            repeat: 1,
            length,
            jobs,
            hogs: 0,
            host: None,
        };
        let (before, known) = (log2()?, acquisitions()?);
        build(&plan)?;
        let (after, now) = (log2()?, acquisitions()?);
        let added = after.iter().zip(&before);
        Ok(KernelRound {
            log2_cycles: added.map(|(after, before)| after - before).collect(),
            known_acquisitions: now.saturating_sub(known),
        })
    }
}

fn mount_all() -> std::io::Result<()> {
    for (kind, place) in MOUNTS {
        // SAFETY: invariant 1; no data is passed.
        let result = unsafe {
            libc::mount(
                kind.as_ptr(),
                place.as_ptr(),
                kind.as_ptr(),
                0,
                std::ptr::null(),
            )
        };
        // Some kernels mount /dev themselves.
        let error = std::io::Error::last_os_error();
        if result != 0 && error.raw_os_error() != Some(libc::EBUSY) {
            return Err(error);
        }
    }
    Ok(())
}

/// Makes the line pass on bytes as they are, without echo.
fn unprocessed(terminal: &File) -> std::io::Result<()> {
    let mut settings = tcgetattr(terminal)?;
    settings.make_raw();
    tcsetattr(terminal, OptionalActions::Now, &settings)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_for_the_first_process_alone() {
        assert!(matches!(serve(2_600_000), Err(Failure::Usage(_))));
    }
}
