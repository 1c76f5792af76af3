//! Where a thread's cache is.

use super::cache::Cache;
use crate::thread_data::thread_data;

thread_data! {
    /// Returns this thread's cache.
    pub fn cache() -> *mut Cache = "locktoll_node_cache";
}
