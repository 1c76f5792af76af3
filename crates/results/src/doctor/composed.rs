//! The verbs that findings do not mention: those that are composed of other verbs, and those that need nothing from the machine.

use super::{Concern, Effect, Finding, Verb};

impl Verb {
    /// Whether it needs nothing from the machine, so that it works wherever locktoll starts.
    pub fn needs_nothing(self) -> bool {
        matches!(
            self,
            Self::Report
                | Self::Compare
                | Self::Doctor
                | Self::Completions
                | Self::Man
                | Self::Licences
        )
    }

    /// Returns what an effect on `part` does to this verb, which is composed of several.
    fn suffers(self, part: Self, effect: Effect) -> Option<Effect> {
        match (self, part) {
            (Self::Tour, Self::Bench | Self::Record) | (Self::Reproduce, Self::Bench) => {
                Some(effect)
            }
            // It reads what `top` reads.
            (Self::Agent, Self::Top) => Some(effect),
            // Without a recording there is nothing that it could have gained.
            (Self::Snapshot, Self::Record) if effect == Effect::Blocks => Some(effect),
            // Some claims are about the kernel's locks, some about prices. No claim is about figures of the price list that a
            // machine may lack.
            (Self::Reproduce, Self::Kernel) => Some(effect.min(Effect::Limits)),
            (Self::Reproduce, Self::Machine) if effect == Effect::Limits => None,
            (Self::Reproduce, Self::Machine) => Some(effect.min(Effect::Limits)),
            _ => (self == part).then_some(effect),
        }
    }
}

impl Finding {
    /// Returns the finding with only what it means for `verb`.
    pub fn of_verb(mut self, verb: Verb) -> Self {
        let mut concerns: Vec<Concern> = Vec::new();
        for Concern {
            verb: part,
            effect,
            what,
        } in self.concerns
        {
            let concern = verb
                .suffers(part, effect)
                .map(|effect| Concern { verb, effect, what });
            concerns.extend(concern.filter(|it| !concerns.contains(it)));
        }
        self.concerns = concerns;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;

    #[test]
    fn what_blocks_a_part_blocks_the_tour_and_limits_what_has_other_parts() {
        let finding = Finding::new("x", State::Missing, None)
            .concerns_all(&[Verb::Record, Verb::Kernel], Effect::Blocks, "lost")
            .concerns_all(&[Verb::Bench, Verb::Machine], Effect::Disturbs, "noise");
        let of = |verb| {
            let concerns = finding.clone().of_verb(verb).concerns;
            let effects = concerns.iter().map(|it| (it.verb, it.effect, &*it.what));
            effects
                .map(|(of, effect, what)| {
                    assert_eq!(of, verb);
                    (effect, what.to_owned())
                })
                .collect::<Vec<_>>()
        };
        let (lost, noise) = ("lost".to_owned(), "noise".to_owned());
        assert_eq!(
            of(Verb::Tour),
            [
                (Effect::Blocks, lost.clone()),
                (Effect::Disturbs, noise.clone())
            ]
        );
        assert_eq!(
            of(Verb::Reproduce),
            [(Effect::Limits, lost.clone()), (Effect::Disturbs, noise)]
        );
        assert_eq!(of(Verb::Kernel), [(Effect::Blocks, lost.clone())]);
        assert_eq!(of(Verb::Snapshot), [(Effect::Blocks, lost)]);
        assert!(of(Verb::Agent).is_empty());
        let causes =
            Finding::new("x", State::Missing, None).concerns(Verb::Top, Effect::Limits, "causes");
        assert_eq!(causes.of_verb(Verb::Agent).concerns.len(), 1);
        let misses = Finding::new("x", State::Missing, None).concerns(
            Verb::Machine,
            Effect::Limits,
            "cache misses",
        );
        assert!(misses.of_verb(Verb::Reproduce).concerns.is_empty());
        assert!(of(Verb::Report).is_empty() && Verb::Report.needs_nothing());
    }
}
