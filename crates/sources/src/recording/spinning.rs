//! Busy waiting, as it was seen from outside, and the recorded locks in which it was.

use locktoll_recording::layout::{Architecture, LockKind};
use locktoll_recording::reader::Recording;

use super::part_view::PartView;
use super::rows::Rows;
use crate::spun::{self, Report};
use locktoll_results::profile::Profile;

/// What the recording has on busy waiting.
pub struct Spinning(Option<Result<Report, serde_json::Error>>);

impl Spinning {
    /// Reads it from the first part that has it.
    pub fn of(recording: &Recording) -> Self {
        let text = recording
            .parts
            .iter()
            .find_map(|part| part.spinning.as_deref());
        Self(text.map(serde_json::from_str))
    }

    /// Returns the words for which threads waited, as process and address.
    pub fn words(&self) -> Vec<(u32, u64)> {
        let Some(Ok(report)) = &self.0 else {
            return Vec::new();
        };
        let words = report.rows.iter().flat_map(|row| &row.words);
        words.copied().collect()
    }

    /// Adds it to the profile.
    pub fn add_to(self, profile: &mut Profile) {
        match self.0 {
            None => {}
            Some(Err(_)) => profile
                .warnings
                .push("the figures on busy waiting cannot be read".to_owned()),
            Some(Ok(report)) => spun::add(profile, report),
        }
    }
}

/// A word within this many bytes of a lock is probably in the same object.
const NEAR: i64 = 128;

impl Rows {
    /// Notes in which locks of a process threads waited busily.
    pub(super) fn add_spun_words(&mut self, view: &PartView<'_>, row_of: &[Option<usize>]) {
        let (pid, architecture) = (view.part.process.pid, view.part.process.architecture);
        for index in 0..self.spun_words.len() {
            let word = self.spun_words[index];
            if word.0 != pid {
                continue;
            }
            let instances = view.instances.list().iter().zip(row_of);
            let around = instances
                .filter(|(it, _)| word.1.wrapping_sub(it.address) < bytes(it.kind, architecture))
                .find_map(|(_, row)| *row);
            if let Some(row) = around {
                self.rows[row].spun_words.push(word);
                continue;
            }
            let instances = view.instances.list().iter().zip(row_of);
            let nearest = instances
                .filter_map(|(it, row)| Some((word.1.wrapping_sub(it.address) as i64, (*row)?)))
                .filter(|(distance, _)| distance.abs() <= NEAR)
                .min_by_key(|(distance, _)| distance.abs());
            if let Some((distance, row)) = nearest {
                self.rows[row].near_words.push((word.0, word.1, distance));
            }
        }
    }
}

/// Returns the size of the C library's object: the next field of a structure does not belong to it. Spin locks and futex words have four
/// bytes.
fn bytes(kind: LockKind, architecture: Option<Architecture>) -> u64 {
    match kind {
        LockKind::Mutex if architecture == Some(Architecture::Aarch64) => 48,
        LockKind::Mutex => 40,
        LockKind::Condvar => 48,
        LockKind::RwLock => 56,
        LockKind::Semaphore | LockKind::Barrier => 32,
        _ => 4,
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_are_those_of_the_c_library() {
        let native = match cfg!(target_arch = "aarch64") {
            true => Architecture::Aarch64,
            false => Architecture::X86_64,
        };
        let of = |kind| bytes(kind, Some(native)) as usize;
        assert_eq!(of(LockKind::Mutex), size_of::<libc::pthread_mutex_t>());
        assert_eq!(of(LockKind::Condvar), size_of::<libc::pthread_cond_t>());
        assert_eq!(of(LockKind::RwLock), size_of::<libc::pthread_rwlock_t>());
        assert_eq!(of(LockKind::Semaphore), size_of::<libc::sem_t>());
        assert_eq!(of(LockKind::Barrier), size_of::<libc::pthread_barrier_t>());
    }
}
