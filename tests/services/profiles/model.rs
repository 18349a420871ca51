//! Random requests of random people, with restarts, new directories and moves to another store in
//! between, compared with a model that is a plain list.

#[path = "model/expected.rs"]
mod expected;
#[path = "model/kept.rs"]
mod kept;
#[path = "model/requests.rs"]
mod requests;

use rand::RngExt;
use rand::rngs::StdRng;
use support::machine::{rounds, seeded};
use tokio::task::JoinSet;

use self::expected::Model;
use self::requests::Request;
use crate::services::profiles::harness::{Facts, ROLES, Role, World};

/// The most requests of a run.
const REQUESTS_MAX: usize = 14_000;

const STATUSES: [u16; 10] = [200, 201, 204, 400, 401, 403, 404, 409, 412, 422];

/// Returns a random directory.
fn random_facts(random: &mut StdRng) -> Facts {
    let mut some = |share: f64| ROLES.into_iter().map(Role::user).filter(|_| random.random_bool(share)).collect();
    Facts { locked: some(0.1), members: some(0.4), managers: some(0.3), ..Facts::default() }
}

/// Makes random requests and compares all answers.
async fn run() {
    let (mut random, seed) = seeded();
    let mut world = World::new();
    let mut model = Model::new(Facts::default());
    let mut counts = std::collections::BTreeMap::new();
    for number in 0..REQUESTS_MAX {
        if number >= rounds(300, 700) && STATUSES.iter().all(|status| counts.contains_key(status)) {
            break;
        }
        match random.random_range(0..100) {
            0 | 1 if number > 0 => world.restart(),
            2 | 3 if number > 0 => {
                model.facts = random_facts(&mut random);
                world.publish(&model.facts);
            }
            // A locked administrator cannot export.
            4 if !model.facts.locked.contains(&Role::Admin.user()) => world.move_store().await,
            _ => {
                let request = if number == 0 { Request::first() } else { Request::random(&mut random, &model) };
                let headers: Vec<(&str, &str)> =
                    request.if_match.iter().map(|tag| ("if-match", tag.as_str())).collect();
                let answer = world.ask(request.method, &request.path, request.role, &headers, &request.body).await;
                let context = format!("request {number} of MGDEX_TEST_SEED={seed}: {request:?}: {answer:?}");
                *counts.entry(answer.status).or_insert(0) += 1;
                model.compare(&request, &answer, &context);
            }
        }
    }
    world.publish(&Facts { locked: Vec::new(), ..model.facts.clone() });
    model.facts.locked.clear();
    model.compare_all(&world).await;
    world.restart();
    model.compare_all(&world).await;
    world.move_store().await;
    model.compare_all(&world).await;
    for status in STATUSES {
        assert!(
            counts.contains_key(&status),
            "no request of MGDEX_TEST_SEED={seed} was answered with {status}: {counts:?}"
        );
    }
}

/// Several runs with different seeds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_requests_are_answered_as_by_the_model() {
    let mut runs: JoinSet<()> = (0..rounds(2, 4)).map(|_| run()).collect();
    while let Some(run) = runs.join_next().await {
        run.expect("the answers of the model");
    }
}
