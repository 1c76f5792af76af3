//! From the collected data to the result that people read.

use std::collections::HashMap;

use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Noise;

use super::Symbols;
use super::callers::{Caller, hexadecimal};
use super::gathered::{Gathered, OfLock, Taken};
use super::waits::Waits;
use crate::joiner::quantile_ns;
use locktoll_results::Made;
use locktoll_results::kernel::{
    KernelCaller, KernelCpu, KernelKind, KernelLock, KernelLockKind, KernelLost, KernelProbe,
    KernelResult, KernelScope, KernelWaits,
};

/// The input for a result, in addition to the gathered data.
pub struct Summary<'a> {
    /// The gathered data.
    pub gathered: &'a Gathered,
    /// Names, or why there are none.
    pub symbols: &'a Result<Symbols, String>,
    /// The machine on which it was gathered.
    pub machine: Machine,
    /// What else went on at the time.
    pub noise: Noise,
    /// The command that ran.
    pub command: Option<Vec<String>>,
    /// Whose waits they are.
    pub scope: KernelScope,
    /// The length of the watch.
    pub duration_ns: u64,
    /// Ticks of the processor's counter per nanosecond.
    pub ticks_per_ns: Option<f64>,
    /// Why the programs' cost is not known, if it is not.
    pub why_no_cost: Option<&'a str>,
}

impl Summary<'_> {
    /// Returns the result.
    pub fn result(self) -> KernelResult {
        let gathered = self.gathered;
        let symbols = self.symbols.as_ref().ok();
        let total = sum(gathered.kinds.iter().flat_map(|kind| &kind.by_cpu));
        let probe = probe(
            gathered.taken,
            self.why_no_cost,
            &total,
            self.duration_ns,
            self.machine.online_cpus,
        );
        KernelResult {
            schema: KernelResult::SCHEMA.to_owned(),
            version: locktoll_terminal::version::version().to_owned(),
            made: Some(Made::now()),
            machine: self.machine,
            noise: self.noise,
            command: self.command,
            scope: self.scope,
            duration_ns: self.duration_ns,
            ticks_per_ns: self.ticks_per_ns,
            kinds: kinds(gathered, self.ticks_per_ns.is_some()),
            cpus: cpus(gathered),
            callers: gathered
                .callers
                .is_some()
                .then(|| callers(gathered, symbols)),
            locks: gathered.locks.is_some().then(|| locks(gathered, symbols)),
            why_no_names: why_no_names(self.symbols, gathered),
            total: figures(&total),
            probe,
            lost: lost(gathered),
        }
    }
}

fn sum<'w>(all: impl Iterator<Item = &'w Waits>) -> Waits {
    let mut sum = Waits::none();
    all.for_each(|waits| sum.add(waits));
    sum
}

/// Returns the waits with the figures that follow from them. Empty buckets at the end are left out.
fn figures(waits: &Waits) -> KernelWaits {
    let used = waits.log2.iter().rposition(|count| *count > 0);
    let log2 = &waits.log2[..used.map_or(0, |last| last + 1)];
    // If the longest wait is not known, the end of the last bucket bounds it.
    let most = waits
        .max_ns
        .unwrap_or(1_u64.checked_shl(log2.len() as u32).unwrap_or(u64::MAX));
    let quantile = |share| quantile_ns(&waits.log2, share, most);
    KernelWaits {
        count: waits.count,
        total_ns: waits.total_ns,
        max_ns: waits.max_ns,
        p50_ns: quantile(0.5),
        p99_ns: quantile(0.99),
        log2: log2.to_vec(),
    }
}

fn kinds(gathered: &Gathered, has_ticks: bool) -> Vec<KernelKind> {
    let rows = gathered.kinds.iter().map(|kind| KernelKind {
        kind: kind.kind,
        waits: figures(&sum(kind.by_cpu.iter())),
        failed: kind.failed,
        repeated_begins: kind.repeated_begins,
        log2_ticks: has_ticks.then(|| {
            let used = kind.log2_ticks.iter().rposition(|count| *count > 0);
            kind.log2_ticks[..used.map_or(0, |last| last + 1)].to_vec()
        }),
    });
    let mut rows: Vec<KernelKind> = rows.filter(|row| row.waits.count > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.waits.total_ns));
    rows
}

fn cpus(gathered: &Gathered) -> Vec<KernelCpu> {
    let possible = gathered.kinds.iter().map(|kind| kind.by_cpu.len()).max();
    let rows = (0..possible.unwrap_or(0)).map(|cpu| KernelCpu {
        cpu,
        waits: figures(&sum(gathered
            .kinds
            .iter()
            .filter_map(|kind| kind.by_cpu.get(cpu)))),
    });
    rows.filter(|row| row.waits.count > 0).collect()
}

