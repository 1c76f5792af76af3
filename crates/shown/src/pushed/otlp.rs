//! Profiles in OTLP (OpenTelemetry), made of those in pprof, after which OTLP is modelled.
//!
//! The messages are those of the crate opentelemetry-proto, in one version exactly: this part of OTLP is in development, and each version may
//! change it.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};

use opentelemetry_proto::tonic::collector::profiles::v1development::ExportProfilesServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::profiles::v1development as otlp;
use opentelemetry_proto::tonic::resource::v1::Resource as OtlpResource;

use super::interval::Interval;
use crate::Side;
use crate::formats::pprof::proto;

/// Where a server takes profiles over HTTP.
pub const PATH: &str = "/v1development/profiles";

/// And over gRPC.
pub const GRPC_PATH: &str =
    "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export";

/// Whose messages these are, for users whose server has others.
pub const VERSION: &str = "opentelemetry-proto 0.33.1";

/// The attribute of a mapped file with its build id.
const BUILD_ID: &str = "process.executable.build_id.gnu";

/// What the profiles are of: keys and values.
pub type Resource<'a> = [(&'static str, &'a str)];

/// Makes the request with a profile of one side: one OTLP profile for each type of its values.
pub fn request(
    mut pprof: proto::Profile,
    side: Side,
    interval: &Interval,
    resource: &Resource<'_>,
) -> ExportProfilesServiceRequest {
    let mut tables = Tables::of(&mut pprof);
    let side = match side {
        Side::Waiter => "waiter",
        Side::Holder => "holder",
    };
    let by = tables.strings.number("by");
    let by = tables.attribute(by, side);
    let samples: Vec<(otlp::Sample, Vec<i64>)> = pprof
        .sample
        .iter()
        .map(|sample| (tables.sample(sample), sample.value.clone()))
        .collect();
    let types = pprof.sample_type.iter().enumerate();
    let profiles = types.map(|(position, kind)| {
        let samples = samples.iter().map(|(sample, values)| otlp::Sample {
            values: vec![values[position]],
            ..sample.clone()
        });
        otlp::Profile {
            sample_type: Some(value_type(kind)),
            samples: samples.collect(),
            time_unix_nano: interval.began_unix_ns,
            duration_nano: interval
                .ended_unix_ns
                .saturating_sub(interval.began_unix_ns),
            period_type: pprof.period_type.as_ref().map(value_type),
            period: pprof.period,
            profile_id: any_id(position),
            attribute_indices: vec![by],
            ..otlp::Profile::default()
        }
    });
    let scope = InstrumentationScope {
        name: "locktoll".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..InstrumentationScope::default()
    };
    let scope_profiles = vec![otlp::ScopeProfiles {
        scope: Some(scope),
        profiles: profiles.collect(),
        schema_url: String::new(),
    }];
    let attributes = resource.iter().map(|(key, value)| KeyValue {
        key: (*key).to_owned(),
        value: Some(text(value)),
        ..KeyValue::default()
    });
    ExportProfilesServiceRequest {
        resource_profiles: vec![otlp::ResourceProfiles {
            resource: Some(OtlpResource {
                attributes: attributes.collect(),
                ..OtlpResource::default()
            }),
            scope_profiles,
            schema_url: String::new(),
        }],
        dictionary: Some(tables.dictionary(&pprof)),
    }
}

/// The tables of a request. Numbers of strings, files, functions and places are those of the pprof profile, which begin at 1 as OTLP's do.
struct Tables {
    strings: Strings,
    attributes: Vec<otlp::KeyValueAndUnit>,
    known_attributes: HashMap<(i32, String), i32>,
    stacks: Vec<otlp::Stack>,
    known_stacks: HashMap<Vec<u64>, i32>,
}

struct Strings(Vec<String>);

impl Strings {
    fn number(&mut self, text: &str) -> i32 {
        let found = self.0.iter().position(|it| it == text);
        number(found.unwrap_or_else(|| {
            self.0.push(text.to_owned());
            self.0.len() - 1
        }))
    }
}

