//! Decides about one loop: which of its instructions no waiting thread would execute, and whether a write by another thread ends
//! it.

use std::collections::HashMap;

use crate::evaluate::{Evaluation, evaluate};
use crate::execute::{Effects, frame_of, stack_of};
use crate::graph::nest::{self, Set};
use crate::graph::{Graph, Index};
use crate::instruction::{EQUAL, Flow, Hint, How};
use crate::machine::{Architecture, Code, Registers};
use crate::retries::Retries;
use crate::sort::Sort;
use crate::system_call::{Purpose, purpose};
use crate::value::{Id, Node, Values};
use crate::verdict::{Features, Spot, WaitingLoop, Word, Work, is_own};
use crate::word::Computer;

/// A larger loop is not evaluated.
const LARGEST: usize = 420;
/// Most times that instructions are taken out of the loop.
const ROUNDS: u32 = 4;

/// All that is the same for the loops around one sample.
pub struct Judge<'a> {
    /// Architecture.
    pub architecture: Architecture,
    /// The program's memory.
    pub code: &'a dyn Code,
    /// The sampled registers.
    pub registers: &'a Registers,
    /// The instructions around the sample.
    pub graph: &'a Graph,
    /// For each of them, those before it.
    pub before: &'a [Vec<Index>],
    /// The sampled instruction.
    pub sample: Index,
}

/// The decision.
pub enum Judgement {
    /// It waits.
    Waits(Box<WaitingLoop>),
    /// It is a delay, which may be part of a larger loop that waits.
    Delay(Work),
    /// It works, and so do all loops around it.
    Works(Work),
    /// It is too large.
    TooLarge,
}

