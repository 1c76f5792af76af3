//! What a round of a loop computes: the values before each instruction, and what changes from round to round.
//!
//! The loop is executed on expressions over the registers at its head. Where its end does not agree with its beginning, the slot
//! (a register or a written word of memory) is *steady* if each round gives it the same value, *counts* if the round only adds to
//! it or shifts it, and is *computed* otherwise. That is repeated until end and beginning agree.

use std::collections::HashSet;

use crate::execute::{Effects, execute};
use crate::graph::nest::Order;
use crate::graph::{Graph, Index};
use crate::hash::Table;
use crate::instruction::How;
use crate::live::{self, Live};
use crate::machine::Architecture;
use crate::sort::Sort;
use crate::state::State;
use crate::value::{Id, Node, Slot, Values};

/// Most passes; later disagreements count as computed.
const PASSES: u32 = 24;
/// Passes after which no slot may be steady any more.
const CALM: u32 = 8;
/// A larger factor is that of a random-number generator, not of a back-off.
const LARGEST_FACTOR: u64 = 64;

/// What a slot is replaced by at the head of a loop that changes it.
#[derive(Clone, Copy, Debug)]
struct Changed {
    id: Id,
    width: u8,
    carried: bool,
    counts: bool,
}

/// The result.
pub struct Evaluation {
    /// All expressions.
    pub values: Values,
    /// The loop.
    pub order: Order,
    /// Before each instruction of the loop.
    pub states: Vec<State>,
    /// What each instruction does.
    pub effects: Vec<Effects>,
    /// Whether something is computed from round to round, beyond counting.
    pub computes: bool,
    /// Whether something counts from round to round.
    pub counts: bool,
    /// Whether the loop contains another one.
    pub inner: bool,
    /// For each slot that an inner loop changes, its value before that loop.
    inits: Table<(Index, Slot), Id>,
    changed: Table<(Index, Slot), Changed>,
}

/// Evaluates the loop `order`.
pub fn evaluate(
    architecture: Architecture,
    graph: &Graph,
    before: &[Vec<Index>],
    values: Values,
    order: Order,
) -> Evaluation {
    let mut it = Evaluation {
        values,
        order,
        states: Vec::new(),
        effects: Vec::new(),
        computes: false,
        counts: false,
        inner: false,
        inits: Table::default(),
        changed: Table::default(),
    };
    let mut place = vec![usize::MAX; graph.nodes.len()];
    for (at, node) in it.order.iter().enumerate() {
        place[*node as usize] = at;
    }
    let live = live::live(graph, &it.order, &place);
    for pass in 0..PASSES {
        let after = it.pass(architecture, graph, before, &place);
        let mut agrees = true;
        for at in 0..it.order.len() {
            let ends = before[it.order[at] as usize].iter();
            let ends = ends.map(|from| place[*from as usize]);
            let mut ends = ends.filter(|from| *from != usize::MAX && *from >= at);
            if let Some(first) = ends.next() {
                let mut end = after[first].clone();
                ends.for_each(|other| end.join(&mut it.values, &after[other]));
                agrees &= it.compare(at, &end, pass, live[at]);
            }
        }
        if agrees {
            break;
        }
    }
    let head = it.order[0];
    let outer = it.changed.iter().filter(|(key, _)| key.0 == head);
    for (_, changed) in outer.filter(|(_, changed)| changed.carried) {
        it.computes |= !changed.counts;
        it.counts |= changed.counts;
    }
    it.inner = it.changed.keys().any(|key| key.0 != head);
    it
}

impl Evaluation {
    /// Executes the loop once from its head; gives the states after each instruction.
    fn pass(
        &mut self,
        architecture: Architecture,
        graph: &Graph,
        before: &[Vec<Index>],
        place: &[usize],
    ) -> Vec<State> {
        self.states.clear();
        self.effects.clear();
        let mut after: Vec<State> = Vec::with_capacity(self.order.len());
        for at in 0..self.order.len() {
            let node = self.order[at];
            let mut state: Option<State> = None;
            for &from in &before[node as usize] {
                let from = place[from as usize];
                if from < at && at > 0 {
                    match &mut state {
                        None => state = Some(after[from].clone()),
                        Some(state) => state.join(&mut self.values, &after[from]),
                    }
                }
            }
            let mut state = match state {
                Some(state) => state,
                None => State::entry(&mut self.values),
            };
            self.replace(node, &mut state);
            self.states.push(state.clone());
            let instruction = &graph.nodes[node as usize].instruction;
            let effects = execute(architecture, &mut self.values, &mut state, instruction);
            self.effects.push(effects);
            after.push(state);
        }
        after
    }