impl Tables {
    fn of(pprof: &mut proto::Profile) -> Self {
        Self {
            strings: Strings(std::mem::take(&mut pprof.string_table)),
            // The first entry of each table means that there is none.
            attributes: vec![otlp::KeyValueAndUnit::default()],
            known_attributes: HashMap::new(),
            stacks: vec![otlp::Stack::default()],
            known_stacks: HashMap::new(),
        }
    }

    fn attribute(&mut self, key: i32, value: &str) -> i32 {
        let next = number(self.attributes.len());
        let entry = self.known_attributes.entry((key, value.to_owned()));
        let known = *entry.or_insert(next);
        if known == next {
            self.attributes.push(otlp::KeyValueAndUnit {
                key_strindex: key,
                value: Some(text(value)),
                unit_strindex: 0,
            });
        }
        known
    }

    fn stack(&mut self, places: &[u64]) -> i32 {
        let next = number(self.stacks.len());
        let known = *self.known_stacks.entry(places.to_vec()).or_insert(next);
        if known == next {
            self.stacks.push(otlp::Stack {
                location_indices: places.iter().map(|&it| number(it)).collect(),
            });
        }
        known
    }

    fn sample(&mut self, sample: &proto::Sample) -> otlp::Sample {
        let labels = sample.label.iter().map(|label| {
            let value = self.strings.0[label.text as usize].clone();
            self.attribute(number(label.key), &value)
        });
        let attribute_indices = labels.collect();
        otlp::Sample {
            stack_index: self.stack(&sample.location_id),
            attribute_indices,
            ..otlp::Sample::default()
        }
    }

    fn mapping(&mut self, mapping: &proto::Mapping) -> otlp::Mapping {
        let build_id = self.strings.0[mapping.build_id as usize].clone();
        let attributes = (!build_id.is_empty()).then(|| {
            let key = self.strings.number(BUILD_ID);
            self.attribute(key, &build_id)
        });
        otlp::Mapping {
            memory_start: mapping.memory_start,
            memory_limit: mapping.memory_limit,
            file_offset: 0,
            filename_strindex: number(mapping.filename),
            attribute_indices: attributes.into_iter().collect(),
        }
    }

    fn dictionary(mut self, pprof: &proto::Profile) -> otlp::ProfilesDictionary {
        let mappings: Vec<otlp::Mapping> =
            pprof.mapping.iter().map(|it| self.mapping(it)).collect();
        otlp::ProfilesDictionary {
            mapping_table: with_none(mappings),
            location_table: with_none(pprof.location.iter().map(location)),
            function_table: with_none(pprof.function.iter().map(|it| otlp::Function {
                name_strindex: number(it.name),
                system_name_strindex: number(it.system_name),
                filename_strindex: number(it.filename),
                start_line: 0,
            })),
            link_table: vec![otlp::Link::default()],
            string_table: self.strings.0,
            attribute_table: self.attributes,
            stack_table: self.stacks,
        }
    }
}

fn location(location: &proto::Location) -> otlp::Location {
    let lines = location.line.iter().map(|line| otlp::Line {
        function_index: number(line.function_id),
        line: line.line,
        column: 0,
    });
    otlp::Location {
        mapping_index: number(location.mapping_id),
        address: location.address,
        lines: lines.collect(),
        attribute_indices: Vec::new(),
    }
}

fn with_none<T: Default>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    std::iter::once(T::default()).chain(all).collect()
}

fn value_type(kind: &proto::ValueType) -> otlp::ValueType {
    otlp::ValueType {
        type_strindex: number(kind.name),
        unit_strindex: number(kind.unit),
    }
}

fn text(text: &str) -> AnyValue {
    AnyValue {
        value: Some(Value::StringValue(text.to_owned())),
    }
}

/// Converts a number of an entry. No table has more entries than fit: the request would be too large for any server.
fn number(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

/// Returns an id that no other profile has, so that a server that gets a profile twice can see it. Each `RandomState` has another key.
fn any_id(what: impl Hash) -> Vec<u8> {
    let half = || RandomState::new().hash_one(&what).to_be_bytes();
    [half(), half()].concat()
}

#[cfg(test)]
#[path = "otlp_tests.rs"]
mod tests;
