//! The verbs that load programs into the kernel, and the verbs that measure times, for findings about a kernel that accepts such
//! programs.

use super::{Concern, Effect, Finding, Verb};

impl Verb {
    /// The verbs that load programs into the kernel.
    pub const TRACING: [Self; 4] = [
        Self::RecordPreemption,
        Self::Attach,
        Self::Kernel,
        Self::Top,
    ];

    /// The verbs whose figures are times that this process measures.
    pub const TIMED: [Self; 3] = [Self::Machine, Self::Bench, Self::Try];
}

impl Finding {
    /// Adds that tracing programs are not available to the verbs that load them.
    pub fn keeps_programs_out(mut self, verbs: &[Verb]) -> Self {
        self.concerns
            .extend(verbs.iter().filter_map(|verb| without_programs(*verb)));
        self
    }

    /// Whether it keeps some verb's programs out of the kernel.
    pub fn keeps_any_out(&self) -> bool {
        Verb::TRACING.into_iter().any(|verb| self.keeps_out(verb))
    }

    /// Whether it keeps the verb's programs out of the kernel, even if the verb has something left without them.
    pub fn keeps_out(&self, verb: Verb) -> bool {
        let lost = without_programs(verb);
        lost.is_some_and(|lost| self.concerns.contains(&lost))
    }
}

/// Returns what a verb loses when no program can be loaded into the kernel; `None` for verbs that do not load any.
fn without_programs(verb: Verb) -> Option<Concern> {
    let (effect, what) = match verb {
        Verb::Attach => (Effect::Blocks, "futex waits of a running program"),
        Verb::Kernel => (Effect::Blocks, "the kernel's own locks"),
        Verb::RecordPreemption => (
            Effect::Limits,
            "measured preemption of holders (an estimate remains)",
        ),
        Verb::Top => (Effect::Limits, "causes of context switches"),
        _ => return None,
    };
    Some(Concern {
        verb,
        effect,
        what: what.to_owned(),
    })
}
