//! Turns flags into the candidates and the command, and checks all of it before anything starts.

use std::ffi::OsString;

use locktoll_substitute::candidate::{self, Candidate, Description, Unknown};

use crate::run_program::program;
use crate::run_program::program::{Purpose, Runtime};
use crate::trial::{Input, Load, PASS_THROUGH, Pattern, Ready, Subject, is_open};
use locktoll_terminal::escape::{shown, shown_text};
use locktoll_terminal::failure::Failure;

/// The name that selects every candidate.
const ALL: &str = "all";

/// The name of the unmodified program.
const BARE: &str = "bare";

/// Returns the candidates: first the one that replaces nothing, then the others in the order in which they were named, each once.
///
/// # Errors
/// [`Failure::Usage`] for an unknown name, with the nearest known name and the list of all.
pub fn candidates(wanted: &[String], cpus: u32) -> Result<Vec<Candidate>, Failure> {
    let mut chosen = vec![parse(PASS_THROUGH)?];
    let mut add = |candidate: Candidate| {
        if !chosen.contains(&candidate) {
            chosen.push(candidate);
        }
    };
    if wanted.is_empty() {
        candidate::defaults(cpus).for_each(&mut add);
    }
    for name in wanted {
        match name.as_str() {
            ALL => {
                for description in candidate::ALL {
                    add(parse(description.name)?);
                }
            }
            BARE => {}
            name => add(parse(name)?),
        }
    }
    Ok(chosen)
}

fn parse(name: &str) -> Result<Candidate, Failure> {
    candidate::parse(name.as_bytes()).map_err(|why| refused(name, why))
}

fn refused(name: &str, why: Unknown) -> Failure {
    let asked = shown_text(name);
    Failure::Usage(match why {
        Unknown::Name => {
            let word = name.split([':', '+']).next().unwrap_or_default();
            let distance = |it: &&Description| strsim::damerau_levenshtein(it.name, word);
            // With half of its letters wrong, a name is not a misspelling of another.
            let is_alike = |it: &&Description| distance(it) * 2 < it.name.len().max(word.len());
            let nearest = candidate::ALL.iter().min_by_key(distance).filter(is_alike);
            let nearest =
                nearest.map_or_else(String::new, |it| format!(" (did you mean '{}'?)", it.name));
            format!("no lock is called '{asked}'{nearest}; `locktoll try --list` shows all")
        }
        Unknown::TakesNoParameter(name) => {
            format!("in '{asked}', {name} takes no number; accepted: {name}")
        }
        Unknown::Parameter { name, least, most } => {
            format!(
                "in '{asked}', the part after the colon is not accepted; type {name}, or {name}:N with N from {least} to {most}"
            )
        }
    })
}

/// Refuses candidates whose holders are to request time slice extensions, if there is a reason `why_not`.
///
/// # Errors
/// [`Failure::Unsupported`], with the first of them.
pub fn refuse_slice_extension(
    candidates: &[Candidate],
    why_not: impl FnOnce() -> Option<String>,
) -> Result<(), Failure> {
    match candidates.iter().find(|it| it.slice_extension) {
        Some(candidate) => why_not().map_or(Ok(()), |why| {
            Err(Failure::Unsupported(format!(
                "{candidate} cannot be tried here: {why}"
            )))
        }),
        None => Ok(()),
    }
}

/// Returns how to write a candidate on the command line.
pub fn usage(description: &Description) -> String {
    match description.parameter {
        Some(_) => format!("{}[:N]", description.name),
        None => description.name.to_owned(),
    }
}

/// The flags that say what runs, and what is compared.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// `--load`.
    pub load: Option<&'a str>,
    /// `--ready`.
    pub ready: Option<&'a str>,
    /// `--metric`.
    pub metric: Option<&'a str>,
    /// `--rounds`.
    pub rounds: Option<usize>,
}