    /// Puts the changed slots of a head into its state.
    fn replace(&mut self, node: Index, state: &mut State) {
        let mine: Vec<_> = self
            .changed
            .iter()
            .filter(|(key, _)| key.0 == node)
            .map(|(key, changed)| (key.1, *changed))
            .collect();
        for (slot, changed) in mine {
            let init = state.slot(&mut self.values, slot, changed.width);
            self.inits.insert((node, slot), init);
            state.set_slot(slot, changed.id, changed.width);
        }
    }

    /// Compares the beginning of a loop with one of its ends; true if they agree.
    fn compare(&mut self, at: usize, end: &State, pass: u32, live: Live) -> bool {
        let head = self.order[at];
        let begin = self.states[at].clone();
        let mut differing = Vec::new();
        for (slot, width) in begin.slots(end) {
            if matches!(slot, Slot::Register(it) if live & live::only(it) == 0) {
                continue;
            }
            let now = begin.slot(&mut self.values, slot, width);
            let then = end.slot(&mut self.values, slot, width);
            let kept = self.values.alternatives(now);
            if !self.values.alternatives(then).is_subset(&kept) {
                differing.push((slot, width, now, then));
            }
        }
        let mut agrees = true;
        for &(slot, width, now, then) in &differing {
            let change = match self.changed.get(&(head, slot)).copied() {
                Some(changed) if changed.carried => {
                    self.carried_again(head, slot, changed, then, pass)
                }
                before if at == 0 && pass < CALM => {
                    let others = differing.iter().filter(|it| it.0 != slot);
                    let waits_for = before.is_none()
                        && pass < 2
                        && others.clone().any(|it| self.depends(then, it.2));
                    if waits_for && !self.depends(then, now) {
                        // Decided when the slot that it depends on is.
                        agrees = false;
                        continue;
                    }
                    let own = before.is_none().then_some(now);
                    let steady = self.steady(own, then, None, Sort::CARRIED, width);
                    Some(steady.unwrap_or_else(|| self.carried(head, slot, width, now, then)))
                }
                _ => Some(self.carried(head, slot, width, now, then)),
            };
            if let Some(change) = change {
                self.changed.insert((head, slot), change);
                agrees = false;
            }
        }
        agrees
    }

    /// What the head holds if each round keeps the slot as it is or replaces it by a value that is the same in each round. `own`
    /// is the slot's value at the head, if it represents nothing else; `init` is the value before an inner loop.
    fn steady(
        &mut self,
        own: Option<Id>,
        then: Id,
        init: Option<Id>,
        changing: Sort,
        width: u8,
    ) -> Option<Changed> {
        let mut of = self.values.alternatives(then);
        if let Some(own) = own {
            of.remove(&own);
        }
        let own = |it| own.is_some_and(|own| self.depends(it, own));
        if of
            .iter()
            .any(|it| self.values.sort(*it).has(changing) || own(*it))
        {
            return None;
        }
        // What a register held before the outer loop does not matter to the rounds that follow.
        if let Some(init) = init {
            of.append(&mut self.values.alternatives(init));
        }
        Some(Changed {
            id: self.values.choice(of)?,
            width,
            carried: false,
            counts: false,
        })
    }

    /// The value at the head of a loop that changes `slot`.
    fn carried(&mut self, head: Index, slot: Slot, width: u8, now: Id, then: Id) -> Changed {
        let counts = self.only_counts(then, now);
        self.make(head, slot, width, counts, self.values.sort(then))
    }

