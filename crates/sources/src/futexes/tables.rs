//! Reads the kernel's maps into [`Gathered`].

use aya::Pod;

use super::call::Call;
use super::gathered::{
    Dropped, Ended, Gathered, Image, Lives, Moved, Owner, Preemption, Thread, Wait, WaitNow,
    Waiting, Wake, Word,
};
use super::own_stacks;
use super::owner_field;
use super::raw;
use super::raw::Counter;
use super::unwind;
use crate::ebpf::Loaded;
use locktoll_terminal::system::files::text_of_process;

/// Reads all maps. `now_ns` is the kernel's monotonic clock.
pub fn read(loaded: &Loaded, now_ns: u64) -> anyhow::Result<Gathered> {
    let mut gathered = Gathered::default();
    each(loaded, "waits", |key, wait| {
        gathered.waits.extend(wait_of(key, wait));
    })?;
    each(loaded, "wakes", |key, wake| {
        gathered.wakes.extend(wake_of(key, wake));
    })?;
    each(loaded, "owners", |key: raw::OwnerKey, owner: raw::Owner| {
        gathered.owners.push(Owner {
            process: key.process,
            word: key.word,
            thread: key.thread,
            count: owner.count,
            wait_ns: owner.wait_ns,
        });
    })?;
    each(loaded, "holders", |key, holder| {
        gathered.owners.extend(until_now(key, holder, now_ns));
    })?;
    each(loaded, "preemptions", |key, preemption| {
        gathered.preemptions.push(preemption_of(key, preemption));
    })?;
    each(loaded, "words", |key, word| {
        gathered.words.push(word_of(key, word));
    })?;
    each(loaded, "moved", |key: raw::MovedKey, moved: raw::Moved| {
        gathered.moved.push(Moved {
            process: process(key.process),
            from: key.from,
            to: key.to,
            count: moved.count,
            before_ns: moved.before_ns,
            after_ns: moved.after_ns,
        });
    })?;
    each(
        loaded,
        "threads",
        |_: raw::ThreadKey, thread: raw::Thread| {
            gathered.waiting.extend(waiting_of(&thread, now_ns));
            gathered.threads.push(thread_of(&thread, false));
        },
    )?;
    each(loaded, "ended", |_: u64, thread: raw::Thread| {
        gathered.threads.push(thread_of(&thread, true));
    })?;
    let count = counters(loaded)?;
    gathered.begun_before = count(Counter::BegunBefore);
    gathered.dropped = dropped(&count);
    let stacks = unwind::stacks(loaded)?;
    gathered.stacks = stacks.addresses;
    gathered.cut_stacks = stacks.cut;
    gathered.walks = stacks.walks;
    gathered.dropped.stacks = stacks.dropped;
    gathered.lives = lives(&count);
    gathered.images = read_images(loaded)?;
    own_stacks::separate(&mut gathered);
    Ok(gathered)
}

/// Reads the waits that go on, and nothing else.
pub fn read_waits(loaded: &Loaded) -> anyhow::Result<Vec<WaitNow>> {
    let mut waits = Vec::new();
    each(
        loaded,
        "threads",
        |_: raw::ThreadKey, thread: raw::Thread| waits.extend(wait_now(&thread)),
    )?;
    Ok(waits)
}

/// Reads what has happened to the processes so far.
pub fn read_lives(loaded: &Loaded) -> anyhow::Result<Lives> {
    Ok(lives(&counters(loaded)?))
}

/// Reads the images of the watched processes so far, with their numbers.
pub fn read_images(loaded: &Loaded) -> anyhow::Result<Vec<Image>> {
    let mut images = Vec::new();
    each(loaded, "images", |number: u32, image: raw::Image| {
        images.push(Image {
            number,
            process: image.process,
            parent: image.parent,
            is_by_exec: image.is_by_exec != 0,
            began_ns: image.began_ns,
            ended_ns: image.ended_ns,
        });
    })?;
    images.sort_by_key(|it| (it.began_ns, it.number));
    Ok(images)
}

/// Iterates over the entries of the map `name`.
fn each<K: Pod, V: Pod>(
    loaded: &Loaded,
    name: &str,
    mut take: impl FnMut(K, V),
) -> anyhow::Result<()> {
    for entry in loaded.hash::<K, V>(name)?.iter() {
        let (key, value) = entry?;
        take(key, value);
    }
    Ok(())
}

fn counters(loaded: &Loaded) -> anyhow::Result<impl Fn(Counter) -> u64> {
    let counted = loaded
        .array::<u64>("counters")?
        .iter()
        .collect::<Result<Vec<u64>, _>>()?;
    Ok(move |counter: Counter| counted.get(counter as usize).copied().unwrap_or(0))
}

fn dropped(count: &impl Fn(Counter) -> u64) -> Dropped {
    Dropped {
        threads: count(Counter::NoThread),
        waits: count(Counter::NoWait),
        wakes: count(Counter::NoWake),
        owners: count(Counter::NoOwner),
        preemptions: count(Counter::NoPreemption),
        words: count(Counter::NoWord),
        moved: count(Counter::NoMoved),
        ended: count(Counter::NoEnded),
        stacks: 0,
        images: count(Counter::NoImage),
    }
}

