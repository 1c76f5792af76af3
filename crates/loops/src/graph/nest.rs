//! The loops that contain an instruction, the smallest first.

use super::explore::{Graph, Index};

/// A loop: its instructions in an order in which each comes after those before it but for the jumps back, the head first.
pub type Order = Vec<Index>;

/// A set of nodes.
#[derive(Clone, Debug)]
pub struct Set(Vec<bool>);

impl Set {
    /// The empty set for a graph.
    pub fn none(graph: &Graph) -> Set {
        Set(vec![false; graph.nodes.len()])
    }

    /// Whether `it` is in the set.
    pub fn has(&self, it: Index) -> bool {
        self.0[it as usize]
    }

    /// Adds `it`; whether it is new.
    pub fn add(&mut self, it: Index) -> bool {
        !std::mem::replace(&mut self.0[it as usize], true)
    }

    /// Removes `it`.
    pub fn remove(&mut self, it: Index) {
        self.0[it as usize] = false;
    }

    /// The members.
    pub fn members(&self) -> impl Iterator<Item = Index> + '_ {
        (0..self.0.len() as Index).filter(|it| self.has(*it))
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.0.iter().filter(|it| **it).count()
    }
}

/// For each node, those before it.
pub fn before(graph: &Graph) -> Vec<Vec<Index>> {
    let mut before = vec![Vec::new(); graph.nodes.len()];
    for (from, node) in graph.nodes.iter().enumerate() {
        for &to in node.next.iter() {
            before[to as usize].push(from as Index);
        }
    }
    before
}

/// The nodes of `within` from which `through` can be reached and which it can reach; none if there is no way back to it.
pub fn cycle(graph: &Graph, before: &[Vec<Index>], within: &Set, through: Index) -> Option<Set> {
    cycle_without(graph, before, within, through, &|_, _| false)
}

/// The same, without the ways from one node to another that are skipped.
pub fn cycle_without(
    graph: &Graph,
    before: &[Vec<Index>],
    within: &Set,
    through: Index,
    skipped: &dyn Fn(Index, Index) -> bool,
) -> Option<Set> {
    let reach = |is_forward: bool| {
        let mut found = Set::none(graph);
        let mut stack = vec![through];
        while let Some(node) = stack.pop() {
            let ways: &[Index] = match is_forward {
                true => &graph.nodes[node as usize].next,
                false => &before[node as usize],
            };
            for &next in ways {
                let (from, to) = if is_forward {
                    (node, next)
                } else {
                    (next, node)
                };
                if within.has(next) && !skipped(from, to) && found.add(next) {
                    stack.push(next);
                }
            }
        }
        found
    };
    if !within.has(through) {
        return None;
    }
    let after = reach(true);
    let earlier = reach(false);
    if !after.has(through) {
        return None;
    }
    let mut both = Set::none(graph);
    for node in after.members().filter(|it| earlier.has(*it)) {
        both.add(node);
    }
    Some(both)
}

/// Whether there is a way from the root back to it.
pub fn repeats(graph: &Graph) -> bool {
    let mut seen = Set::none(graph);
    let mut stack: Vec<Index> = vec![0];
    while let Some(node) = stack.pop() {
        for &next in graph.nodes[node as usize].next.iter() {
            if next == 0 {
                return true;
            }
            if seen.add(next) {
                stack.push(next);
            }
        }
    }
    false
}

/// The members of `set` in reverse postorder from `head`.
pub fn order(graph: &Graph, set: &Set, head: Index) -> Order {
    let mut seen = Set::none(graph);
    let mut done = Vec::new();
    let mut stack = vec![(head, 0)];
    seen.add(head);
    while let Some((node, place)) = stack.pop() {
        match graph.nodes[node as usize].next.get(place) {
            Some(&next) => {
                stack.push((node, place + 1));
                if set.has(next) && seen.add(next) {
                    stack.push((next, 0));
                }
            }
            None => done.push(node),
        }
    }
    done.reverse();
    done
}

/// The likely head of a set: the lowest address in the root's function. Compilers lay a loop out in one piece, except for parts that
/// they hold to be rare, which are far away.
pub fn head(graph: &Graph, set: &Set, near: u64) -> Option<Index> {
    const FAR: u64 = 1 << 14;
    let address = |it: Index| graph.nodes[it as usize].instruction.address;
    let own = || {
        set.members()
            .filter(|it| graph.nodes[*it as usize].call == 0)
    };
    own()
        .filter(|it| address(*it).abs_diff(near) < FAR)
        .min_by_key(|it| address(*it))
        .or_else(|| own().min_by_key(|it| address(*it)))
        .or_else(|| set.members().min_by_key(|it| address(*it)))
}