impl Judge<'_> {
    /// Decides about the loop `set`.
    pub fn judge(&self, set: &Set, head: Index) -> Judgement {
        let mut set = set.clone();
        let mut evaluation = None;
        let mut without = None;
        for _ in 0..ROUNDS {
            if set.len() > LARGEST {
                return Judgement::TooLarge;
            }
            let Some(done) = self.evaluated(&set, head) else {
                return Judgement::Works(Work::NoLoop);
            };
            let bad = self.bad(&done);
            let Some(&(_, why)) = bad.first() else {
                evaluation = Some(done);
                break;
            };
            if let Some((_, why)) = bad.iter().find(|it| it.0 == self.sample) {
                return Judgement::Works(*why);
            }
            without = without.or(Some(why));
            // The rest is another loop: the one of a thread that does not come there.
            bad.iter().for_each(|it| set.remove(it.0));
            match nest::cycle(self.graph, self.before, &set, self.sample) {
                Some(rest) => set = rest,
                None => return Judgement::Works(why),
            }
        }
        match evaluation {
            Some(evaluation) => self.decide(&set, evaluation, without),
            None => Judgement::TooLarge,
        }
    }

    /// Evaluates a loop from `head`, if that is in it.
    fn evaluated(&self, set: &Set, head: Index) -> Option<Evaluation> {
        let near = self.graph.nodes[self.sample as usize].instruction.address;
        let head = match set.has(head) {
            true => head,
            false => nest::head(self.graph, set, near)?,
        };
        let order = nest::order(self.graph, set, head);
        let (graph, before, values) = (self.graph, self.before, self.values());
        Some(evaluate(self.architecture, graph, before, values, order))
    }

    fn values(&self) -> Values {
        let stack = self.registers.stack(self.architecture);
        let frame = self.registers.frame(self.architecture);
        let used = frame >= stack && is_own(frame, stack);
        Values::new(
            stack_of(self.architecture),
            used.then(|| frame_of(self.architecture)),
        )
    }

    /// The instructions that no waiting thread executes, with reasons.
    fn bad(&self, evaluation: &Evaluation) -> Vec<(Index, Work)> {
        let Some(place) = evaluation.order.iter().position(|it| *it == self.sample) else {
            return vec![(self.sample, Work::NoLoop)];
        };
        let computer = Computer {
            values: &evaluation.values,
            state: &evaluation.states[place],
            registers: self.registers,
            code: self.code,
        };
        let all = evaluation.order.iter().zip(&evaluation.effects);
        all.filter_map(|(node, effects)| Some((*node, self.wrong(&computer, effects)?)))
            .collect()
    }

    fn wrong(&self, computer: &Computer, effects: &Effects) -> Option<Work> {
        let values = computer.values;
        let moves = |at: Id, kinds: Sort| values.sort(at).has(kinds);
        if effects.opaque {
            return Some(Work::Opaque);
        }
        if let Some(number) = effects.system_call {
            let purpose = number.map(|it| purpose(self.architecture, it));
            if purpose.is_none_or(|it| it == Purpose::Other) {
                return Some(Work::SystemCall);
            }
        }
        if effects.loads.iter().any(|it| moves(it.at, Sort::CARRIED)) {
            return Some(Work::Moves);
        }
        let changing = Sort::CARRIED | Sort::INNER;
        if effects.atomics.iter().any(|it| moves(it.0.at, changing)) {
            return Some(Work::Moves);
        }
        let foreign = effects.stores.iter().any(|store| {
            let in_own = || {
                let at = computer.compute(store.at);
                at.is_some_and(|at| is_own(at, self.registers.stack(self.architecture)))
            };
            moves(store.at, changing) || !(values.in_frame(store.at) || in_own())
        });
        foreign.then_some(Work::Stores)
    }

    /// Decides about a loop that a waiting thread may execute. `without` says why instructions were taken out of it, if any were.
    fn decide(&self, set: &Set, evaluation: Evaluation, without: Option<Work>) -> Judgement {
        let features = self.features(set, &evaluation);
        let deliberate = features.pause || features.yields || features.sleeps;
        // Only a deliberate wait shows whether the thread takes the path that is left or works in each round.
        if let (Some(why), false) = (without, deliberate || features.clock) {
            return Judgement::Works(why);
        }
        if evaluation.computes && !deliberate {
            return Judgement::Works(Work::Computes);
        }
        let retries = Retries {
            graph: self.graph,
            before: self.before,
            evaluation: &evaluation,
        };
        let Some(rest) = retries.without(set, self.sample) else {
            return Judgement::Delay(Work::Retries);
        };
        let (direct, others) = self.waits(&rest, &evaluation);
        let conditions = [&direct[..], &others[..]].concat();
        let stays = || match self.evaluated(&rest, evaluation.order[0]) {
            Some(alone) if rest.len() < set.len() => !self.contradicts(&rest, &alone),
            _ => !self.contradicts(set, &evaluation),
        };
        if conditions.is_empty() || !stays() {
            return Judgement::Delay(Work::Delays);
        }
        let mut words = words(self.graph, &evaluation, &conditions);
        // Memory that the loop itself has written before it reads it is not counted as read, and no other thread's write ends it.
        if words.is_empty() {
            return Judgement::Delay(Work::Delays);
        }
        let mut first = Vec::new();
        for condition in &direct {
            evaluation.values.memory_in(*condition, &mut first);
        }
        // A word that ends the loop by itself comes before those that a function asked for takes into account.
        words.sort_by_key(|it| (evaluation.values.in_frame(it.at), !first.contains(&it.at)));
        let outside = |word: &Word| !evaluation.values.in_frame(word.at);
        if !words.iter().any(outside) && features.counts && !deliberate {
            return Judgement::Delay(Work::Delays);
        }
        let scans = |id: &Id| evaluation.values.sort(*id).has(Sort::SCAN);
        let features = Features {
            scans: without.is_none() && conditions.iter().any(scans),
            ..features
        };
        Judgement::Waits(Box::new(self.found(evaluation, words, features)))
    }

    /// Whether two branches let the thread stay in the loop only for opposite values of the same word: then a round that finds
    /// the word unchanged leaves the loop, and no thread stays in it.
    fn contradicts(&self, set: &Set, evaluation: &Evaluation) -> bool {
        let mut stays = HashMap::new();
        for (index, effects) in evaluation.order.iter().zip(&evaluation.effects) {
            let node = &self.graph.nodes[*index as usize];
            let Flow::Branch { target, when, .. } = node.instruction.flow else {
                continue;
            };
            let within = |address: u64| {
                let mut next = node.next.iter();
                next.any(|it| {
                    let next = &self.graph.nodes[*it as usize];
                    set.has(*it) && next.instruction.address == address
                })
            };
            let when = match (within(target), within(node.instruction.next())) {
                (true, false) => when,
                (false, true) => when ^ 1,
                _ => continue,
            };
            let Some(condition) = effects.condition else {
                continue;
            };
            if let Some(equal) = compared(&evaluation.values, condition)
                && (when == EQUAL && !equal || when == EQUAL + 1 && equal)
            {
                return true;
            }
            if stays
                .insert((condition, when & !1), when)
                .is_some_and(|it| it != when)
            {
                return true;
            }
        }
        false
    }

    /// The conditions that leave the loop and that another thread's write decides: those that do so themselves, and those behind a
    /// truth value that is tested.
    fn waits(&self, set: &Set, evaluation: &Evaluation) -> (Vec<Id>, Vec<Id>) {
        let values = &evaluation.values;
        let all: Vec<(Index, Id)> = evaluation
            .order
            .iter()
            .zip(&evaluation.effects)
            .filter_map(|(node, effects)| Some((*node, effects.condition?)))
            .filter(|(node, _)| set.has(*node))
            .collect();
        let waited = |id: Id| values.sort(id).has(Sort::WAITED);
        let inside: Vec<Id> = all.iter().map(|it| it.1).filter(|id| waited(*id)).collect();
        let leaves = |node: Index| {
            let node = &self.graph.nodes[node as usize];
            node.leaves || node.next.iter().any(|it| !set.has(*it))
        };
        // A called function returns to the loop; where it does not, it fails.
        let call = |node: Index| self.graph.nodes[node as usize].call;
        let own = evaluation.order.iter().map(|it| call(*it)).min();
        let differing = Sort::CARRIED | Sort::CLOCK | Sort::SYSTEM;
        let ends = |node: Index| Some(call(node)) == own && leaves(node);
        let (mut found, mut behind) = (Vec::new(), Vec::new());
        for (_, id) in all.iter().filter(|it| ends(it.0)) {
            let sort = values.sort(*id);
            if sort.has(Sort::WAITED) {
                found.push(*id);
            } else if sort.has(Sort::CHOICE) && !sort.has(differing) {
                // A truth value that branches inside the loop have made.
                behind.extend(inside.iter().copied());
            }
        }
        (found, behind)
    }

    fn features(&self, set: &Set, evaluation: &Evaluation) -> Features {
        let mut it = Features {
            inner: evaluation.inner,
            counts: evaluation.counts,
            ..Features::default()
        };
        for node in set.members() {
            let instruction = &self.graph.nodes[node as usize].instruction;
            it.pause |= instruction.hint == Hint::Pause;
        }
        for effects in &evaluation.effects {
            it.clock |= effects.clock;
            it.exchange |= !effects.atomics.is_empty();
            let number = effects.system_call.flatten();
            match number.map(|it| purpose(self.architecture, it)) {
                Some(Purpose::Yield) => it.yields = true,
                Some(Purpose::Sleep) => it.sleeps = true,
                Some(Purpose::Clock) => it.clock = true,
                _ => {}
            }
        }
        it
    }

    fn found(&self, evaluation: Evaluation, words: Vec<Word>, features: Features) -> WaitingLoop {
        let node = |it: &Index| &self.graph.nodes[*it as usize];
        let call = node(&evaluation.order[0]).call;
        let own = evaluation
            .order
            .iter()
            .map(node)
            .filter(|it| it.call == call);
        let own: Vec<_> = own.map(|it| &it.instruction).collect();
        let stores = evaluation.effects.iter().flat_map(|it| &it.stores);
        let stack = stack_of(self.architecture);
        let values = &evaluation.values;
        let elsewhere = |at: &Id| values.node(values.split(*at).0) != Node::Entry(stack);
        let mut written: Vec<Id> = stores.map(|it| it.at).filter(elsewhere).collect();
        written.sort_unstable();
        written.dedup();
        let spots = evaluation.order.iter().zip(&evaluation.states);
        let spots = spots.map(|(it, state)| Spot {
            address: node(it).instruction.address,
            length: node(it).instruction.length,
            state: state.clone(),
        });
        let spots = spots.collect();
        let mut values = evaluation.values;
        values.seal();
        WaitingLoop {
            begin: own.iter().map(|it| it.address).min().unwrap_or(0),
            end: own.iter().map(|it| it.next()).max().unwrap_or(0),
            words,
            features,
            calls: 0,
            values,
            spots,
            own: written,
            architecture: self.architecture,
        }
    }
}

