use std::pin::pin;

use futures_util::FutureExt;

use super::*;

fn client(last: u8) -> Holders {
    ClientAddress::new([10, 0, 0, last].into()).into()
}

fn user(last: u8, of: Holders) -> Holders {
    let user = format!("usr-00000000-0000-4000-8000-0000000000{last:02}").parse().expect("a reference");
    Holders { user: Some(user), ..of }
}

#[test]
fn holders_get_at_most_their_share_and_are_forgotten() {
    let places = Places::new(3, 2);
    let (first, second) = (places.try_take(client(1), 1).expect("free"), places.try_take(client(1), 1));
    assert!(places.try_take(client(1), 1).is_none(), "it has its share");
    let other = places.try_take(client(2), 1).expect("free");
    assert!(places.try_take(client(3), 1).is_none(), "all are taken");
    drop((first, second, other));
    let of_user = [user(1, client(1)), user(1, client(2))].map(|holders| places.try_take(holders, 1));
    assert!(of_user.iter().all(Option::is_some) && places.try_take(user(1, client(3)), 1).is_none());
    drop(of_user);
    assert!(places.try_take(Holders::default(), 3).is_some(), "who is not known has no share");
    let state = places.lock();
    assert!(state.num_taken == 0 && state.by_holder.is_empty());
}

#[test]
fn places_change_within_the_number_left() {
    let places = Places::new(100, 60);
    let mut one = places.try_take(client(1), 0).expect("nothing is free");
    assert!(one.set(60) && !one.set(61) && !one.set(usize::MAX));
    let mut other = places.try_take(client(2), 40).expect("the rest");
    assert!(!other.set(41) && one.set(50) && other.set(50) && !one.set(60));
    let limit = user(1, client(2)).user.expect("a user");
    assert!(other.add_user(limit) && places.try_take(user(1, client(3)), 11).is_none());
}

#[tokio::test]
async fn fewest_places_go_first_and_cancelled_waits_block_nobody() {
    let places = Places::new(3, 2);
    let patience = Duration::from_mins(1);
    let mut held: Vec<_> = [1, 1, 2].map(|last| places.try_take(client(last), 1)).into();
    let mut greedy: Vec<_> = (0..5).map(|_| Box::pin(places.take(client(1), patience))).collect();
    let mut again = Box::pin(places.take(client(2), patience));
    let mut newcomer = pin!(places.take(client(3), patience));
    assert!(greedy.iter_mut().all(|turn| turn.now_or_never().is_none()));
    assert!(again.as_mut().now_or_never().is_none() && newcomer.as_mut().now_or_never().is_none());
    drop(greedy.remove(0));
    held.remove(0);
    assert!(greedy[0].as_mut().now_or_never().is_none());
    let newcomer = newcomer.now_or_never().expect("the turn of the one who has none").expect("a place");
    drop(again);
    drop(newcomer);
    assert!(greedy[0].as_mut().now_or_never().flatten().is_some(), "nobody else waits");
    drop(greedy);
    assert!(places.take(client(4), Duration::ZERO).await.is_some(), "what was given to those who left is free");
}

#[tokio::test]
async fn holders_take_turns_regardless_of_arrival() {
    let (places, patience) = (Places::new(1, 1), Duration::from_mins(1));
    let held = places.take(client(1), patience).await.expect("free");
    let wait = |last: u8| Box::pin(places.take(client(last), patience));
    let mut waiting: Vec<_> = [1, 1, 1, 2, 3].map(|last| (last, wait(last))).into();
    assert!(waiting.iter_mut().all(|(_, turn)| turn.as_mut().now_or_never().is_none()));
    let (mut held, mut served) = (Some(held), Vec::new());
    for _ in 0..8 {
        drop(held.take());
        let mut come = waiting.iter_mut().map(|(last, turn)| (*last, turn.as_mut().now_or_never().flatten()));
        let (position, (last, place)) =
            come.by_ref().enumerate().find(|(_, (_, place))| place.is_some()).expect("one has come");
        held = place;
        served.push(last);
        drop(waiting.remove(position));
        // Each one asks again at once.
        let mut again = wait(last);
        assert!(again.as_mut().now_or_never().is_none());
        waiting.push((last, again));
    }
    assert_eq!(served, [2, 3, 1, 2, 3, 1, 2, 3]);
}

#[tokio::test]
async fn only_the_last_turns_are_remembered() {
    let places = Places::new(1, 1);
    for number in 0..5_000_u32 {
        drop(places.take(ClientAddress::new(number.to_be_bytes().into()).into(), Duration::ZERO).await);
        assert!(places.lock().last_turns.len() <= HOLDERS_REMEMBERED);
    }
    assert!(places.lock().last_turns.contains_key(&Holder::Client(ClientAddress::new([0, 0, 19, 135].into()))));
}

#[tokio::test]
async fn waiting_ends_after_the_patience() {
    let places = Places::new(1, 1);
    let held = places.try_take(client(1), 1);
    assert!(places.take(client(2), Duration::from_millis(1)).await.is_none());
    drop(held);
    assert!(places.try_take(client(2), 1).is_some(), "the one who left has not got it");
}
