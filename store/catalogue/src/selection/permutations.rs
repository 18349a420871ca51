//! The permutations of a generation, read or computed when they are first needed, and cached.

use std::sync::Arc;

use store::{Result, WeightedCache};

use super::of_type::OfType;
use super::permutation::Permutation;
use crate::Order;
use crate::resources::Resources;

/// The number of permutations of all resources that fit: the orders of a type, in both directions,
/// and some by several fields.
const KEPT_MAX: usize = 16;

/// Space for the overhead of those of small types.
const SMALL_BYTES: usize = 1 << 20;

/// By type and orders.
pub(crate) struct Permutations(WeightedCache<(String, Vec<Order>), Arc<Permutation>>);

impl Permutations {
    pub(crate) fn new(num_resources: u32) -> Self {
        Self(WeightedCache::new(SMALL_BYTES + KEPT_MAX * size_of::<u32>() * num_resources as usize))
    }

    /// Returns the permutation of a type for some orders, or `None` for the default order. Orders
    /// that the type does not have are ignored.
    pub(crate) fn get(
        &self,
        resources: &Resources,
        of: OfType<'_>,
        orders: &[Order],
    ) -> Result<Option<Arc<Permutation>>> {
        let orders = orders.iter().filter(|order| of.contents.orders.contains(&order.field));
        let orders: Vec<Order> = orders.cloned().collect();
        if orders.is_empty() { Ok(None) } else { self.sorted(resources, of, &orders).map(Some) }
    }

    fn sorted(&self, resources: &Resources, of: OfType<'_>, orders: &[Order]) -> Result<Arc<Permutation>> {
        let key = (of.name.to_owned(), orders.to_vec());
        if let Some(kept) = self.0.get(&key) {
            return Ok(kept);
        }
        let (order, less_significant) = orders.split_at(1);
        let permutation = if less_significant.is_empty() {
            resources.permutation(of, &order[0])?
        } else {
            let sorted = |orders| self.sorted(resources, of, orders);
            sorted(less_significant)?.sorted_by(&*sorted(order)?, of.contents.first)
        };
        let permutation = Arc::new(permutation);
        self.0.put(key, Arc::clone(&permutation), size_of::<u32>() * permutation.len());
        Ok(permutation)
    }
}
