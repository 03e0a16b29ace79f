//! Lists that stay for as long as the process: what they hold in reserve is an eighth of them, and not as much again.

/// Of short lists.
const RESERVE_MIN: usize = 4;

/// Sees to it that so many more fit.
pub fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 8).max(RESERVE_MIN));
    }
}

/// Puts one at the end.
pub fn push<T>(list: &mut Vec<T>, value: T) {
    make_room(list, 1);
    list.push(value);
}

#[cfg(test)]
mod tests {
    use super::push;

    #[test]
    fn a_long_list_holds_little_in_reserve_and_is_seldom_moved() {
        let mut list = Vec::new();
        let mut moves = 0;
        for number in 0..100_000_u32 {
            let before = list.capacity();
            push(&mut list, number);
            moves += usize::from(list.capacity() != before);
        }
        assert!(
            list.capacity() <= list.len() + list.len() / 8,
            "{}",
            list.capacity()
        );
        assert!(moves < 100, "{moves}");
    }
}
