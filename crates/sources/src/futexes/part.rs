//! The part of the collected data that is about some of the processes.

use std::collections::BTreeSet;

use super::gathered::Gathered;

impl Gathered {
    /// Returns the futex calls of the processes with these numbers. Losses, and what happened to processes, stay those of all.
    pub fn of(&self, processes: &BTreeSet<u32>) -> Self {
        fn kept<T: Clone>(all: &[T], is_kept: impl Fn(&T) -> bool) -> Vec<T> {
            all.iter().filter(|it| is_kept(it)).cloned().collect()
        }
        let has = |process: u32| processes.contains(&process);
        let stack_process = self.stack_process.iter().filter(|(_, of)| has(**of));
        let stack_process: std::collections::HashMap<u32, u32> =
            stack_process.map(|(&stack, &of)| (stack, of)).collect();
        let stacks = self.stacks.iter();
        let stacks = stacks.filter(|(stack, _)| stack_process.contains_key(stack));
        Self {
            waits: kept(&self.waits, |it| has(it.process)),
            wakes: kept(&self.wakes, |it| has(it.process)),
            owners: kept(&self.owners, |it| has(it.process)),
            preemptions: kept(&self.preemptions, |it| has(it.process)),
            words: kept(&self.words, |it| has(it.process)),
            moved: kept(&self.moved, |it| has(it.process)),
            threads: kept(&self.threads, |it| has(it.process)),
            waiting: kept(&self.waiting, |it| has(it.process)),
            images: kept(&self.images, |it| has(it.number)),
            stacks: stacks
                .map(|(&stack, calls)| (stack, calls.clone()))
                .collect(),
            stack_process,
            cut_stacks: self.cut_stacks.clone(),
            walks: self.walks,
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::gathered::{Wait, Waiting};
    use super::*;

    #[test]
    fn each_call_is_in_the_part_of_its_process_with_its_stack() {
        let wait = |process, stack| Wait {
            process,
            stack,
            woken: 1,
            ..Wait::default()
        };
        let whole = Gathered {
            waits: vec![wait(1, 10), wait(2, 20), wait(1, 11)],
            waiting: vec![Waiting {
                process: 2,
                ..Waiting::default()
            }],
            stacks: [(10, vec![1]), (11, vec![2]), (20, vec![3])].into(),
            stack_process: [(10, 1), (11, 1), (20, 2)].into(),
            ..Gathered::default()
        };
        let first = whole.of(&[1].into());
        assert_eq!(first.waits, [wait(1, 10), wait(1, 11)]);
        assert!(first.waiting.is_empty());
        assert_eq!(first.stacks, [(10, vec![1]), (11, vec![2])].into());
        assert_eq!(whole.of(&[1, 2].into()), whole);
        assert!(whole.of(&[3].into()).waits.is_empty());
    }
}