    fn make(&mut self, head: Index, slot: Slot, width: u8, counts: bool, of: Sort) -> Changed {
        let own = if head != self.order[0] {
            Sort::INNER
        } else if counts {
            Sort::COUNTER
        } else {
            Sort::COMPUTED
        };
        // A slot that an inner loop goes on counting where it left off in the round before does not begin anew.
        let init = self
            .inits
            .get(&(head, slot))
            .filter(|_| head != self.order[0]);
        let init = init.map_or(Sort::FIXED, |it| self.values.sort(*it));
        let kept = (of | init).only(Sort::MEMORY | Sort::CLOCK | Sort::SYSTEM | Sort::CARRIED);
        // A counter that is compared with a word is still a counter.
        let sort = own
            | if counts && head == self.order[0] {
                kept.only(Sort::CLOCK)
            } else {
                kept
            };
        let id = self.values.add(Node::Carried {
            head,
            slot,
            counts,
            sort,
        });
        Changed {
            id,
            width,
            carried: true,
            counts,
        }
    }

    /// Checks a slot that is carried already; `None` if nothing new was learned.
    fn carried_again(
        &mut self,
        head: Index,
        slot: Slot,
        changed: Changed,
        then: Id,
        pass: u32,
    ) -> Option<Changed> {
        if head != self.order[0] && pass < CALM {
            // In the pass before, the slot represented itself, so now it shows whether an inner loop only replaces it.
            let init = self.inits.get(&(head, slot)).copied();
            let changing = Sort::CARRIED | Sort::INNER;
            let own = Some(changed.id);
            if let Some(steady) = self.steady(own, then, init, changing, changed.width) {
                return Some(steady);
            }
        }
        let counts = (changed.counts || pass < CALM) && self.only_counts(then, changed.id);
        let mut of = self.values.sort(then);
        if pass >= CALM {
            of = of | self.values.sort(changed.id);
        }
        let made = self.make(head, slot, changed.width, counts, of);
        (made.id != changed.id).then_some(made)
    }

    /// Visits `value` and all that it is made of until `visit` says false; whether it never did. Comparisons and
    /// addresses are looked into if `through`.
    fn all(&self, value: Id, through: bool, mut visit: impl FnMut(Id) -> bool) -> bool {
        let mut seen = HashSet::new();
        let mut stack = vec![value];
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            if !visit(id) {
                return false;
            }
            match self.values.node(id) {
                Node::Combine(How::Compare | How::Condition, ..) if !through => {}
                Node::Combine(_, a, b) | Node::Choice(a, b) => stack.extend([a, b]),
                Node::Memory { at, .. } | Node::Atomic { at, .. } if through => stack.push(at),
                Node::Carried { head, slot, .. } if through && head != self.order[0] => {
                    stack.extend(self.inits.get(&(head, slot)));
                }
                _ => {}
            }
        }
        true
    }

    /// Whether `value` is made of `part`.
    fn depends(&self, value: Id, part: Id) -> bool {
        !self.all(value, true, |id| id != part)
    }

    /// Whether a slot that holds `now` at the head and `then` at the end only counts.
    fn only_counts(&self, then: Id, now: Id) -> bool {
        if !self.depends(then, now) {
            return match self.values.node(then) {
                Node::Carried { counts, .. } => counts,
                _ => !self.values.sort(then).has(Sort::COMPUTED),
            };
        }
        self.all(then, false, |id| self.may_count(id))
    }

    /// Whether a counter may be made of this.
    fn may_count(&self, id: Id) -> bool {
        let constant = |id| match self.values.node(id) {
            Node::Constant(value) => Some(value),
            _ => None,
        };
        match self.values.node(id) {
            Node::Memory { at, .. } => self.values.in_frame(at),
            Node::Atomic { .. } => false,
            Node::Blend(sort) => !sort.has(Sort::COMPUTED | Sort::WORD | Sort::SCAN),
            Node::Carried { counts, .. } => counts,
            Node::Combine(How::Multiply, a, b) => constant(b)
                .or(constant(a))
                .is_some_and(|it| it <= LARGEST_FACTOR),
            Node::Combine(How::Xor, _, b) => constant(b).is_some(),
            Node::Combine(How::Other, ..) => false,
            _ => true,
        }
    }
}
