//! Control groups that go away and come back.

use crate::bench::Bench;
use crate::group::Group;
use crate::metrics::Metrics;
use crate::program::Program;
use crate::running::Agent;

/// How many programs are recorded.
const RECORDED: &str = r#"locktoll_agent_watched_processes{source="recorder"}"#;

fn recorded(count: f64) -> impl Fn(&Metrics) -> bool {
    move |it| it.of(RECORDED) == Some(count)
}

/// A group within another one, as systemd and Docker make them. The inner one goes first.
fn nested(outer: &str, inner: &str) -> Option<(Group, Group)> {
    let outer = format!("locktoll-agent-{outer}-{}.slice", std::process::id());
    let within = Group::of_version_2(&outer)?;
    Some((Group::of_version_2(&format!("{outer}/{inner}"))?, within))
}

/// Ends the program and its group, and waits until the agent has noticed.
fn end(mut program: Program, groups: (Group, Group), agent: &Agent, times: usize) {
    program.end();
    drop(groups);
    let said = |_: &Metrics| agent.said().matches("control group is gone").count() == times;
    agent.until("the end of the group", said);
}

#[test]
fn a_service_that_starts_again_elsewhere_under_its_name_is_watched() {
    let name = format!("locktoll-web-{}.service", std::process::id());
    let Some(first) = nested("a", &name) else {
        return;
    };
    let bench = Bench::new();
    let mut program = Program::named(&bench, "web_of_the_test", "1.locktoll");
    first.0.add(program.pid);
    let agent = Agent::start(&["--container", &name]);
    program.step("10");
    let acquired = |count: f64| {
        agent.until("acquisitions", |it| {
            it.of_lock("lock_acquisitions_total", "counted_lock") == Some(count)
        })
    };
    acquired(20.0);
    end(program, first, &agent, 1);
    for (place, times) in [("b", 1.0), ("a", 2.0)] {
        let again = nested(place, &name).unwrap();
        let mut program = Program::named(&bench, "web_of_the_test", "2.locktoll");
        again.0.add(program.pid);
        program.step("10");
        acquired(20.0 + times * 20.0);
        end(program, again, &agent, 1 + times as usize);
    }
}

#[test]
fn a_group_that_comes_back_under_its_path_is_watched() {
    let Some(first) = nested("path", "worker") else {
        return;
    };
    let path = first.0.folder().to_str().unwrap().to_owned();
    let bench = Bench::new();
    let program = Program::recorded(&bench, "1.locktoll");
    first.0.add(program.pid);
    let agent = Agent::start(&["--cgroup", &path]);
    agent.until("the program", recorded(1.0));
    end(program, first, &agent, 1);
    let again = nested("path", "worker").unwrap();
    let program = Program::recorded(&bench, "2.locktoll");
    again.0.add(program.pid);
    agent.until("the program", recorded(1.0));
    end(program, again, &agent, 2);
}

#[test]
fn the_beginning_of_an_id_never_means_another_container_later() {
    let id = |end: &str| {
        format!(
            "{:056x}{end:0>8}",
            0xace0_0000_u64 << 16 | u64::from(std::process::id())
        )
    };
    let scope = |end: &str| format!("docker-{}.scope", id(end));
    let Some(first) = nested("id", &scope("1")) else {
        return;
    };
    let bench = Bench::new();
    let program = Program::recorded(&bench, "1.locktoll");
    first.0.add(program.pid);
    let agent = Agent::start(&["--container", &id("1")[..56]]);
    agent.until("the program", recorded(1.0));
    end(program, first, &agent, 1);
    let other = nested("id", &scope("2")).unwrap();
    let mut stranger = Program::recorded(&bench, "2.locktoll");
    other.0.add(stranger.pid);
    let readings = |it: &Metrics| it.of("locktoll_agent_readings_total").unwrap();
    // The agent looks at least once in ten readings.
    let enough = readings(&agent.metrics()) + 30.0;
    let metrics = agent.until("readings", |it| readings(it) >= enough);
    assert!(recorded(0.0)(&metrics), "{}", metrics.text);
    stranger.end();
    drop(other);
    // The same container starts again.
    let again = nested("id", &scope("1")).unwrap();
    let program = Program::recorded(&bench, "3.locktoll");
    again.0.add(program.pid);
    agent.until("the program", recorded(1.0));
    end(program, again, &agent, 2);
}