fn lives(count: &impl Fn(Counter) -> u64) -> Lives {
    Lives {
        threads_started: count(Counter::ThreadsStarted),
        threads_ended: count(Counter::ThreadsEnded),
        processes_started: count(Counter::ProcessesStarted),
        processes_ended: count(Counter::ProcessesEnded),
        programs_replaced: count(Counter::ProgramsReplaced),
    }
}

/// Returns the id of a process, which has 32 bits. Some keys keep it in 64, so that there is no padding between their fields.
fn process(wide: u64) -> u32 {
    u32::try_from(wide).unwrap_or(0)
}

fn wait_of(key: raw::WaitKey, wait: raw::Wait) -> Option<Wait> {
    Some(Wait {
        process: key.process,
        word: key.word,
        ended_on: key.ended_on,
        call: Call::of(key.call)?,
        op: key.op,
        stack: key.stack,
        waker_stack: key.waker_stack,
        waker_process: key.waker_process,
        woken: wait.woken,
        at_once: wait.at_once,
        again: wait.again,
        timed_out: wait.timed_out,
        interrupted: wait.interrupted,
        failed: wait.failed,
        restarted: wait.restarted,
        total_ns: wait.total_ns,
        max_ns: wait.max_ns,
        runnable_ns: wait.runnable_ns,
        owner_known: wait.owner_known,
        log2: wait.log2.to_vec(),
    })
}

/// Returns the waiting since the program for it last ran.
fn until_now(key: raw::WordKey, holder: raw::Holder, now_ns: u64) -> Option<Owner> {
    (holder.waiters > 0).then(|| Owner {
        process: process(key.process),
        word: key.word,
        thread: holder.owner,
        count: 0,
        wait_ns: now_ns.saturating_sub(holder.last_ns) * u64::from(holder.waiters),
    })
}

fn wake_of(key: raw::WakeKey, wake: raw::Wake) -> Option<Wake> {
    Some(Wake {
        process: key.process,
        word: key.word,
        second: key.second,
        call: Call::of(key.call)?,
        op: key.op,
        stack: key.stack,
        calls: wake.empty + wake.failed + wake.met,
        empty: wake.empty,
        failed: wake.failed,
        woken: wake.woken,
        moved: wake.moved,
    })
}

fn preemption_of(key: raw::WordKey, preemption: raw::Preemption) -> Preemption {
    Preemption {
        process: process(key.process),
        word: key.word,
        count: preemption.count,
        total_ns: preemption.total_ns,
        waited_ns: preemption.waited_ns,
        max_ns: preemption.max_ns,
        log2: preemption.log2.to_vec(),
    }
}

fn word_of(key: raw::WordKey, word: raw::Word) -> Word {
    Word {
        process: process(key.process),
        word: key.word,
        value: word.value,
        before: (word.has_before != 0).then_some(word.before),
        from: (word.has_from != 0).then_some(word.from),
        joined: word.joined,
    }
}

fn thread_of(thread: &raw::Thread, ended: bool) -> Thread {
    let name = match text_of_process(thread.global, "comm") {
        Ok(name) if !ended => name.trim_end().to_owned(),
        _ => String::from_utf8_lossy(until_zero(&thread.name)).into_owned(),
    };
    Thread {
        process: thread.process,
        thread: thread.thread,
        name,
        ended: ended.then_some(Ended {
            global: thread.global,
            began_ns: thread.began_ns,
            ended_ns: thread.ended_ns,
            user_ns: thread.user_ns,
            system_ns: thread.system_ns,
            cpu_ns: thread.cpu_ns,
            cpu_wait_ns: thread.run_delay_ns,
            voluntary: thread.voluntary,
            involuntary: thread.involuntary,
        }),
        waits: thread.waits,
        wait_ns: thread.wait_ns,
        max_ns: thread.max_ns,
        preempted: thread.preempted,
        preempted_ns: thread.preempted_ns,
        yielded: thread.yielded,
    }
}

fn waiting_of(thread: &raw::Thread, now_ns: u64) -> Option<Waiting> {
    if thread.asleep_ns == 0 {
        return None;
    }
    Some(Waiting {
        process: thread.process,
        thread: thread.thread,
        word: thread.word,
        call: Call::of(thread.call)?,
        op: thread.op,
        value: thread.value,
        owner: thread.owner,
        owner_field: None,
        wait_ns: Some(now_ns.saturating_sub(thread.asleep_ns)),
        since_ns: thread.asleep_ns,
        stack: 0,
    })
}

fn wait_now(thread: &raw::Thread) -> Option<WaitNow> {
    let call = Call::of(thread.call).filter(|_| thread.asleep_ns != 0)?;
    Some(WaitNow {
        process: thread.process,
        thread: thread.thread,
        word: thread.word,
        owner: Some(thread.owner).filter(|&owner| owner != 0),
        owner_at: owner_field::address(call, thread.value, thread.word),
        since_ns: thread.asleep_ns,
        is_woken: thread.woken_ns != 0,
    })
}

fn until_zero(name: &[u8]) -> &[u8] {
    name.split(|byte| *byte == 0).next().unwrap_or_default()
}
