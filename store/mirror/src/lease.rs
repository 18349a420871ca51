//! The lease of a publisher on a store.
//!
//! A lease is an object that its holder rewrites every few seconds. A publisher that finds one
//! waits: if it changes, its holder is working; if it stays the same for the duration of a lease,
//! its holder is gone. Clocks of different machines are never compared.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use object_store::{Error as ObjectError, PutMode};
use serde::{Deserialize, Serialize};
use store::{lock, unix_now_s};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout_at};
use uuid::Uuid;

use crate::foreign::cleaned;
use crate::layout::{FORMAT, LOCK, from_json, to_json};
use crate::remote::{Remote, Version};
use crate::{Error, Result};

/// The duration of a lease after it was last written.
const LEASE: Duration = Duration::from_secs(15);

const RENEWAL_INTERVAL: Duration = Duration::from_secs(4);

const LOOK_INTERVAL: Duration = Duration::from_millis(500);

/// The time after which two publishers that acquired the lease at the same moment see each other,
/// in a store without conditional writes.
const SETTLING: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Lock {
    format: u32,
    holder: Uuid,
    /// For people.
    name: String,
    renewal: u64,
    /// For people.
    expires_unix_s: u64,
}

/// The right to publish, as long as it is renewed.
#[derive(Debug)]
pub(crate) struct Lease {
    remote: Remote,
    holder: Uuid,
    /// The time at which the last renewal was sent, unless the lease was lost.
    renewed: Arc<Mutex<Option<Instant>>>,
    renewing: JoinHandle<()>,
}

/// A write of the lease.
struct Written {
    version: Version,
    sent: Instant,
}

impl Lease {
    /// Acquires the lease, after waiting for the end of an abandoned one.
    ///
    /// # Errors
    ///
    /// * Another publisher is working.
    pub(crate) async fn take(remote: &Remote) -> Result<Self> {
        let mut lock = Lock { format: FORMAT, holder: Uuid::new_v4(), name: own_name(), renewal: 0, expires_unix_s: 0 };
        let written = loop {
            let failed = Error::remote("write", LOCK);
            match lock.write(remote, PutMode::Create).await {
                Ok(written) => break written,
                Err(ObjectError::AlreadyExists { .. } | ObjectError::Precondition { .. }) => {}
                Err(ObjectError::NotImplemented { .. }) => {
                    if let Some(written) = take_unconditionally(remote, &mut lock).await? {
                        break written;
                    }
                    continue;
                }
                Err(error) => return Err(failed(error)),
            }
            let Some(abandoned) = wait_for_holder(remote).await? else { continue };
            match lock.write(remote, abandoned.into()).await {
                Ok(written) => break written,
                Err(ObjectError::NotImplemented { .. }) => {
                    remote.remove(LOCK).await?;
                    if let Ok(written) = lock.write(remote, PutMode::Create).await {
                        settle(remote, lock.holder).await?;
                        break written;
                    }
                }
                // Another publisher was faster. The next look finds its lease.
                Err(_) => {}
            }
        };
        let (holder, renewed) = (lock.holder, Arc::new(Mutex::new(Some(written.sent))));
        let renewing = tokio::spawn(renew(remote.clone(), lock, written, Arc::clone(&renewed)));
        Ok(Self { remote: remote.clone(), holder, renewed, renewing })
    }

    /// Sends a request that must not take effect once another publisher may have the lease: it is
    /// sent while the lease is certainly this one, and abandoned when that time ends.
    ///
    /// # Errors
    ///
    /// * The lease was lost, or was not renewed for its duration.
    pub(crate) async fn hold<T>(&self, request: impl Future<Output = Result<T>>) -> Result<T> {
        if holder(&self.remote).await? != Some(self.holder) {
            return Err(Error::LeaseLost);
        }
        let renewed = *lock(&self.renewed);
        let end = renewed.map(|sent| sent + LEASE).filter(|end| *end > Instant::now()).ok_or(Error::LeaseLost)?;
        timeout_at(end, request).await.unwrap_or(Err(Error::LeaseLost))
    }