/// Returns the waits by function and kind: several stacks may lead to the same one.
fn callers(gathered: &Gathered, symbols: Option<&Symbols>) -> Vec<KernelCaller> {
    struct Row {
        waits: Waits,
        from: Vec<String>,
        most_ns: u64,
    }
    let mut rows: HashMap<(Option<String>, KernelLockKind), Row> = HashMap::new();
    for one in gathered.callers.iter().flatten() {
        let caller = caller_of(gathered, one.stack, symbols);
        let row = rows.entry((caller.function, one.kind)).or_insert(Row {
            waits: Waits::none(),
            from: Vec::new(),
            most_ns: 0,
        });
        row.waits.add(&one.waits);
        if one.waits.total_ns >= row.most_ns {
            row.most_ns = one.waits.total_ns;
            row.from = caller.from;
        }
    }
    let rows = rows
        .into_iter()
        .map(|((function, kind), row)| KernelCaller {
            function,
            from: row.from,
            kind,
            waits: figures(&row.waits),
        });
    let mut rows: Vec<KernelCaller> = rows.filter(|row| row.waits.count > 0).collect();
    rows.sort_by(|a, b| {
        let time = b.waits.total_ns.cmp(&a.waits.total_ns);
        time.then_with(|| a.function.cmp(&b.function))
    });
    rows
}

fn locks(gathered: &Gathered, symbols: Option<&Symbols>) -> Vec<KernelLock> {
    let rows = gathered.locks.iter().flatten().map(|one| KernelLock {
        name: name_of(one, gathered, symbols),
        address: one.field.is_none().then(|| hexadecimal(one.address)),
        caller: caller_of(gathered, one.stack, symbols).function,
        kind: one.kind,
        waits: figures(&one.waits),
    });
    let mut rows: Vec<KernelLock> = rows.filter(|row| row.waits.count > 0).collect();
    rows.sort_by(|a, b| {
        let time = b.waits.total_ns.cmp(&a.waits.total_ns);
        time.then_with(|| a.address.cmp(&b.address))
    });
    rows
}

fn caller_of(gathered: &Gathered, stack: u32, symbols: Option<&Symbols>) -> Caller {
    let stack = gathered.stacks.get(&stack);
    Caller::of(stack.map_or(&[], Vec::as_slice), symbols)
}

fn name_of(lock: &OfLock, gathered: &Gathered, symbols: Option<&Symbols>) -> Option<String> {
    if let Some(field) = lock.field {
        return Some(field.name().to_owned());
    }
    if let Some(cpu) = gathered.run_queues.get(&lock.address) {
        return Some(format!("rq->__lock of CPU {cpu}"));
    }
    let (name, offset) = symbols?.variable(lock.address)?;
    Some(match offset {
        0 => name.to_owned(),
        _ => format!("{name}+{offset:#x}"),
    })
}

fn why_no_names(symbols: &Result<Symbols, String>, gathered: &Gathered) -> Option<String> {
    match symbols {
        Err(why) if gathered.callers.is_some() || gathered.locks.is_some() => Some(why.clone()),
        Ok(symbols) if gathered.locks.is_some() && !symbols.has_variables() => Some(
            "this kernel keeps those of functions, not of variables (CONFIG_KALLSYMS_ALL)"
                .to_owned(),
        ),
        _ => None,
    }
}

fn probe(
    taken: Option<Taken>,
    why_not: Option<&str>,
    total: &Waits,
    duration_ns: u64,
    cpus: Option<usize>,
) -> KernelProbe {
    let Some(taken) = taken else {
        return KernelProbe {
            why_not: why_not.map(str::to_owned),
            ..KernelProbe::default()
        };
    };
    let over = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
    let all_ns = taken.begins_ns + taken.ends_ns;
    KernelProbe {
        begin_ns: over(taken.begins_ns, taken.begins),
        end_ns: over(taken.ends_ns, taken.ends),
        total_ns: Some(all_ns),
        share_of_waiting: over(all_ns, total.total_ns),
        share_of_time: cpus.and_then(|cpus| over(all_ns, duration_ns * cpus as u64)),
        why_not: None,
    }
}

fn lost(gathered: &Gathered) -> KernelLost {
    let lost = gathered.lost;
    KernelLost {
        nested: lost.nested,
        threads: lost.tasks,
        stacks: lost.stacks,
        callers: lost.callers,
        locks: lost.locks,
        ends: lost.ends,
        begins: lost.begins,
        skipped: lost.skipped,
    }
}
