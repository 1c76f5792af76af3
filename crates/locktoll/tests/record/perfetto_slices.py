"""Reads a trace with Perfetto's own messages (the Python package perfetto), as its trace processor does: slices of one track are
nested, and the events of a track are in the order of their times. Prints JSON: by the name of a slice, how many there are and how
many nanoseconds they last together; and how many flows begin and end."""

import json
import sys

from perfetto.protos.perfetto.trace import perfetto_trace_pb2

trace = perfetto_trace_pb2.Trace()
with open(sys.argv[1], "rb") as file:
    trace.ParseFromString(file.read())
Event = perfetto_trace_pb2.TrackEvent
names, tracks, described, events = {}, {}, set(), []
begun, ended = set(), set()
for packet in trace.packet:
    sequence = packet.trusted_packet_sequence_id
    if packet.sequence_flags & packet.SEQ_INCREMENTAL_STATE_CLEARED:
        names = {key: name for key, name in names.items() if key[0] != sequence}
    if packet.HasField("trace_packet_defaults"):
        tracks[sequence] = packet.trace_packet_defaults.track_event_defaults.track_uuid
    if packet.HasField("track_descriptor"):
        described.add(packet.track_descriptor.uuid)
    for name in packet.interned_data.event_names:
        names[sequence, name.iid] = name.name
    if packet.HasField("track_event"):
        event = packet.track_event
        track = event.track_uuid or tracks[sequence]
        assert track in described, f"track {track} is not described"
        begun.update(event.flow_ids)
        ended.update(event.terminating_flow_ids)
        events.append((packet.timestamp, len(events), track, event.type, names.get((sequence, event.name_iid))))
events.sort()
slices, open_slices = {}, {}
for at, _, track, kind, name in events:
    stack = open_slices.setdefault(track, [])
    if kind == Event.TYPE_SLICE_BEGIN:
        stack.append((at, name))
    elif kind == Event.TYPE_SLICE_END:
        begin, name = stack.pop()
        number, total = slices.get(name, (0, 0))
        slices[name] = (number + 1, total + at - begin)
assert not any(open_slices.values()), "a slice does not end"
assert begun == ended, "a flow has one end only"
print(json.dumps({"slices": slices, "flows": len(begun)}))
