//! The tournament itself.

use std::time::Duration;

use super::announcement;
use super::clearly_worse::is_clearly_worse;
use super::draw::Draw;
use super::plan::{DoesNotFit, LEAST_ROUNDS, Plan};
use super::rounds::{Round, against_bare, metric};
use super::standings::{Standings, most_promising};
use super::umpire::{Ended, Umpire};
use super::unplayable::Unplayable;
use super::words::why_dropped;
use super::{
    Contestant, EndedEarly, Figures, PASS_THROUGH, Played, Runner, Settings, Stage, Watcher,
};
use crate::report::{Coverage, Dropped, WhyDropped};

/// Plays a tournament: a warm-up, rounds of all, and a final of bare and the most promising.
///
/// # Errors
/// [`Unplayable`], when nothing can be said at all. Whatever happens to a candidate is part of the result.
pub fn play(
    runner: &mut dyn Runner,
    settings: &Settings,
    watcher: &mut dyn Watcher,
) -> Result<Played, Unplayable> {
    let mut tournament = Tournament {
        umpire: Umpire::new(runner, watcher, settings.time_limit),
        settings,
        draw: Draw::new(settings.seed),
        bare_price: Price::default(),
        seats: vec![Seat::default(); settings.entrants.len()],
        rounds: Vec::new(),
        plan: None,
        finalist: None,
        remarks: Vec::new(),
    };
    let ended_early = match tournament.stages() {
        Ok(()) => None,
        Err(Stop::Early(why)) => Some(why),
        Err(Stop::Unplayable(error)) => return Err(error),
    };
    Ok(tournament.result(ended_early))
}

/// What is known of an entrant while it plays.
#[derive(Clone, Debug, Default)]
pub struct Seat {
    /// Why it plays no longer.
    pub dropped: Option<Dropped>,
    /// What its last whole run replaced.
    pub coverage: Option<Coverage>,
    price: Price,
}

/// What runs of one contestant take: the mean of all, since the last one alone may have been disturbed.
#[derive(Clone, Copy, Debug, Default)]
struct Price {
    total: Duration,
    runs: u32,
}

impl Price {
    fn add(&mut self, took: Duration) {
        self.total = self.total.saturating_add(took);
        self.runs = self.runs.saturating_add(1);
    }

    /// `None` before the first run.
    fn mean(self) -> Option<Duration> {
        self.total.checked_div(self.runs)
    }
}

/// Why a stage did not come to its end.
enum Stop {
    Early(EndedEarly),
    Unplayable(Unplayable),
}

struct Tournament<'a> {
    umpire: Umpire<'a>,
    settings: &'a Settings,
    draw: Draw,
    bare_price: Price,
    seats: Vec<Seat>,
    rounds: Vec<Round>,
    /// `None` until bare has run.
    plan: Option<Plan>,
    finalist: Option<usize>,
    remarks: Vec<String>,
}

/// One run of a round: bare, or the entrant at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Bare,
    Entrant(usize),
}