    /// Releases the lease.
    pub(crate) async fn release(self) -> Result<()> {
        self.renewing.abort();
        match self.hold(self.remote.remove(LOCK)).await {
            Err(Error::LeaseLost) => Ok(()),
            released => released,
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.renewing.abort();
    }
}

impl Lock {
    /// Writes the lease with a new number.
    async fn write(&mut self, remote: &Remote, mode: PutMode) -> object_store::Result<Written> {
        self.renewal += 1;
        self.expires_unix_s = unix_now_s() + LEASE.as_secs();
        let sent = Instant::now();
        Ok(Written { version: remote.put(LOCK, to_json(self), mode).await?, sent })
    }
}

async fn read(remote: &Remote) -> Result<Option<(Lock, Version)>> {
    let Some((bytes, version)) = remote.read(LOCK).await? else { return Ok(None) };
    Ok(Some((from_json(LOCK, &bytes)?, version)))
}

async fn holder(remote: &Remote) -> Result<Option<Uuid>> {
    Ok(read(remote).await?.map(|(lock, _)| lock.holder))
}

/// Waits until an existing lease is released, and returns `None`, or until it has ended, and
/// returns its version.
async fn wait_for_holder(remote: &Remote) -> Result<Option<Version>> {
    let Some((found, mut version)) = read(remote).await? else { return Ok(None) };
    tracing::info!("waiting for {}, which has the lease on the object store", found.name);
    let started = Instant::now();
    while started.elapsed() < LEASE {
        sleep(LOOK_INTERVAL).await;
        let Some((lock, later)) = read(remote).await? else { return Ok(None) };
        if lock != found {
            return Err(Error::Busy { holder: lock.name });
        }
        version = later;
    }
    tracing::warn!("{} did not release its lease on the object store: this process takes it over", found.name);
    Ok(Some(version))
}

/// Acquires the lease in a store without conditional writes.
async fn take_unconditionally(remote: &Remote, lock: &mut Lock) -> Result<Option<Written>> {
    if read(remote).await?.is_some() && wait_for_holder(remote).await?.is_none() {
        return Ok(None);
    }
    let written = lock.write(remote, PutMode::Overwrite).await.map_err(Error::remote("write", LOCK))?;
    settle(remote, lock.holder).await?;
    Ok(Some(written))
}

/// Waits until another publisher that acquired the lease at the same moment must have written it,
/// and checks the owner.
async fn settle(remote: &Remote, own: Uuid) -> Result<()> {
    sleep(SETTLING).await;
    match read(remote).await? {
        Some((lock, _)) if lock.holder == own => Ok(()),
        Some((lock, _)) => Err(Error::Busy { holder: lock.name }),
        None => Err(Error::LeaseLost),
    }
}

/// Renews a lease until it is lost.
async fn renew(remote: Remote, mut own: Lock, mut last: Written, renewed: Arc<Mutex<Option<Instant>>>) {
    loop {
        sleep(RENEWAL_INTERVAL).await;
        let sent = Instant::now();
        let written = match own.write(&remote, last.version.clone().into()).await {
            Err(ObjectError::NotImplemented { .. }) => match holder(&remote).await {
                Ok(Some(holder)) if holder == own.holder => {
                    own.write(&remote, PutMode::Overwrite).await.map_err(|error| error.to_string())
                }
                Ok(_) => break *lock(&renewed) = None,
                Err(error) => Err(error.to_string()),
            },
            Err(ObjectError::Precondition { .. } | ObjectError::NotFound { .. }) => {
                // A write whose answer was lost is repeated, and finds its own result.
                match read(&remote).await {
                    Ok(Some((found, version))) if found.holder == own.holder => Ok(Written { version, sent }),
                    Ok(_) => break *lock(&renewed) = None,
                    Err(error) => Err(error.to_string()),
                }
            }
            written => written.map_err(|error| error.to_string()),
        };
        match written {
            Ok(written) => {
                *lock(&renewed) = Some(written.sent);
                last = written;
            }
            Err(_) if last.sent.elapsed() > LEASE => break *lock(&renewed) = None,
            Err(problem) => tracing::warn!("the lease on the object store cannot be renewed: {}", cleaned(&problem)),
        }
    }
}

fn own_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname");
    let host = host.as_ref().map_or("", |host| host.trim());
    format!("process {} on {}", std::process::id(), if host.is_empty() { "an unknown host" } else { host })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remote(folder: &tempfile::TempDir) -> Remote {
        Remote::open(&folder.path().display().to_string()).expect("a folder")
    }

    #[tokio::test]
    async fn a_lease_is_exclusive_until_it_is_released() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let remote = remote(&folder);
        let lease = Lease::take(&remote).await.expect("free");
        lease.hold(async { Ok(()) }).await.expect("own");
        let error = Lease::take(&remote).await.expect_err("taken");
        assert!(matches!(&error, Error::Busy { holder } if holder.contains("process")), "{error}");
        lease.hold(async { Ok(()) }).await.expect("own");
        lease.release().await.expect("own");
        let lease = Lease::take(&remote).await.expect("free");
        std::fs::remove_file(folder.path().join(LOCK)).expect("there");
        assert!(matches!(lease.hold(async { Ok(()) }).await, Err(Error::LeaseLost)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_nobody_renews_is_taken_over() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let remote = remote(&folder);
        let killed = Lease::take(&remote).await.expect("free");
        killed.renewing.abort();
        let started = Instant::now();
        let lease = Lease::take(&remote).await.expect("abandoned");
        assert!(started.elapsed() >= LEASE, "{:?}", started.elapsed());
        lease.hold(async { Ok(()) }).await.expect("own");
        assert!(matches!(killed.hold(async { Ok(()) }).await, Err(Error::LeaseLost)));
    }

    #[tokio::test(start_paused = true)]
    async fn requests_are_abandoned_when_the_lease_was_not_renewed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let lease = Lease::take(&remote(&folder)).await.expect("free");
        let request = async |duration| {
            sleep(duration).await;
            Ok(())
        };
        lease.hold(request(2 * RENEWAL_INTERVAL)).await.expect("renewed");
        lease.renewing.abort();
        let started = Instant::now();
        let late = lease.hold(request(2 * LEASE)).await;
        assert!(matches!(late, Err(Error::LeaseLost)) && started.elapsed() <= LEASE, "{:?}", started.elapsed());
        let request = lease.hold(async { panic!("it is sent") as Result<()> }).await;
        assert!(matches!(request, Err(Error::LeaseLost)), "though no other publisher has taken it over");
    }
}
