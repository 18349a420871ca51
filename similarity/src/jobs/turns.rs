//! A queue in which clients take turns: of those that have something waiting, each gets one place after another.

use std::collections::VecDeque;

/// A queue.
#[derive(Debug)]
pub(super) struct Turns<T> {
    /// Clients with what they have waiting, of which there is something. The first one is the next.
    clients: VecDeque<(String, VecDeque<T>)>,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self { clients: VecDeque::new() }
    }
}

impl<T> Turns<T> {
    pub(super) fn push(&mut self, client: &str, item: T) {
        match self.clients.iter_mut().find(|(name, _)| name == client) {
            Some((_, items)) => items.push_back(item),
            None => self.clients.push_back((client.to_owned(), VecDeque::from([item]))),
        }
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        let (client, mut items) = self.clients.pop_front()?;
        let item = items.pop_front();
        if !items.is_empty() {
            self.clients.push_back((client, items));
        }
        item
    }

    pub(super) fn remove(&mut self, is_wanted: impl Fn(&T) -> bool) {
        for (_, items) in &mut self.clients {
            items.retain(|item| !is_wanted(item));
        }
        self.clients.retain(|(_, items)| !items.is_empty());
    }

    pub(super) fn len(&self) -> usize {
        self.clients.iter().map(|(_, items)| items.len()).sum()
    }

    pub(super) fn len_of(&self, client: &str) -> usize {
        self.clients.iter().find(|(name, _)| name == client).map_or(0, |(_, items)| items.len())
    }

    /// Returns how many items come before one.
    pub(super) fn position(&self, is_wanted: impl Fn(&T) -> bool) -> Option<usize> {
        let mut before = 0;
        let num_rounds = self.clients.iter().map(|(_, items)| items.len()).max().unwrap_or_default();
        for round in 0..num_rounds {
            for item in self.clients.iter().filter_map(|(_, items)| items.get(round)) {
                if is_wanted(item) {
                    return Some(before);
                }
                before += 1;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn clients_take_turns() {
        let mut turns = Turns::default();
        for (client, item) in [("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)] {
            turns.push(client, item);
        }
        assert_eq!((turns.len(), turns.len_of("a"), turns.len_of("d")), (6, 3, 0));
        turns.remove(|item| *item == 5);
        assert_eq!(turns.position(|item| *item == 3), Some(4));
        let order: Vec<_> = std::iter::from_fn(|| turns.pop()).collect();
        assert_eq!(order, [1, 4, 2, 6, 3]);
    }

    proptest! {
        #[test]
        fn positions_are_those_in_which_items_come(pushed in prop::collection::vec((0..4_u8, any::<bool>()), 0..40)) {
            let mut turns = Turns::default();
            for (item, (client, pops)) in pushed.iter().enumerate() {
                turns.push(&client.to_string(), item);
                if *pops {
                    turns.pop();
                }
            }
            let positions: Vec<_> = (0..pushed.len()).map(|item| turns.position(|other| *other == item)).collect();
            let num = turns.len();
            let order: Vec<_> = std::iter::from_fn(|| turns.pop()).collect();
            prop_assert_eq!(order.len(), num);
            for (item, position) in positions.into_iter().enumerate() {
                prop_assert_eq!(order.iter().position(|other| *other == item), position);
            }
        }
    }
}
