//! Updates that are tried again because another thread was faster. A loop of such tries waits for no other thread: each failure of
//! one thread is a success of another.

use crate::evaluate::Evaluation;
use crate::execute::Effects;
use crate::graph::nest::{self, Set};
use crate::graph::{Graph, Index};
use crate::instruction::{EQUAL, Flow, How};
use crate::sort::Sort;
use crate::value::{Id, Node};

/// A loop that was evaluated.
pub struct Retries<'a> {
    /// The instructions around the sample.
    pub graph: &'a Graph,
    /// For each of them, those before it.
    pub before: &'a [Vec<Index>],
    /// The loop.
    pub evaluation: &'a Evaluation,
}

impl Retries<'_> {
    /// The loop without the updates that fail only if another thread was faster: a thread that finds a lock taken does not try
    /// them. `None` if each round tries one, so that only the thread's bad luck keeps it in the loop.
    pub fn without(&self, set: &Set, sample: Index) -> Option<Set> {
        let evaluation = self.evaluation;
        let mut rest = set.clone();
        let all = evaluation.order.iter().zip(&evaluation.effects);
        for (node, effects) in all {
            let retries = effects.atomics.iter().any(|it| it.1);
            if retries || effects.exclusive && expects_what_it_read(evaluation, effects) {
                rest.remove(*node);
            }
        }
        let fails = self.failures();
        let skipped = |from, to| fails.contains(&(from, to));
        let (graph, before) = (self.graph, self.before);
        let cycle = |through| nest::cycle_without(graph, before, &rest, through, &skipped);
        cycle(sample).or_else(|| rest.members().find_map(cycle))
    }

    /// The ways on after an exclusive write that another thread has disturbed.
    fn failures(&self) -> Vec<(Index, Index)> {
        let evaluation = self.evaluation;
        let values = &evaluation.values;
        let mut found = Vec::new();
        for (index, effects) in evaluation.order.iter().zip(&evaluation.effects) {
            let node = &self.graph.nodes[*index as usize];
            let Flow::Branch { target, when, .. } = node.instruction.flow else {
                continue;
            };
            let Some(Node::Combine(How::Compare, status, _)) =
                effects.condition.map(|it| values.node(it))
            else {
                continue;
            };
            if values.node(status) != Node::Blend(Sort::RETRY) {
                continue;
            }
            // The status is zero after a success.
            let failed = match when == EQUAL {
                true => node.instruction.next(),
                false => target,
            };
            let next = node.next.iter().filter(|it| {
                let next = &self.graph.nodes[**it as usize];
                next.instruction.address == failed
            });
            found.extend(next.map(|it| (*index, *it)));
        }
        found
    }
}

/// Whether the update that begins with this exclusive read is only tried if the word is what the thread had read before, or is tried
/// whatever it is. A lock that is taken while the word has a certain value is neither.
fn expects_what_it_read(evaluation: &Evaluation, read: &Effects) -> bool {
    let values = &evaluation.values;
    let Some(at) = read.loads.first().map(|it| it.at) else {
        return false;
    };
    let of_word = |id: Id| {
        let mut ats = Vec::new();
        values.memory_in(id, &mut ats);
        ats.contains(&at)
    };
    let mut compared = false;
    for effects in &evaluation.effects {
        let Some(Node::Combine(How::Compare, a, b)) = effects.condition.map(|it| values.node(it))
        else {
            continue;
        };
        for (word, other) in [(a, b), (b, a)] {
            if of_word(word) {
                compared = true;
                if values.sort(other).has(Sort::WORD) {
                    return true;
                }
            }
        }
    }
    let mut updates = evaluation.effects.iter().flat_map(|it| &it.atomics);
    !compared && updates.any(|it| it.0.at == at)
}
