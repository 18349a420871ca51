//! Asking a server whether it still leads. One that was paused, or whose watcher hangs, does not know that another one leads by now.

/// A leader that waits for standbys has one that follows it, and has answered it within the time after which it would be dropped. The next leader
/// acknowledges nothing before all of them follow that one (see the README). Who may not see standbys is not asked.
pub(crate) const LEADS: &str = "SELECT current_setting('synchronous_standby_names') = '' \
                                OR NOT pg_has_role('pg_read_all_stats', 'USAGE') \
                                OR EXISTS (SELECT FROM pg_stat_get_wal_senders() \
                                           WHERE state IN ('catchup', 'streaming') AND reply_time > clock_timestamp() - \
                                               coalesce(nullif(current_setting('wal_sender_timeout'), '0')::interval, \
                                                        interval '1 year'))";

pub(crate) const NOT_FOLLOWED: &str = "the server may not be the leader any more: no standby follows it";
