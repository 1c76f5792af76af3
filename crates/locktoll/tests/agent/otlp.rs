//! Requests in OTLP, read back with the published messages.

use std::io::Read;

use flate2::read::GzDecoder;
use opentelemetry_proto::tonic::collector::profiles::v1development::ExportProfilesServiceRequest;
use opentelemetry_proto::tonic::common::v1::AnyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::profiles::v1development::{Profile, ProfilesDictionary};
use prost::Message;

use crate::receiver::Received;

/// A request.
#[derive(Clone)]
pub struct Export(ExportProfilesServiceRequest);

impl From<ExportProfilesServiceRequest> for Export {
    fn from(request: ExportProfilesServiceRequest) -> Self {
        Self(request)
    }
}

impl Export {
    pub fn of(received: &Received) -> Self {
        assert_eq!(received.uri.path(), "/v1development/profiles");
        assert_eq!(received.headers["content-type"], "application/x-protobuf");
        assert_eq!(received.headers["content-encoding"], "gzip");
        let mut bytes = Vec::new();
        GzDecoder::new(&received.body[..])
            .read_to_end(&mut bytes)
            .unwrap();
        Self(ExportProfilesServiceRequest::decode(&bytes[..]).unwrap())
    }

    /// An attribute of the resource.
    pub fn resource(&self, key: &str) -> Option<&str> {
        let resource = self.0.resource_profiles[0].resource.as_ref().unwrap();
        let found = resource.attributes.iter().find(|it| it.key == key)?;
        text(found.value.as_ref())
    }

    /// The sum of the values of this type, by waiter or by holder, of a lock.
    pub fn value(&self, by: &str, kind: &str, lock: &str) -> i64 {
        let tables = self.0.dictionary.as_ref().unwrap();
        let profiles = &self.0.resource_profiles[0].scope_profiles[0].profiles;
        let is_asked = |it: &&Profile| {
            let type_name = it.sample_type.unwrap().type_strindex;
            tables.string_table[type_name as usize] == kind
                && attribute(tables, &it.attribute_indices, "by") == Some(by)
        };
        let samples = profiles.iter().filter(is_asked).flat_map(|it| &it.samples);
        let of_lock = samples.filter(|it| {
            let name = attribute(tables, &it.attribute_indices, "lock");
            assert_ne!(it.stack_index, 0);
            name.unwrap().ends_with(lock)
        });
        of_lock.map(|it| it.values[0]).sum()
    }
}

fn attribute<'a>(tables: &'a ProfilesDictionary, numbers: &[i32], key: &str) -> Option<&'a str> {
    let attributes = numbers
        .iter()
        .map(|&it| &tables.attribute_table[it as usize]);
    let mut found = attributes.filter(|it| tables.string_table[it.key_strindex as usize] == key);
    text(found.next()?.value.as_ref())
}

fn text(value: Option<&AnyValue>) -> Option<&str> {
    match &value?.value {
        Some(Value::StringValue(text)) => Some(text),
        _ => None,
    }
}