/// A loop around an instruction.
#[derive(Clone, Debug)]
pub struct Around {
    /// The instructions.
    pub set: Set,
    /// The first of them.
    pub head: Index,
    /// Whether it is only the shortest way back to the sample. Loops that share instructions have several ways back, and compilers
    /// let an inner loop begin where the outer one does. Such a way is a loop by itself only if it waits.
    pub is_way: bool,
}

/// The loops of `set` that contain `through`, the smallest first; the last is `set` as a whole.
pub fn loops(
    graph: &Graph,
    before: &[Vec<Index>],
    set: &Set,
    through: Index,
    near: u64,
) -> Vec<Around> {
    let Some(head) = head(graph, set, near) else {
        return Vec::new();
    };
    let order = order(graph, set, head);
    let mut place = vec![usize::MAX; graph.nodes.len()];
    for (at, node) in order.iter().enumerate() {
        place[*node as usize] = at;
    }
    let dominators = dominators(&order, &place, before);
    let dominates = |above: usize, mut node: usize| {
        while node > above {
            node = dominators[node];
        }
        node == above
    };
    let mut found: Vec<Around> = Vec::new();
    for (at, &to) in order.iter().enumerate() {
        let back: Vec<Index> = before[to as usize]
            .iter()
            .copied()
            .filter(|from| {
                let from = place[*from as usize];
                from != usize::MAX && from >= at && dominates(at, from)
            })
            .collect();
        if back.is_empty() {
            continue;
        }
        let all = body(graph, before, set, to, &back);
        if !all.has(through) {
            continue;
        }
        // Compilers let an inner loop begin where the outer one does. Begun at its own part, the outer one shows the inner one.
        let bodies = back.iter().map(|it| body(graph, before, set, to, &[*it]));
        let inner = bodies.min_by_key(Set::len);
        let own = inner.and_then(|inner| {
            let mut own = order.iter().filter(|it| all.has(**it) && !inner.has(**it));
            own.next().copied()
        });
        let whole = |set: &Set, head| Around {
            set: set.clone(),
            head,
            is_way: false,
        };
        found.push(whole(&all, to));
        found.extend(own.map(|own| whole(&all, own)));
    }
    let way = shortest(graph, set, through).filter(|way| {
        let is_all = |it: &Around| it.set.len() <= way.len();
        !found.iter().any(is_all)
    });
    found.extend(way.map(|set| Around {
        set,
        head: through,
        is_way: true,
    }));
    found.sort_by_key(|it| it.set.len());
    if found.last().is_none_or(|it| it.set.len() < set.len()) {
        found.push(Around {
            set: set.clone(),
            head,
            is_way: false,
        });
    }
    found
}

/// The shortest way from `through` back to it.
fn shortest(graph: &Graph, set: &Set, through: Index) -> Option<Set> {
    let mut from = vec![None; graph.nodes.len()];
    let mut queue = std::collections::VecDeque::from([through]);
    while let Some(node) = queue.pop_front() {
        for &next in graph.nodes[node as usize].next.iter() {
            if !set.has(next) || from[next as usize].is_some() {
                continue;
            }
            from[next as usize] = Some(node);
            queue.push_back(next);
        }
        if from[through as usize].is_some() {
            break;
        }
    }
    let mut way = Set::none(graph);
    let mut node = through;
    while way.add(node) {
        node = from[node as usize]?;
    }
    Some(way)
}

/// The nodes from which one of `back` is reached without passing `head`, and both ends.
fn body(graph: &Graph, before: &[Vec<Index>], set: &Set, head: Index, back: &[Index]) -> Set {
    let mut body = Set::none(graph);
    body.add(head);
    let mut stack: Vec<Index> = back.iter().copied().filter(|it| body.add(*it)).collect();
    while let Some(node) = stack.pop() {
        for &from in &before[node as usize] {
            if set.has(from) && body.add(from) {
                stack.push(from);
            }
        }
    }
    body
}

/// The immediate dominator of each place in `order` (Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm, 2001).
fn dominators(order: &[Index], place: &[usize], before: &[Vec<Index>]) -> Vec<usize> {
    let mut above = vec![usize::MAX; order.len()];
    above[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for (at, node) in order.iter().enumerate().skip(1) {
            let mut best = usize::MAX;
            for from in before[*node as usize].iter().map(|it| place[*it as usize]) {
                if from == usize::MAX || above[from] == usize::MAX {
                    continue;
                }
                best = if best == usize::MAX {
                    from
                } else {
                    common(&above, best, from)
                };
            }
            if best != above[at] {
                above[at] = best;
                changed = true;
            }
        }
    }
    above
}

fn common(above: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while a > b {
            a = above[a];
        }
        while b > a {
            b = above[b];
        }
    }
    a
}
