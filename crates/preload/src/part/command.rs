//! The command line of the process.

use crate::sys;

/// Reads the command line into `buffer`. Returns the number of bytes read and the length of the whole command line.
pub fn read_command(buffer: &mut [u8]) -> (usize, u32) {
    let Ok(file) = sys::open(c"/proc/self/cmdline", libc::O_RDONLY, 0) else {
        return (0, 0);
    };
    let mut known = 0;
    while known < buffer.len() {
        match file.read(&mut buffer[known..]) {
            Ok(0) | Err(_) => return (known, known as u32),
            Ok(read) => known += read,
        }
    }
    let mut total = known as u32;
    let mut rest = [0; 512];
    while let Ok(read @ 1..) = file.read(&mut rest) {
        total = total.saturating_add(read as u32);
    }
    (known, total)
}
