//! The stacks that were taken.

use std::collections::HashMap;

use aya::maps::PerCpuArray;

use super::code::Extent;
use super::layout::{FRAMES, Stack};
use crate::ebpf::Loaded;

/// Why the outermost functions of a stack are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// There are more calls than the limit.
    TooDeep,
    /// Memory could not be read at that moment.
    Unreadable,
    /// There is call frame information that our rules cannot express.
    Unsupported,
    /// There is code without call frame information, and there is no frame where the frame pointer points.
    NoFrame,
}

impl Cut {
    /// Returns the reason with this number in `enum end`; `None` if nothing is missing.
    fn of(number: u32) -> Option<Self> {
        match number {
            0 => None,
            1 => Some(Self::TooDeep),
            2 => Some(Self::Unreadable),
            3 => Some(Self::Unsupported),
            _ => Some(Self::NoFrame),
        }
    }
}

/// How often the kernel's program was asked for a stack, and how it answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walks {
    /// Answers from a walk.
    pub walked: u64,
    /// Answers from the thread's last walk from there, every word of which was unchanged.
    pub stood: u64,
    /// The size of the tables; `None` if there are none, and frame pointers were followed.
    pub extent: Option<Extent>,
}

/// The stacks that were taken.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// Addresses by the stack's number, innermost first.
    pub addresses: HashMap<u32, Vec<u64>>,
    /// Those that do not reach the outermost function.
    pub cut: HashMap<u32, Cut>,
    /// How they were taken.
    pub walks: Walks,
    /// How often a stack could not be taken.
    pub dropped: u64,
}

/// Reads the stacks of `loaded`.
///
/// # Errors
/// If the kernel does not let us read the maps.
pub fn stacks(loaded: &Loaded) -> anyhow::Result<Stacks> {
    let mut stacks = Stacks::default();
    for entry in loaded.hash::<u32, Stack>("stacks")?.iter() {
        let (number, stack) = entry?;
        let frames = (stack.frames as usize).min(FRAMES);
        stacks
            .addresses
            .insert(number, stack.addresses[..frames].to_vec());
        if let Some(cut) = Cut::of(stack.end) {
            stacks.cut.insert(number, cut);
        }
    }
    let counts: PerCpuArray<_, u64> = PerCpuArray::try_from(loaded.map("unwind_walks")?)?;
    let count = |outcome| anyhow::Ok(counts.get(&outcome, 0)?.iter().sum::<u64>());
    stacks.walks.walked = count(0)?;
    stacks.walks.stood = count(1)?;
    stacks.dropped = count(2)? + count(3)? + count(4)?;
    Ok(stacks)
}
