//! Reading all profiles as of one moment.

use deadpool_postgres::Object;
use futures_util::stream::{BoxStream, try_unfold};
use futures_util::{StreamExt, TryStreamExt};
use store::ProfileFault;

use crate::fault::unavailable;
use crate::row::unreadable;

/// How many profiles are read at a time: 14 MiB of the largest ones.
const FETCH: &str = "FETCH 64 FROM export";

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
                     DECLARE export NO SCROLL CURSOR FOR SELECT line FROM profiles ORDER BY reference";

/// Returns all profiles in the order of their references, in pieces of JSON lines. The transaction of an export that is broken off ends when its
/// connection is used again, or after a minute.
pub(crate) async fn export(
    connection: Object,
) -> Result<BoxStream<'static, Result<Vec<u8>, ProfileFault>>, ProfileFault> {
    connection.batch_execute(BEGIN).await.map_err(|error| unavailable(&error))?;
    let pieces = try_unfold(connection, async |connection| {
        let rows = connection.query(FETCH, &[]).await.map_err(|error| unavailable(&error))?;
        if rows.is_empty() {
            return Ok(None);
        }
        let mut piece = Vec::new();
        for row in rows {
            let line: &str = row.try_get(0).map_err(|error| unreadable(&error.to_string()))?;
            piece.extend_from_slice(line.as_bytes());
            piece.push(b'\n');
        }
        Ok(Some((piece, connection)))
    });
    Ok(pieces.into_stream().boxed())
}
