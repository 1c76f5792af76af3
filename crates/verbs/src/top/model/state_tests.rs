use super::super::made_up;
use super::*;

fn of_machine() -> State {
    let mut state = State::new(None);
    state.take(made_up::machine());
    state
}

fn of_program() -> State {
    let mut state = State::new(Some(4242));
    state.take(made_up::program());
    state
}

fn names(state: &State) -> Vec<String> {
    state.ids()
}

#[test]
fn opening_a_program_and_going_back() {
    let mut state = of_machine();
    let first = names(&state)[0].parse().unwrap();
    assert_eq!(state.act(Action::Open), Some(Order::Choose(Some(first))));
    assert_eq!(state.page, Page::Locks(first));
    // The machine's interval that was in progress comes too late.
    state.take(made_up::machine());
    assert!(state.interval.is_none());
    assert_eq!(state.act(Action::Back), Some(Order::Choose(None)));
    assert_eq!(state.page, Page::Programs);
    assert_eq!(state.act(Action::Back), None);
}

#[test]
fn from_a_program_given_by_its_number_there_is_no_way_back() {
    let mut state = of_program();
    assert_eq!(state.act(Action::Open), None);
    assert!(state.opened);
    assert_eq!(state.act(Action::Back), None);
    assert!(!state.opened);
    assert_eq!(state.act(Action::Back), None);
    assert_eq!(state.page, Page::Locks(4242));
}

#[test]
fn the_cursor_stays_on_its_row_when_rows_change_places() {
    let mut state = of_program();
    state.act(Action::Move(1));
    let on = names(&state)[1].clone();
    assert_eq!(state.cursor(), 1);
    state.act(Action::Reverse);
    let at = state.cursor();
    assert_eq!(names(&state)[at], on);
    state.act(Action::Last);
    assert_eq!(state.cursor(), names(&state).len() - 1);
    state.act(Action::Move(5));
    assert_eq!(state.cursor(), names(&state).len() - 1);
    state.act(Action::Move(-100));
    assert_eq!(state.cursor(), 0);
}

#[test]
fn a_filter_is_typed_kept_and_taken_away() {
    let mut state = of_program();
    let all = names(&state).len();
    state.act(Action::Filter);
    for character in "cache".chars() {
        state.act(Action::Type(character));
    }
    let few = names(&state).len();
    assert!(few > 0 && few < all);
    state.act(Action::Accept);
    assert!(!state.typing && state.filter == "cache");
    state.act(Action::Back);
    assert_eq!(names(&state).len(), all);
    state.act(Action::Filter);
    state.act(Action::Type('x'));
    state.act(Action::Erase);
    assert_eq!(state.filter, "");
}

#[test]
fn a_stopped_screen_lets_intervals_pass() {
    let mut state = of_program();
    state.act(Action::Pause);
    let mut later = made_up::program();
    later.interval_ns = 7;
    state.take(later.clone());
    assert_ne!(state.interval.as_ref().unwrap().interval_ns, 7);
    state.act(Action::Pause);
    state.take(later);
    assert_eq!(state.interval.as_ref().unwrap().interval_ns, 7);
}

#[test]
fn any_key_ends_the_help_and_does_nothing_else() {
    let mut state = of_program();
    state.act(Action::Help);
    assert_eq!(state.act(Action::Save), None);
    assert!(!state.help);
    assert_eq!(state.act(Action::Save), Some(Order::Save(4242)));
    let mut machine = of_machine();
    assert_eq!(machine.act(Action::Save), None);
    assert!(machine.notice.is_some());
}

proptest::proptest! {
    #[test]
    fn no_sequence_of_keys_leaves_the_rows(keys in proptest::collection::vec(0usize..16, 0..60)) {
        let actions = [
            Action::Move(1), Action::Move(-1), Action::Page(1), Action::Page(-1), Action::First, Action::Last,
            Action::Open, Action::Back, Action::NextOrder, Action::Reverse, Action::Filter, Action::Type('e'),
            Action::Erase, Action::Pause, Action::Period, Action::Help,
        ];
        let mut state = of_machine();
        for key in keys {
            if let Some(Order::Choose(chosen)) = state.act(actions[key]) {
                state.take(match chosen {
                    None => made_up::machine(),
                    Some(pid) => {
                        let mut program = made_up::program();
                        program.chosen.as_mut().unwrap().pid = pid;
                        program
                    }
                });
            }
            let rows = state.ids().len();
            proptest::prop_assert!(rows == 0 && state.cursor() == 0 || state.cursor() < rows);
        }
    }
}
