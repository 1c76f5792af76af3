//! Stacks by the process to which they belong.
//!
//! The kernel's program numbers stacks by their addresses alone. Two processes can have the same addresses, with different
//! functions at them.

use std::collections::HashMap;

use super::gathered::Gathered;

/// Gives each process stacks of its own, and notes to which process they belong.
pub fn separate(gathered: &mut Gathered) {
    let mut own = Own {
        process: HashMap::new(),
        copies: HashMap::new(),
        free: 1,
        stacks: &mut gathered.stacks,
        cut: &mut gathered.cut_stacks,
    };
    for wait in &mut gathered.waits {
        own.take(wait.process, &mut wait.stack);
        own.take(wait.waker_process, &mut wait.waker_stack);
    }
    for wake in &mut gathered.wakes {
        own.take(wake.process, &mut wake.stack);
    }
    gathered.stack_process = own.process;
}

struct Own<'a, Cut> {
    /// The process of each stack, by the stack's number.
    process: HashMap<u32, u32>,
    /// The numbers of copied stacks, by process and previous number.
    copies: HashMap<(u32, u32), u32>,
    /// Numbers below this one are not looked at again.
    free: u32,
    stacks: &'a mut HashMap<u32, Vec<u64>>,
    cut: &'a mut HashMap<u32, Cut>,
}

impl<Cut: Copy> Own<'_, Cut> {
    /// Makes `number` the number of a stack that belongs to `process` alone.
    fn take(&mut self, process: u32, number: &mut u32) {
        if *number == 0 {
            return;
        }
        let owner = *self.process.entry(*number).or_insert(process);
        if owner != process {
            *number = self.copy(process, *number);
        }
    }

    fn copy(&mut self, process: u32, number: u32) -> u32 {
        if let Some(&copy) = self.copies.get(&(process, number)) {
            return copy;
        }
        while self.stacks.contains_key(&self.free) || self.process.contains_key(&self.free) {
            self.free += 1;
        }
        let copy = self.free;
        if let Some(addresses) = self.stacks.get(&number).cloned() {
            self.stacks.insert(copy, addresses);
        }
        if let Some(&cut) = self.cut.get(&number) {
            self.cut.insert(copy, cut);
        }
        self.process.insert(copy, process);
        self.copies.insert((process, number), copy);
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::futexes::gathered::{Wait, Wake};

    fn wait(process: u32, stack: u32, waker_process: u32, waker_stack: u32) -> Wait {
        Wait {
            process,
            stack,
            waker_process,
            waker_stack,
            ..Wait::default()
        }
    }

    #[test]
    fn two_processes_with_the_same_addresses_have_a_stack_each() {
        let mut gathered = Gathered {
            waits: vec![wait(7, 1, 8, 1), wait(8, 1, 7, 1), wait(8, 2, 0, 0)],
            wakes: vec![Wake {
                process: 8,
                stack: 1,
                ..Wake::default()
            }],
            stacks: [(1, vec![0x10, 0x20]), (2, vec![0x30])].into(),
            ..Gathered::default()
        };
        separate(&mut gathered);
        let [first, second, third] = &gathered.waits[..] else {
            panic!("three");
        };
        assert_eq!((first.stack, second.waker_stack), (1, 1));
        let copy = first.waker_stack;
        assert!(copy != 1 && copy != 2 && copy != 0);
        assert_eq!((second.stack, gathered.wakes[0].stack), (copy, copy));
        assert_eq!((third.stack, third.waker_stack), (2, 0));
        assert_eq!(gathered.stacks[&copy], [0x10, 0x20]);
        assert_eq!(gathered.stack_process, [(1, 7), (2, 8), (copy, 8)].into());
    }
}
