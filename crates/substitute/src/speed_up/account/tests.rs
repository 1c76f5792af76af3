//! Accounts of one thread, and of two.

use super::*;

/// Sets the percentage for a test, and gives what has been saved up to then.
fn speed_up(percent: u32) -> std::sync::MutexGuard<'static, ()> {
    let turn = turn();
    assert!(generation::start());
    saved::start(percent);
    turn
}

fn wait(ns: u64) {
    let until = clock() + ns;
    while clock() < until {
        core::hint::spin_loop();
    }
}

#[test]
fn a_hold_saves_its_share_and_its_own_thread_has_paid_for_it() {
    let _turn = speed_up(50);
    pay();
    let before = saved_by_now();
    let began = clock();
    let slot = begin();
    wait(200_000);
    end(slot);
    let took = clock() - began;
    let saved = saved_by_now().minus(before);
    assert!(
        saved >= 100_000 && saved <= took.cast_signed() / 2 + 1,
        "{saved}"
    );
    // Nothing is left to pay.
    let paid = with(|account| account.paid);
    assert_eq!(saved_by_now().minus(paid), 0);
    saved::start(0);
}

#[test]
fn other_threads_pay_what_they_were_not_woken_for() {
    let _turn = speed_up(50);
    pay();
    let paid = with(|account| account.paid);
    let ended = std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let slot = begin();
            wait(400_000);
            end(slot);
            let ended = saved_by_now();
            close();
            ended
        });
        other.join().unwrap()
    });
    assert!(ended.minus(paid) >= 200_000);
    // A thread that the other one has woken need not pay.
    let began = clock();
    woken(ended);
    assert_eq!(with(|account| account.paid).minus(ended), 0);
    // Another one does: it pauses at least as long as the other thread saved.
    with(|account| account.paid = paid);
    pay();
    assert!(clock() - began >= ended.minus(paid).cast_unsigned() - 30_000);
    assert!(with(|account| account.paid).minus(ended) >= -30_000);
    saved::start(0);
}

#[test]
fn a_hold_that_another_thread_ends_ends_once() {
    let _turn = speed_up(50);
    let slot = begin();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            end(slot);
            close();
        });
    });
    let ended = saved_by_now();
    wait(50_000);
    assert_eq!(saved_by_now().minus(ended), 0, "nothing is saved any more");
    // The thread that began it learns of it, and begins anew.
    let slot = begin();
    wait(50_000);
    end(slot);
    let after = saved_by_now();
    assert_eq!(saved_by_now().minus(after), 0);
    saved::start(0);
}

#[test]
fn holds_inside_holds_save_once() {
    let _turn = speed_up(50);
    let before = saved_by_now();
    let began = clock();
    let slots = [begin(), begin()];
    wait(100_000);
    for slot in slots {
        end(slot);
    }
    let took = clock() - began;
    let saved = saved_by_now().minus(before);
    assert!(saved <= took.cast_signed() / 2 + 1, "{saved} of {took}");
    saved::start(0);
}

/// A signal handler that locks may come while its thread pays, or begins or ends a hold.
#[test]
fn what_interrupts_a_change_of_the_account_leaves_it_alone() {
    let _turn = speed_up(50);
    let slot = begin();
    let before = with(|account| account.holds);
    let nested = with(|_| {
        pay();
        let nested = begin();
        end(nested);
        suspend();
        nested
    });
    assert_eq!((nested, before), (0, 1));
    assert_eq!(with(|account| (account.holds, account.slot)), (1, slot));
    end(slot);
    let ended = saved_by_now();
    wait(50_000);
    assert_eq!(saved_by_now().minus(ended), 0, "nobody saves");
    saved::start(0);
}
