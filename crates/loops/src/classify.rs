//! The way from a sample to a verdict: the loops around the instruction, then those of its callers.

use crate::callers::{Callers, Trail};
use crate::graph::nest::{self, Set};
use crate::graph::{Decoded, Graph, Index, PER_CALL, Reach};
use crate::judge::{Judge, Judgement};
use crate::machine::{Architecture, Code, Registers};
use crate::verdict::{Obstacle, Verdict, Work};

/// Most instructions that are looked at around one address.
const BUDGET: u32 = 800;
/// Most callers that are tried.
const CALLERS: u32 = 4;

/// A verdict, and the effort that it took.
#[derive(Clone, Debug)]
pub struct Classified {
    /// The verdict.
    pub verdict: Verdict,
    /// Instructions that were decoded.
    pub decoded: u64,
    /// Whether the sampled function decided: then the verdict is the same for all of its callers.
    pub is_alone: bool,
    pub(crate) trail: Trail,
}

/// What was found out about one function on the stack.
enum Level {
    Decided(Verdict),
    /// Nothing but delays, or no loop at all: the caller decides.
    Open(Option<Work>),
}

/// Decides whether a thread waited when it was sampled with `registers`. `callers` are the return addresses of its stack, the
/// innermost first, as far as they are known; they are used where the code does not show them.
pub fn classify(
    architecture: Architecture,
    code: &dyn Code,
    registers: &Registers,
    callers: &[u64],
) -> Classified {
    let mut decoded = Decoded::new(architecture, code);
    let mut open = None;
    let mut cut = false;
    let mut root = registers.ip;
    let mut frames = Callers::new(architecture, code, registers);
    let mut known = true;
    let mut is_alone = false;
    for calls in 0..=CALLERS {
        let start = (calls == 0).then_some(registers);
        let mut explore = |reach| Graph::explore(&mut decoded, root, start, reach, BUDGET);
        let function = explore(Reach::Function);
        if function.nodes.is_empty() {
            if calls == 0 {
                open = Some(Verdict::Unknown(Obstacle::Undecodable));
            }
            break;
        }
        let mut whole = None;
        // Most samples are in no loop at all, which the function alone shows.
        if (calls > 0 || !code.is_vdso(root)) && nest::repeats(&function) {
            let graph = whole.insert(explore(Reach::Calls));
            match level(architecture, code, registers, graph, calls) {
                Level::Decided(verdict) => {
                    open = Some(verdict);
                    is_alone = calls == 0;
                    break;
                }
                Level::Open(why) => open = open.or(why.map(Verdict::Works)),
            }
            cut |= graph.cut;
        }
        // A function of this size is not part of a caller's wait: from there, it would not be followed to its end.
        let is_large = function.cut || function.nodes.len() as u32 > PER_CALL;
        let is_cut = whole.as_ref().is_some_and(|it| it.cut);
        if (is_large || is_cut) && open.is_none() {
            is_alone = calls == 0;
            break;
        }
        let left = match (known, &whole) {
            (false, _) => None,
            (true, None) => frames.leave(&function, Reach::Function),
            (true, Some(graph)) => frames.leave(graph, Reach::Calls),
        };
        let left = match left {
            None if known && whole.is_none() => {
                let graph = explore(Reach::Calls);
                frames.leave(&graph, Reach::Calls)
            }
            left => left,
        };
        known = left.is_some();
        match left.or_else(|| callers.get(calls as usize).copied()) {
            Some(back) => root = back,
            None => break,
        }
    }
    let verdict = match open {
        Some(verdict) => verdict,
        None if cut => Verdict::Unknown(Obstacle::Budget),
        None => Verdict::Works(Work::NoLoop),
    };
    Classified {
        verdict,
        decoded: decoded.count(),
        is_alone,
        trail: frames.trail(),
    }
}

fn level(
    architecture: Architecture,
    code: &dyn Code,
    registers: &Registers,
    graph: &Graph,
    calls: u32,
) -> Level {
    let before = nest::before(graph);
    let mut all = Set::none(graph);
    (0..graph.nodes.len() as Index).for_each(|it| {
        all.add(it);
    });
    let Some(around) = nest::cycle(graph, &before, &all, 0) else {
        return Level::Open(None);
    };
    let sample = around.members().find(|it| {
        let node = &graph.nodes[*it as usize];
        node.instruction.address == registers.ip && (calls == 0 || node.call != 0)
    });
    let Some(sample) = sample else {
        return Level::Open(None);
    };
    let judge = Judge {
        architecture,
        code,
        registers,
        graph,
        before: &before,
        sample,
    };
    let root = graph.nodes[0].instruction.address;
    let mut open = None;
    let mut visits = None;
    for around in nest::loops(graph, &before, &around, sample, root) {
        // Loops inside the called function have been judged as its own.
        if !around.set.has(0) {
            continue;
        }
        let judgement = judge.judge(&around.set, around.head);
        if around.is_way && !is_plain_wait(&judgement) {
            continue;
        }
        let verdict = match judgement {
            Judgement::Delay(why) => {
                open = open.or(Some(why));
                continue;
            }
            // A loop that visits the words of several threads may be part of one that waits for all of them.
            Judgement::Works(why @ (Work::Moves | Work::Computes)) if visits.is_none() => {
                visits = Some(why);
                continue;
            }
            Judgement::Waits(mut found) if visits.is_none() || found.features.scans => {
                found.calls = calls;
                Verdict::Waits(found)
            }
            Judgement::Waits(_) => break,
            Judgement::Works(why) => Verdict::Works(visits.unwrap_or(why)),
            // No loop of that size visits words to wait for them.
            Judgement::TooLarge => {
                visits.map_or(Verdict::Unknown(Obstacle::Budget), Verdict::Works)
            }
        };
        return Level::Decided(verdict);
    }
    match visits {
        Some(why) => Level::Decided(Verdict::Works(why)),
        None => Level::Open(open),
    }
}

/// Whether the loop waits by reading alone. The shortest way through an update that is tried again until it succeeds looks like an
/// attempt that keeps failing, so only the whole loop can tell.
fn is_plain_wait(judgement: &Judgement) -> bool {
    matches!(judgement, Judgement::Waits(found) if !found.features.exchange)
}
