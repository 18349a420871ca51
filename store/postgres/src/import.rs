//! Importing the profiles of an export.

use std::pin::pin;

use deadpool_postgres::Object;
use store::Error;
use store_profiles::{ExportLine, Imported, ProfileFault};
use tokio_postgres::Transaction;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

use crate::fault::unavailable;
use crate::row::Columns;

/// Servers delay their writes until the import ends, and continue to read.
const BEGIN: &str = "SET LOCAL statement_timeout = 0; \
                     SET LOCAL idle_in_transaction_session_timeout = 0; \
                     LOCK TABLE profiles IN EXCLUSIVE MODE; \
                     CREATE TEMPORARY TABLE imported (number bigint, LIKE profiles) ON COMMIT DROP";

const COUNT: &str = "SELECT count(*) FROM profiles";

const COPY: &str = "COPY imported (number, reference, version, line, email, name, user_id, domain) FROM STDIN BINARY";

const COPIED: [Type; 8] =
    [Type::INT8, Type::UUID, Type::INT8, Type::TEXT, Type::BYTEA, Type::BYTEA, Type::UUID, Type::TEXT];

/// Lines whose profile or owner is in an earlier line.
const REFUSED: &str = "DECLARE refused NO SCROLL CURSOR FOR SELECT number, CASE WHEN profile_place > 1 \
                           THEN 'the profile prf-' || reference || ' already exists' \
                           ELSE coalesce('usr-' || user_id, domain) || ' already has a profile' END \
                       FROM (SELECT number, reference, user_id, domain, \
                                 row_number() OVER (PARTITION BY reference ORDER BY number) AS profile_place, \
                                 row_number() OVER (PARTITION BY user_id, domain ORDER BY number) AS owner_place \
                             FROM imported) AS placed \
                       WHERE profile_place > 1 OR owner_place > 1 ORDER BY number";

/// A few at a time: the length of an answer is limited.
const FETCH: &str = "FETCH 1000 FROM refused";

const KEEP: &str = "INSERT INTO profiles (reference, version, line, email, name, user_id, domain) \
                    SELECT reference, version, line, email, name, user_id, domain FROM imported ORDER BY reference";

/// Imports into a database without profiles, in one transaction. `name` is the name of the database
/// in errors.
pub(crate) async fn import(
    mut connection: Object,
    name: &str,
    lines: impl Iterator<Item = Result<ExportLine, Error>>,
    mut refuse: impl FnMut(u64, &str),
) -> Result<Imported, ProfileFault> {
    let unavailable = |error| unavailable(&error);
    let transaction = connection.transaction().await.map_err(unavailable)?;
    transaction.batch_execute(BEGIN).await.map_err(unavailable)?;
    let num_profiles: i64 = transaction.query_one(COUNT, &[]).await.map_err(unavailable)?.get(0);
    if num_profiles > 0 {
        let num_profiles = num_profiles.unsigned_abs();
        return Err(Error::ProfilesPresent { path: name.into(), num_profiles }.into());
    }
    let mut num_refused = copy(&transaction, lines, &mut refuse).await?;
    transaction.batch_execute(REFUSED).await.map_err(unavailable)?;
    loop {
        let rows = transaction.query(FETCH, &[]).await.map_err(unavailable)?;
        if rows.is_empty() {
            break;
        }
        num_refused += rows.len() as u64;
        for row in rows {
            refuse(row.get::<_, i64>(0).unsigned_abs(), row.get(1));
        }
    }
    if num_refused > 0 {
        return Ok(Imported::Refused(num_refused));
    }
    let num_imported = transaction.execute(KEEP, &[]).await.map_err(unavailable)?;
    transaction.commit().await.map_err(|error| ProfileFault::Unknown(crate::fault::described(&error)))?;
    Ok(Imported::All(num_imported))
}

/// Copies all lines that are profiles, and returns the number of the others.
async fn copy(
    transaction: &Transaction<'_>,
    lines: impl Iterator<Item = Result<ExportLine, Error>>,
    refuse: &mut impl FnMut(u64, &str),
) -> Result<u64, ProfileFault> {
    let unavailable = |error| unavailable(&error);
    let sink = transaction.copy_in(COPY).await.map_err(unavailable)?;
    let mut writer = pin!(BinaryCopyInWriter::new(sink, &COPIED));
    let mut num_refused = 0;
    for line in lines {
        let ExportLine { number, profile } = line?;
        match profile {
            Ok((profile, line)) => {
                let Columns { reference, user, domain, version, line, email, name } = Columns::new(&profile, line);
                let number = i64::try_from(number).expect("no file has more than 2^63 lines");
                writer
                    .as_mut()
                    .write(&[&number, &reference, &version, &line, &email, &name, &user, &domain])
                    .await
                    .map_err(unavailable)?;
            }
            Err(problem) => {
                num_refused += 1;
                refuse(number, &problem);
            }
        }
    }
    writer.finish().await.map_err(unavailable)?;
    Ok(num_refused)
}
