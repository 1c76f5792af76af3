//! The CPUs of the threads.

use std::io;

use crate::cell::Cell;
use crate::platform::{Stay, pin_current_thread, usable_cpus};

use super::placement::Placement;

/// The CPUs of a slice.
pub(super) struct Places {
    cpus: Vec<usize>,
    chosen: bool,
}

/// The CPU of one thread.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// The user's choice: the thread stays there.
    Chosen(usize),
    /// Drawn: the thread begins there.
    Drawn(usize),
    /// Wherever the kernel puts it.
    Any,
}

impl Places {
    /// Returns those that the user has chosen, or that `placement` draws.
    pub(super) fn of(cell: &Cell, placement: &mut Placement) -> Self {
        let chosen = !cell.cpus.is_empty();
        let cpus = match chosen {
            true => cell.cpus.clone(),
            false => placement.cpus(&usable_cpus().unwrap_or_default()),
        };
        Self { cpus, chosen }
    }

    /// Returns the place of the thread with this number.
    pub(super) fn of_thread(&self, thread: u32) -> Place {
        let Some(turn) = (thread as usize).checked_rem(self.cpus.len()) else {
            return Place::Any;
        };
        match self.chosen {
            true => Place::Chosen(self.cpus[turn]),
            false => Place::Drawn(self.cpus[turn]),
        }
    }
}

impl Place {
    /// Moves the calling thread there. Returns its stay, if that is to end when the thread begins to work.
    ///
    /// # Errors
    /// The kernel's, for a CPU that the user has chosen.
    pub(super) fn enter(self) -> io::Result<Option<Stay>> {
        match self {
            Self::Chosen(cpu) => pin_current_thread(cpu).map(|()| None),
            Self::Drawn(cpu) => Ok(Stay::on(cpu)),
            Self::Any => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Calibration, Length};

    fn places(cpus: Vec<usize>, placement: u64) -> Places {
        let length = Length::Time { ns: 1000 };
        let mut cell = Cell::at_rest("std", length, Calibration { loops_per_ns: 1.0 });
        cell.cpus = cpus;
        cell.placement = placement;
        Places::of(&cell, &mut Placement::of(&cell))
    }

    #[test]
    fn chosen_cpus_are_kept_and_used_in_turn() {
        let places = places(vec![3, 1], 9);
        for (thread, cpu) in [(0, 3), (1, 1), (2, 3)] {
            assert!(matches!(places.of_thread(thread), Place::Chosen(it) if it == cpu));
        }
    }

    #[test]
    fn drawn_cpus_get_the_same_number_of_threads_and_only_for_the_beginning() {
        let usable = usable_cpus().unwrap();
        for placement in 0..5 {
            let places = places(Vec::new(), placement);
            let mut seen = vec![0; usable.len()];
            for thread in 0..2 * usable.len() as u32 {
                let Place::Drawn(cpu) = places.of_thread(thread) else {
                    panic!("not drawn");
                };
                seen[usable.iter().position(|it| *it == cpu).unwrap()] += 1;
            }
            assert!(seen.iter().all(|threads| *threads == 2), "{seen:?}");
        }
        let after = std::thread::spawn(|| {
            if let Some(stay) = Place::Drawn(usable_cpus().unwrap()[0]).enter().unwrap() {
                stay.end().unwrap();
            }
            usable_cpus().unwrap()
        });
        assert_eq!(after.join().unwrap(), usable);
    }
}