/// Returns the program to run, and the warnings that its user should see beforehand.
///
/// # Errors
/// [`Failure::Usage`] and [`Failure::Unsupported`].
pub fn subject(args: Wanted<'_>) -> Result<(Subject, Vec<String>), Failure> {
    let flag = |flag: &'static str| move |reason| Failure::Usage(format!("{flag} {reason}"));
    let metric = args.metric.map(Pattern::with_group).transpose();
    let metric = metric.map_err(flag("--metric"))?;
    let ready = match args.ready {
        Some(text) => Ready::parse(text).map_err(flag("--ready"))?,
        None => Ready::Listens,
    };
    let load = args.load.map(|command| Load {
        command: command.to_owned(),
        ready,
    });
    if let Some(load) = &load
        && load.command.trim().is_empty()
    {
        return Err(Failure::Usage(
            "--load is empty; give a command for `sh -c`".to_owned(),
        ));
    }
    if args.rounds == Some(0) {
        return Err(Failure::Usage(
            "--rounds 0 measures nothing; accepted: 1 or more".to_owned(),
        ));
    }
    let name = args.command.first().ok_or_else(|| {
        Failure::Usage(
            "no program is given; give the program and its arguments after `--`".to_owned(),
        )
    })?;
    let program = program::check(name, Purpose::Try)?;
    let mut warnings = program.warnings;
    if matches!(program.runtime, Runtime::Rust | Runtime::RustParkingLot) {
        warnings.push(format!(
            "{} looks like a Rust program. The locks of Rust's standard library and of parking_lot are built on futexes and \
             are not replaced; only pthread locks are",
            shown(name)
        ));
    }
    let input = Input::of_ours().map_err(|error| {
        Failure::Usage(format!(
            "standard input is a file that cannot be opened again for each run ({error}); give another file, or /dev/null"
        ))
    })?;
    if let Some(Load {
        ready: Ready::Port(port),
        ..
    }) = load
        && is_open(port)
    {
        return Err(Failure::Usage(format!(
            "port {port} is in use, so the load would reach another server; stop that server, or let CMD listen on another port"
        )));
    }
    let subject = Subject {
        command: args.command.to_vec(),
        program: program.path,
        input,
        load,
        metric,
    };
    Ok((subject, warnings))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(wanted: &[&str]) -> Result<Vec<String>, String> {
        let wanted: Vec<String> = wanted.iter().map(|&name| name.to_owned()).collect();
        let chosen = candidates(&wanted, 2).map_err(|failure| failure.to_string())?;
        Ok(chosen.iter().map(Candidate::to_string).collect())
    }

    #[test]
    fn the_pass_through_is_always_in_and_nothing_twice() {
        let chosen = names(&["ticket", "bare", "pass-through", "ticket"]).unwrap();
        assert_eq!(chosen, ["pass-through", "ticket"]);
        // Two names of the same lock.
        let parameter = candidate::ALL
            .iter()
            .find_map(|it| Some((it.name, it.parameter?)));
        let (name, parameter) = parameter.unwrap();
        let chosen = names(&[name, &format!("{name}:{}", parameter.default)]).unwrap();
        assert_eq!(
            chosen,
            ["pass-through", &format!("{name}:{}", parameter.default)]
        );
        assert_eq!(names(&[]).unwrap()[0], "pass-through");
        assert_eq!(names(&["all"]).unwrap().len(), candidate::ALL.len());
    }

    #[test]
    fn a_candidate_with_the_slice_extension_is_refused_where_there_is_none() {
        let chosen = candidates(&["futex3:0+slice".to_owned(), "ticket".to_owned()], 2).unwrap();
        let refused = refuse_slice_extension(&chosen, || Some("no reason".to_owned()));
        assert!(
            matches!(&refused, Err(Failure::Unsupported(line)) if line == "futex3:0+slice cannot be tried here: no reason"),
            "{refused:?}"
        );
        assert!(refuse_slice_extension(&chosen, || None).is_ok());
        let others = candidates(&["ticket".to_owned()], 2).unwrap();
        assert!(refuse_slice_extension(&others, || panic!("nobody asks")).is_ok());
    }

    #[test]
    fn a_name_that_is_none_is_told_its_nearest_and_where_all_are() {
        let error = names(&["ttas-bakcoff"]).unwrap_err();
        assert!(error.contains("did you mean 'ttas-backoff'?"), "{error}");
        assert!(
            error.ends_with("`locktoll try --list` shows all"),
            "{error}"
        );
        let error = names(&["tolgate+slice"]).unwrap_err();
        assert!(error.contains("did you mean 'tollgate'?"), "{error}");
        assert!(!names(&["foo"]).unwrap_err().contains("did you mean"));
        let error = names(&["pass-through:3"]).unwrap_err();
        assert!(error.contains("takes no number"), "{error}");
        let error = names(&["futex3:x"]).unwrap_err();
        assert!(error.contains("with N from 0 to"), "{error}");
        assert!(!names(&["\x1b[2J"]).unwrap_err().contains('\x1b'));
        assert!(names(&[""]).is_err());
    }
}
