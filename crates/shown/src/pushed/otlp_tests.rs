use super::*;
use crate::{Selection, SortKey};
use locktoll_made_up::sample::job_server;
use locktoll_results::profile::Lock;

fn made(side: Side) -> (proto::Profile, ExportProfilesServiceRequest) {
    let interval = Interval::of(job_server(), 5_000, 9_000);
    let profile = job_server();
    let selection = Selection::new(&profile, SortKey::Wait, None);
    let id = |lock: &Lock| lock.id.clone();
    let pprof = crate::formats::pprof::message(&selection, side, &id);
    let resource = [("service.name", "server"), ("pod", "p\u{e9}")];
    let request = request(pprof.clone(), side, &interval, &resource);
    (pprof, request)
}

#[test]
fn values_stacks_and_names_are_those_of_pprof() {
    for side in [Side::Waiter, Side::Holder] {
        let (pprof, request) = made(side);
        let tables = request.dictionary.unwrap();
        let text = |number: i32| tables.string_table[number as usize].as_str();
        let of = |number: i64| pprof.string_table[number as usize].as_str();
        let profiles = &request.resource_profiles[0].scope_profiles[0].profiles;
        assert_eq!(profiles.len(), pprof.sample_type.len());
        for (position, profile) in profiles.iter().enumerate() {
            let (kind, was) = (profile.sample_type.unwrap(), &pprof.sample_type[position]);
            assert_eq!(text(kind.type_strindex), of(was.name));
            assert_eq!(text(kind.unit_strindex), of(was.unit));
            assert_eq!(
                (profile.time_unix_nano, profile.duration_nano),
                (5_000, 4_000)
            );
            assert_eq!(profile.samples.len(), pprof.sample.len());
            for (sample, was) in profile.samples.iter().zip(&pprof.sample) {
                assert_eq!(sample.values, [was.value[position]]);
                let stack = &tables.stack_table[sample.stack_index as usize];
                let functions = stack.location_indices.iter().flat_map(|&place| {
                    let lines = &tables.location_table[place as usize].lines;
                    let names = lines.iter().map(|line| {
                        let function = tables.function_table[line.function_index as usize];
                        text(function.name_strindex)
                    });
                    names.collect::<Vec<_>>()
                });
                let names = was.location_id.iter().flat_map(|&place| {
                    let lines = &pprof.location[place as usize - 1].line;
                    let names = lines
                        .iter()
                        .map(|line| of(pprof.function[line.function_id as usize - 1].name));
                    names.collect::<Vec<_>>()
                });
                assert!(functions.eq(names));
                let attributes = sample.attribute_indices.iter().map(|&number| {
                    let attribute = &tables.attribute_table[number as usize];
                    (text(attribute.key_strindex), attribute.value.clone())
                });
                let labels = was
                    .label
                    .iter()
                    .map(|it| (of(it.key), Some(super::text(of(it.text)))));
                assert!(attributes.eq(labels));
            }
        }
    }
}

#[test]
fn each_table_begins_with_nothing_and_each_profile_has_an_id() {
    let (_, request) = made(Side::Holder);
    let tables = request.dictionary.unwrap();
    assert_eq!(tables.string_table[0], "");
    assert_eq!(tables.mapping_table[0], Default::default());
    assert_eq!(tables.location_table[0], Default::default());
    assert_eq!(tables.function_table[0], Default::default());
    assert_eq!(tables.link_table, [otlp::Link::default()]);
    assert_eq!(tables.attribute_table[0], Default::default());
    assert_eq!(tables.stack_table[0], Default::default());
    let build_ids = tables
        .mapping_table
        .iter()
        .flat_map(|it| &it.attribute_indices);
    assert!(build_ids.count() > 0);
    let all = &request.resource_profiles[0];
    let profiles = &all.scope_profiles[0].profiles;
    assert!(profiles.iter().all(|it| it.profile_id.len() == 16));
    assert_ne!(profiles[0].profile_id, profiles[1].profile_id);
    let by = &tables.attribute_table[profiles[0].attribute_indices[0] as usize];
    assert_eq!(by.value, Some(text("holder")));
    let resource = all.resource.as_ref().unwrap();
    assert_eq!(resource.attributes[1].value, Some(text("p\u{e9}")));
}

#[test]
fn the_version_that_users_are_shown_is_the_one_that_is_linked() {
    let (name, version) = super::VERSION.split_once(' ').unwrap();
    let line = format!("{name} = {{ version = \"={version}\"");
    assert!(include_str!("../../Cargo.toml").contains(&line), "{line}");
}
