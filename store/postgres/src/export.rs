//! Reading all profiles as of one moment.

use std::collections::HashSet;
use std::sync::Arc;

use deadpool_postgres::Object;
use futures_util::StreamExt;
use futures_util::stream::{BoxStream, try_unfold};
use store_profiles::ProfileFault;
use tokio_postgres::{Error, Row};
use uuid::Uuid;

use crate::connections::{Connections, answered};
use crate::fault::Fault;
use crate::leader;
use crate::row::{STILL_THERE, unreadable};

/// Fetches 64 profiles: 14 MiB of the largest ones.
const FETCH: &str = "FETCH 64 FROM export";

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
                     DECLARE export NO SCROLL CURSOR FOR SELECT reference, line FROM profiles ORDER BY reference";

/// Returns all profiles in the order of their references, in pieces of JSON lines. Profiles that
/// are erased meanwhile are omitted. The transaction of an aborted export ends when its connection
/// is used again, or after a minute.
pub(crate) async fn export(
    exports: &Connections,
    connections: Arc<Connections>,
) -> Result<BoxStream<'static, Result<Vec<u8>, ProfileFault>>, ProfileFault> {
    let begin = async |cursor: &Object| {
        cursor.batch_execute(BEGIN).await?;
        exports.leads(cursor).await
    };
    let (cursor, leads) = answered(exports.get().await?, begin).await?;
    if !leads {
        exports.leave(cursor);
        return Err(Fault::Unavailable(leader::NOT_FOLLOWED.to_owned()).into());
    }
    let pieces = try_unfold((cursor, connections), async |(cursor, connections)| {
        let (cursor, rows) = answered(cursor, async |cursor: &Object| cursor.query(FETCH, &[]).await).await?;
        if rows.is_empty() {
            return Ok(None);
        }
        let piece = piece(&rows, &connections).await?;
        Ok(Some((piece, (cursor, connections))))
    });
    Ok(pieces.boxed())
}

/// Returns the lines of the profiles that still exist.
async fn piece(rows: &[Row], connections: &Connections) -> Result<Vec<u8>, ProfileFault> {
    let read = |error: Error| unreadable(&error.to_string());
    let references = rows.iter().map(|row| row.try_get(0)).collect::<Result<Vec<Uuid>, _>>().map_err(read)?;
    let there = connections.query(STILL_THERE, &[&references]).await?;
    let there = there.iter().map(|row| row.try_get(0)).collect::<Result<HashSet<Uuid>, _>>().map_err(read)?;
    let mut piece = Vec::new();
    for (row, _) in rows.iter().zip(&references).filter(|(_, reference)| there.contains(reference)) {
        piece.extend_from_slice(row.try_get::<_, &str>(1).map_err(read)?.as_bytes());
        piece.push(b'\n');
    }
    Ok(piece)
}
