//! The keys of a sort, in memory and in runs.

use std::io::{self, Read, Write};

/// A key that entries are sorted by.
pub trait SortKey: Ord + Sized + Send + 'static {
    /// Returns the heap memory of the key.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Replaces the number of a label in the key with the one at that position in `others`.
    fn relabel(&mut self, _others: &[u32]) {}

    /// Writes the key into a run.
    fn write(&self, run: &mut impl Write) -> io::Result<()>;

    /// Reads the key of the next entry of a run, or `None` at its end.
    fn read(run: &mut impl Read) -> io::Result<Option<Self>>;
}

impl SortKey for u64 {
    fn write(&self, run: &mut impl Write) -> io::Result<()> {
        run.write_all(&self.to_le_bytes())
    }

    fn read(run: &mut impl Read) -> io::Result<Option<Self>> {
        Ok(read_head(run)?.map(Self::from_le_bytes))
    }
}

/// Two numbers, of which the first one counts more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair(pub u64, pub u64);

impl SortKey for Pair {
    fn write(&self, run: &mut impl Write) -> io::Result<()> {
        self.0.write(run)?;
        self.1.write(run)
    }

    fn read(run: &mut impl Read) -> io::Result<Option<Self>> {
        u64::read(run)?.map(|first| Ok(Self(first, read_number(run)?))).transpose()
    }
}

/// Reads a number that is not the first one of an entry.
pub fn read_number(run: &mut impl Read) -> io::Result<u64> {
    u64::read(run)?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

impl SortKey for Box<[u8]> {
    fn heap_bytes(&self) -> usize {
        self.len()
    }

    fn write(&self, run: &mut impl Write) -> io::Result<()> {
        run.write_all(&length_of(self)?)?;
        run.write_all(self)
    }

    fn read(run: &mut impl Read) -> io::Result<Option<Self>> {
        let Some(length) = read_head(run)? else { return Ok(None) };
        let mut key = vec![0; u32::from_le_bytes(length) as usize];
        run.read_exact(&mut key)?;
        Ok(Some(key.into()))
    }
}

/// Reads the first bytes of an entry, or returns `None` at the end of the run.
fn read_head<const N: usize>(run: &mut impl Read) -> io::Result<Option<[u8; N]>> {
    let mut head = [0; N];
    if run.read(&mut head[..1])? == 0 {
        return Ok(None);
    }
    run.read_exact(&mut head[1..])?;
    Ok(Some(head))
}

/// Returns a length as it is stored in runs.
pub(super) fn length_of(bytes: &[u8]) -> io::Result<[u8; 4]> {
    let length = u32::try_from(bytes.len()).map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
    Ok(length.to_le_bytes())
}