/// Whether a comparison of two constants finds them equal.
fn compared(values: &Values, condition: Id) -> Option<bool> {
    let Node::Combine(How::Compare, a, b) = values.node(condition) else {
        return None;
    };
    match (values.node(a), values.node(b)) {
        (Node::Constant(a), Node::Constant(b)) => Some(a == b),
        _ => None,
    }
}

/// The words that the conditions compare, those outside the stack frame first.
fn words(graph: &Graph, evaluation: &Evaluation, conditions: &[Id]) -> Vec<Word> {
    let values = &evaluation.values;
    let mut ats = Vec::new();
    for condition in conditions {
        values.memory_in(*condition, &mut ats);
    }
    let mut found: Vec<Word> = Vec::new();
    for (node, effects) in evaluation.order.iter().zip(&evaluation.effects) {
        let atomics = effects.atomics.iter().map(|it| &it.0);
        for access in effects.loads.iter().chain(atomics) {
            let wanted = ats.is_empty() || ats.contains(&access.at);
            if wanted && !found.iter().any(|it| it.at == access.at) {
                found.push(Word {
                    ip: graph.nodes[*node as usize].instruction.address,
                    width: access.width,
                    indirect: values.sort(access.at).has(Sort::WORD),
                    at: access.at,
                });
            }
        }
    }
    if found.is_empty() && !ats.is_empty() {
        return words(graph, evaluation, &[]);
    }
    found.sort_by_key(|it| values.in_frame(it.at));
    found
}
