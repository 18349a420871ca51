//! Asking a server whether it is still the leader. A server that was paused, or whose watcher
//! hangs, does not know that there is a new leader.

/// A leader that waits for standbys has a standby that follows it, and that has answered within the
/// time after which it would be dropped. The next leader acknowledges nothing before all standbys
/// follow it (see the README). A user who may not see standbys is not asked.
pub(crate) const LEADS: &str = "SELECT current_setting('synchronous_standby_names') = '' \
                                OR NOT pg_has_role('pg_read_all_stats', 'USAGE') \
                                OR EXISTS (SELECT FROM pg_stat_get_wal_senders() \
                                           WHERE state IN ('catchup', 'streaming') AND reply_time > clock_timestamp() - \
                                               coalesce(nullif(current_setting('wal_sender_timeout'), '0')::interval, \
                                                        interval '1 year'))";

pub(crate) const NOT_FOLLOWED: &str = "the server may no longer be the leader: no standby follows it";