impl Tournament<'_> {
    fn stages(&mut self) -> Result<(), Stop> {
        let plan = self.first_run()?;
        self.plan = Some(plan);
        self.warm_up(&plan)?;
        self.qualifying(&plan)?;
        self.finals(&plan)
    }

    /// Bare, once, without which nothing is known of the time that the rest takes. The very first run may take longer than those
    /// that follow, with files and pages to be fetched: where it would cost a candidate its place, bare runs once more.
    fn first_run(&mut self) -> Result<Plan, Stop> {
        let first = self.bare_alone()?;
        let mut one_run = first;
        let mut plan = self.planned(one_run);
        let all = self.settings.entrants.len();
        let is_short = plan.is_err() || plan.is_ok_and(|plan| plan.entrants < all);
        if is_short && first < self.umpire.left() {
            one_run = match self.bare_alone() {
                Err(Stop::Unplayable(Unplayable::FirstRun { .. })) => first,
                again => first.min(again?),
            };
            plan = self.planned(one_run);
        }
        let limit = self.settings.time_limit;
        let too_long = |why| Unplayable::TooLong {
            one_run,
            limit,
            why,
        };
        let plan = plan.map_err(|why| Stop::Unplayable(too_long(why)))?;
        let line = announcement::announcement(&plan, self.settings);
        self.umpire.watcher.announce(&line);
        let left_out = announcement::left_out(&plan, self.settings);
        if let Some(line) = &left_out {
            self.umpire.watcher.tell(line);
        }
        self.remarks.extend(left_out);
        Ok(plan)
    }

    fn bare_alone(&mut self) -> Result<Duration, Stop> {
        let (bare, took) = self.run(Turn::Bare, (Stage::WarmUp, 1, 1), Duration::MAX)?;
        match bare {
            Ok(_) => Ok(took),
            Err(why) => Err(Stop::Unplayable(Unplayable::Bare(why))),
        }
    }

    fn planned(&mut self, one_run: Duration) -> Result<Plan, DoesNotFit> {
        let entrants = &self.settings.entrants;
        let has_control = entrants.iter().any(|it| it.name == PASS_THROUGH);
        let left = self.umpire.left();
        Plan::make(
            entrants.len(),
            has_control,
            one_run,
            self.settings.rounds,
            left,
        )
    }

    /// Every candidate once. What crashes or hangs does so here already; the figures do not count.
    fn warm_up(&mut self, plan: &Plan) -> Result<(), Stop> {
        let mut order: Vec<usize> = (0..plan.entrants).collect();
        self.draw.shuffle(&mut order);
        let later =
            self.cost(plan.entrants) * plan.rounds as u32 + self.final_cost(plan.final_rounds);
        for (done, &entrant) in order.iter().enumerate() {
            let left = self.bare_run() * (order.len() - done) as u32 + later;
            let step = (Stage::WarmUp, 1, 1);
            match self.run(Turn::Entrant(entrant), step, left)? {
                (Ok(_), _) => {}
                (Err(why), _) => self.drop_entrant(entrant, 0, why),
            }
        }
        Ok(())
    }

    /// Rounds of all that are still in.
    fn qualifying(&mut self, plan: &Plan) -> Result<(), Stop> {
        let reserved = LEAST_ROUNDS.min(plan.final_rounds);
        for round in 1..=plan.rounds {
            let playing = self.playing(plan);
            if playing.is_empty() {
                break;
            }
            let cost = self.cost_of(&playing);
            if cost + self.final_cost(reserved) > self.umpire.left() {
                if round == 1 {
                    return Err(Stop::Early(EndedEarly::OutOfTime));
                }
                self.remarks.push(format!(
                    "only {} of {} rounds fitted into the time, since candidates took longer than the program's own locks",
                    round - 1,
                    plan.rounds
                ));
                break;
            }
            let later = cost * (plan.rounds - round) as u32 + self.final_cost(plan.final_rounds);
            self.round((Stage::Qualifying, round, plan.rounds), &playing, later)?;
            self.drop_clearly_worse(&playing, round);
        }
        Ok(())
    }

    /// Bare and the most promising candidate alone; the next one if that fails.
    fn finals(&mut self, plan: &Plan) -> Result<(), Stop> {
        if plan.final_rounds == 0 {
            return Ok(());
        }
        while let Some(finalist) = most_promising(self.settings, &self.rounds, &self.seats) {
            let cost = self.final_cost_of(finalist);
            let fitting = (1..=plan.final_rounds)
                .rev()
                .find(|rounds| cost * *rounds as u32 <= self.umpire.left());
            let Some(rounds) = fitting.filter(|it| *it >= LEAST_ROUNDS) else {
                return Err(Stop::Early(EndedEarly::OutOfTime));
            };
            self.finalist = Some(finalist);
            for round in 1..=rounds {
                let later = cost * (rounds - round) as u32;
                self.round((Stage::Final, round, rounds), &[finalist], later)?;
                if self.seats[finalist].dropped.is_some() {
                    self.finalist = None;
                    break;
                }
            }
            if self.finalist.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Bare, bare again and those who play, in an order drawn anew. What was measured of a round that is cut short counts, as
    /// long as bare is there to compare it with.
    fn round(
        &mut self,
        step: (Stage, usize, usize),
        playing: &[usize],
        later: Duration,
    ) -> Result<(), Stop> {
        let mut order = vec![Turn::Bare, Turn::Bare];
        order.extend(playing.iter().map(|entrant| Turn::Entrant(*entrant)));
        self.draw.shuffle(&mut order);
        let mut bare = Vec::new();
        let mut candidates = vec![None; self.seats.len()];
        let mut stopped = Ok(());
        for (done, &turn) in order.iter().enumerate() {
            let left: Duration = order[done..]
                .iter()
                .map(|turn| self.cost_of_turn(*turn))
                .sum();
            match (self.run(turn, step, left + later), turn) {
                (Ok((Ok(figures), _)), Turn::Bare) => bare.push(figures),
                (Ok((Err(why), _)), Turn::Bare) => {
                    stopped = Err(Stop::Early(EndedEarly::BareFailed(why)));
                    break;
                }
                (Ok((Ok(figures), _)), Turn::Entrant(entrant)) => {
                    candidates[entrant] = Some(figures)
                }
                (Ok((Err(why), _)), Turn::Entrant(entrant)) => {
                    let before = self
                        .rounds
                        .iter()
                        .filter(|round| round.stage != step.0)
                        .count();
                    self.drop_entrant(entrant, before + step.1, why);
                }
                (Err(stop), _) => {
                    stopped = Err(stop);
                    break;
                }
            }
        }
        if let Ok(bare) = <[Figures; 2]>::try_from(bare) {
            self.rounds.push(Round {
                stage: step.0,
                bare,
                candidates,
            });
        }
        stopped
    }

    /// One run, and what it took.
    fn run(
        &mut self,
        turn: Turn,
        step: (Stage, usize, usize),
        left: Duration,
    ) -> Result<(Result<Figures, WhyDropped>, Duration), Stop> {
        let contestant = match turn {
            Turn::Bare => Contestant::Bare,
            Turn::Entrant(entrant) => {
                Contestant::Candidate(self.settings.entrants[entrant].name.clone())
            }
        };
        let (ended, took) = self
            .umpire
            .run(&contestant, step, left)
            .map_err(|error| Stop::Unplayable(Unplayable::Runner(error)))?;
        match turn {
            Turn::Bare => self.bare_price.add(took),
            Turn::Entrant(entrant) => self.seats[entrant].price.add(took),
        }
        match ended {
            Ended::Counts(figures) => {
                if let (Turn::Entrant(entrant), Some(coverage)) = (turn, &figures.coverage) {
                    self.seats[entrant].coverage = Some(coverage.clone());
                }
                Ok((Ok(figures), took))
            }
            Ended::Failed(why) => Ok((Err(why), took)),
            Ended::Interrupted => Err(Stop::Early(EndedEarly::Interrupted)),
            Ended::OutOfTime if self.plan.is_none() => {
                Err(Stop::Unplayable(Unplayable::FirstRun {
                    limit: self.settings.time_limit,
                }))
            }
            Ended::OutOfTime => Err(Stop::Early(EndedEarly::OutOfTime)),
        }
    }

    fn drop_entrant(&mut self, entrant: usize, round: usize, why: WhyDropped) {
        let name = &self.settings.entrants[entrant].name;
        let when = match round {
            0 => "in the warm-up".to_owned(),
            round => format!("in round {round}"),
        };
        let line = format!("{name} is out {when}: {}", why_dropped(&why));
        self.umpire.watcher.tell(&line);
        self.seats[entrant].dropped = Some(Dropped { round, why });
    }

    fn drop_clearly_worse(&mut self, playing: &[usize], round: usize) {
        for &entrant in playing {
            // The pass-through stays: it tells what the others owe to their locks.
            let is_control = self.settings.entrants[entrant].name == PASS_THROUGH;
            if is_control || self.seats[entrant].dropped.is_some() {
                continue;
            }
            let blocks = against_bare(&self.rounds, Stage::Qualifying, entrant, metric);
            let better = self.settings.metric.better;
            if blocks.is_some_and(|it| is_clearly_worse(&it, better, &self.rounds)) {
                self.drop_entrant(entrant, round, WhyDropped::ClearlyWorse);
            }
        }
    }

    fn playing(&self, plan: &Plan) -> Vec<usize> {
        let is_in = |entrant: &usize| self.seats[*entrant].dropped.is_none();
        (0..plan.entrants).filter(is_in).collect()
    }

    fn result(mut self, ended_early: Option<EndedEarly>) -> Played {
        let codes = self.umpire.bare_codes();
        self.remarks.extend(announcement::exit_codes(codes));
        let taken = self.umpire.watcher.elapsed();
        let standings = Standings {
            settings: self.settings,
            rounds: &self.rounds,
            seats: &self.seats,
            finalist: self.finalist,
            plan: self.plan,
        };
        standings.result(ended_early, taken, self.remarks)
    }
}

/// What things take.
impl Tournament<'_> {
    fn bare_run(&self) -> Duration {
        self.bare_price.mean().unwrap_or_default()
    }

    /// Of who has not run yet: as bare.
    fn cost_of_turn(&self, turn: Turn) -> Duration {
        let own = match turn {
            Turn::Bare => None,
            Turn::Entrant(entrant) => self.seats[entrant].price.mean(),
        };
        own.unwrap_or_else(|| self.bare_run())
    }

    fn cost_of(&self, playing: &[usize]) -> Duration {
        let of_playing = playing
            .iter()
            .map(|it| self.cost_of_turn(Turn::Entrant(*it)));
        self.bare_run() * 2 + of_playing.sum::<Duration>()
    }

    /// A round of so many, as long as nothing is known of them.
    fn cost(&self, entrants: usize) -> Duration {
        self.bare_run() * (entrants + 2) as u32
    }

    /// A final of so many rounds, of someone as fast as bare.
    fn final_cost(&self, rounds: usize) -> Duration {
        self.cost(1) * rounds as u32
    }

    /// A round of this final.
    fn final_cost_of(&self, finalist: usize) -> Duration {
        self.cost_of(&[finalist])
    }
}
