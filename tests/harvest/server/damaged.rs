//! Answers of the router, damaged according to the plan.

use std::sync::Arc;

use axum::http::Method;
use serde_json::Value;
use support::send;

use super::plan::hash;
use super::{Inner, Item, Loss, Reply};
use crate::harvest::answers::V2;
use crate::harvest::documents::{Source, key_of};

/// The largest pages.
const PAGE_SIZE_MAX: usize = 100;

impl Inner {
    /// Returns the router's answer, without the objects that the plan hides.
    pub(super) fn shown(&self, target: &str, get: &str, number: usize) -> Reply {
        let (path, query) = get.split_once('?').unwrap_or((get, ""));
        let names: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        if names.iter().any(|name| self.plan.hidden.contains(*name)) {
            return Reply::new(404, "application/json; charset=utf-8", r#"{"detail": "Not found."}"#);
        }
        let is_broken = |name: &str| self.is_broken(name);
        let Some((count, items)) = self.page(path, query, number) else {
            return if names.last().is_some_and(|name| is_broken(name)) {
                Reply::page(500)
            } else {
                self.ask(number, target)
            };
        };
        if items.iter().any(|(key, _)| is_broken(key)) {
            return Reply::page(500);
        }
        let items: Vec<&str> = items.iter().map(|(_, text)| text.as_str()).collect();
        let body = format!("{{\"count\": {count}, \"items\": [{}]}}", items.join(", "));
        Reply::new(200, "application/json; charset=utf-8", body)
    }

    fn is_broken(&self, name: &str) -> bool {
        self.plan.broken.contains(name) && !self.state().is_repaired
    }

    /// Returns the position of the router that answers a request.
    fn current(&self, number: usize) -> usize {
        let number = if self.state().is_changed { usize::MAX } else { number };
        self.plan.changes.iter().rposition(|(from, _)| *from <= number).expect("one from the beginning")
    }

    /// Asks the router.
    fn ask(&self, number: usize, target: &str) -> Reply {
        let (_, Source { router, .. }) = &self.plan.changes[self.current(number)];
        let answer = self.runtime.block_on(send(router, Method::GET, target, &[]));
        let mut reply = Reply::new(answer.status.as_u16(), answer.header("content-type"), answer.body.clone());
        reply.headers.extend(["retry-after", "location"].map(|name| (name, answer.header(name).to_owned())));
        reply.headers.retain(|(_, value)| !value.is_empty());
        reply
    }

    /// Returns the length of a list and a page of it, if its pages may be spoiled.
    fn page(&self, path: &str, query: &str, number: usize) -> Option<(usize, Vec<Item>)> {
        let (paging, filters): (Vec<_>, Vec<_>) =
            query.split('&').partition(|pair| pair.starts_with("page=") || pair.starts_with("page_size="));
        let is_ordered = filters.iter().any(|pair| pair.strip_prefix("order=").is_some_and(|by| !by.is_empty()));
        let is_ordered = is_ordered || ["/biomes/", "/super-studies/"].contains(&path);
        let loses = self.plan.losing != Loss::Nothing && !is_ordered;
        let hides = |key: &str| self.plan.never_shown.iter().any(|(list, hidden)| *list == path && hidden == key);
        if !loses && self.plan.broken.is_empty() && self.plan.never_shown.iter().all(|(list, _)| *list != path) {
            return None;
        }
        let value =
            |name: &str| paging.iter().find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')?.parse().ok());
        let (page, size) = (value("page").unwrap_or(1), value("page_size").unwrap_or(100_usize).min(100));
        let list = format!("{path}?{}", filters.join("&"));
        let all = self.whole(&list, number)?;
        let turn = {
            let mut state = self.state();
            let sizes = state.sizes.entry(list.clone()).or_default();
            // Pages of one item belong to the turn in which they are asked for.
            if size > 1 && !sizes.contains(&size) {
                sizes.push(size);
            }
            sizes.iter().position(|known| *known == size).unwrap_or(sizes.len().saturating_sub(1)) as u64
        };
        let draw = |key: &str, more: usize| hash(&(self.plan.seed, &list, key, more));
        let loses = loses && all.len() > size;
        let is_lost = |key: &str| {
            let is_lost = match self.plan.losing {
                Loss::BySize => draw(key, size).is_multiple_of(7),
                Loss::ByTurn => draw(key, 0).is_multiple_of(3) && turn <= (draw(key, 0) >> 8) % 3,
                Loss::Nothing => false,
            };
            loses && is_lost || hides(key)
        };
        let mut order: Vec<&Item> = all.iter().collect();
        if loses && !all.iter().any(|(key, _)| self.is_broken(key)) {
            order.sort_by_key(|(key, _)| draw(key, size));
        }
        // Another item is shown twice in place of a lost one.
        let found: Vec<&Item> = order.iter().copied().filter(|(key, _)| !is_lost(key)).collect();
        let shown = order.iter().enumerate().filter_map(|(place, item)| {
            if is_lost(&item.0) { found.get(place % found.len().max(1)).copied() } else { Some(*item) }
        });
        Some((all.len(), shown.skip((page - 1) * size).take(size).cloned().collect()))
    }

    /// Returns all items of a list, in the order of the router.
    fn whole(&self, list: &str, number: usize) -> Option<Arc<Vec<Item>>> {
        let key = (self.current(number), list.to_owned());
        if let Some(known) = self.state().lists.get(&key) {
            return known.clone();
        }
        let mut all = Vec::new();
        let all = loop {
            let page = all.len() / PAGE_SIZE_MAX + 1;
            let answer = self.ask(number, &format!("{V2}{list}&page_size={PAGE_SIZE_MAX}&page={page}"));
            let answer: Value = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
            let (Some(_), Some(items)) = (answer["count"].as_u64(), answer["items"].as_array()) else { break None };
            all.extend(items.iter().map(|item| (key_of(item), item.to_string())));
            if items.len() < PAGE_SIZE_MAX {
                break Some(Arc::new(all));
            }
        };
        self.state().lists.insert(key, all.clone());
        all
    }
}
