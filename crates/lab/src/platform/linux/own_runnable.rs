//! Which threads of this process want a CPU now.

use super::tree::Tree;

/// Counts the threads of this process that run or are ready to run, including the calling one.
pub(super) fn own_runnable(tree: &Tree) -> u64 {
    let running = |task: &String| {
        let stat = tree.text(&format!("/proc/self/task/{task}/stat"))?;
        // The name in parentheses may itself hold parentheses and spaces; the state follows it.
        let (_, after_name) = stat.rsplit_once(") ")?;
        after_name.starts_with('R').then_some(())
    };
    let tasks = tree.names("/proc/self/task");
    (tasks.iter().filter_map(running).count() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake;
    use super::*;

    #[test]
    fn a_thread_with_an_awkward_name_is_counted() {
        let (_folder, tree) = fake::tree(&[
            ("/proc/self/task/10/stat", "10 (a) S (b) R 1 10"),
            ("/proc/self/task/11/stat", "11 (R ) ) S 1 10"),
            ("/proc/self/task/12/stat", "12 (x) R 1 10"),
        ]);
        assert_eq!(own_runnable(&tree), 2);
    }

    #[test]
    fn the_caller_runs_by_definition() {
        let (_folder, tree) = fake::tree(&[]);
        assert_eq!(own_runnable(&tree), 1);
    }
}
