//! Making a connection: encryption where it is required, and a limit on the length of the answers.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_util::either::Either;

/// The most bytes of an answer. The largest answer has 64 of the largest profiles.
const ANSWER_BYTES_MAX: usize = 16 << 20;

/// More than the memory of a row in addition to its data.
const ROW_BYTES: usize = 256;

/// Asks a server whether it supports encryption: a length, and a number that is not a version of
/// the protocol.
const ENCRYPTION_REQUEST: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];

const IS_OFFERED: u8 = b'S';

/// A type, and the length of the rest with the length itself.
const HEADER_BYTES: usize = 5;
const LENGTH_BYTES: usize = 4;

/// The message that ends an answer.
const IS_READY: u8 = b'Z';

/// The handshake of the encryption of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handshake {
    Never,
    /// The server is asked whether it supports encryption, which is optional.
    IfOffered,
    /// The server is asked whether it supports encryption, which is required.
    Needed,
    /// At once: the server expects encryption.
    Begun,
}

/// Makes connections.
#[derive(Clone)]
pub(crate) struct Connector {
    tls: MakeRustlsConnect,
    handshake: Handshake,
}

/// Makes a connection to a host.
pub(crate) struct HostConnector {
    tls: <MakeRustlsConnect as MakeTlsConnect<Socket>>::TlsConnect,
    handshake: Handshake,
}

/// A connection, encrypted or not. It ends when an answer is too long.
pub(crate) struct Bounded<S> {
    stream: S,
    answers: Answers,
}

/// Follows the messages of a server.
struct Answers {
    header: Vec<u8>,
    /// The rest of the current message.
    body_bytes: usize,
    /// The longest rest of the answer.
    allowed_bytes: usize,
}

type Encrypted = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;
type Connection = Bounded<Either<Socket, Encrypted>>;

impl Connector {
    pub(crate) fn new(tls: MakeRustlsConnect, handshake: Handshake) -> Self {
        Self { tls, handshake }
    }
}

impl MakeTlsConnect<Socket> for Connector {
    type Stream = Connection;
    type TlsConnect = HostConnector;
    type Error = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Error;

    fn make_tls_connect(&mut self, host: &str) -> Result<HostConnector, Self::Error> {
        let tls = MakeTlsConnect::<Socket>::make_tls_connect(&mut self.tls, host)?;
        Ok(HostConnector { tls, handshake: self.handshake })
    }
}

impl TlsConnect<Socket> for HostConnector {
    type Stream = Connection;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Connection>> + Send>>;

    fn connect(self, mut socket: Socket) -> Self::Future {
        Box::pin(async move {
            let is_encrypted = match self.handshake {
                Handshake::Never => false,
                Handshake::Begun => true,
                Handshake::IfOffered | Handshake::Needed => {
                    socket.write_all(&ENCRYPTION_REQUEST).await?;
                    let is_offered = socket.read_u8().await? == IS_OFFERED;
                    if self.handshake == Handshake::Needed && !is_offered {
                        return Err(io::Error::other("server does not support TLS"));
                    }
                    is_offered
                }
            };
            Ok(Bounded::new(if is_encrypted {
                Either::Right(self.tls.connect(socket).await?)
            } else {
                Either::Left(socket)
            }))
        })
    }
}

impl<S> Bounded<S> {
    fn new(stream: S) -> Self {
        Self { stream, answers: Answers::new() }
    }
}

impl Answers {
    fn new() -> Self {
        Self { header: Vec::with_capacity(HEADER_BYTES), body_bytes: 0, allowed_bytes: ANSWER_BYTES_MAX }
    }

    /// Reads the received bytes, which may end anywhere.
    fn follow(&mut self, mut arrived: &[u8]) -> io::Result<()> {
        while !arrived.is_empty() {
            let (body, rest) = arrived.split_at(self.body_bytes.min(arrived.len()));
            self.body_bytes -= body.len();
            let (header, rest) = rest.split_at((HEADER_BYTES - self.header.len()).min(rest.len()));
            self.header.extend_from_slice(header);
            if let [kind, a, b, c, d] = self.header[..] {
                self.begin(kind, u32::from_be_bytes([a, b, c, d]) as usize)?;
                self.header.clear();
            }
            arrived = rest;
        }
        Ok(())
    }

    fn begin(&mut self, kind: u8, length: usize) -> io::Result<()> {
        let impossible = |problem: String| io::Error::new(io::ErrorKind::InvalidData, problem);
        let too_long = || impossible(format!("the answer is longer than {ANSWER_BYTES_MAX} bytes"));
        self.body_bytes =
            length.checked_sub(LENGTH_BYTES).ok_or_else(|| impossible("a message has no length".to_owned()))?;
        self.allowed_bytes = self.allowed_bytes.checked_sub(length + ROW_BYTES).ok_or_else(too_long)?;
        if kind == IS_READY {
            self.allowed_bytes = ANSWER_BYTES_MAX;
        }
        Ok(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Bounded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let num_filled = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        Poll::Ready(self.answers.follow(&buffer.filled()[num_filled..]))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Bounded<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl TlsStream for Connection {
    fn channel_binding(&self) -> ChannelBinding {
        match &self.stream {
            Either::Left(_) => ChannelBinding::none(),
            Either::Right(encrypted) => encrypted.channel_binding(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a message that is `length` bytes long without its type.
    fn message(kind: u8, length: usize) -> Vec<u8> {
        let written = u32::try_from(length).expect("short").to_be_bytes();
        [&[kind][..], &written, &vec![0; length - LENGTH_BYTES]].concat()
    }

    /// Reads an answer of several messages in pieces.
    fn follow(messages: &[Vec<u8>], piece_bytes: usize) -> Result<(), String> {
        let mut answers = Answers::new();
        let arrived = messages.concat();
        let followed = arrived.chunks(piece_bytes).try_for_each(|piece| answers.follow(piece));
        followed.map_err(|error| error.to_string())
    }

    #[test]
    fn the_length_of_an_answer_does_not_depend_on_its_pieces() {
        let (row, ready) = (message(b'D', 4 << 20), message(IS_READY, 5));
        let answer = [row.clone(), row.clone(), row.clone(), ready];
        let several = [answer.clone(), answer.clone(), answer].concat();
        let too_long = [row.clone(), row.clone(), row.clone(), row];
        for piece_bytes in [4093, 1 << 20, usize::MAX] {
            assert_eq!(follow(&several, piece_bytes), Ok(()), "{piece_bytes}");
            let error = follow(&too_long, piece_bytes).expect_err("too long");
            assert!(error.contains("longer than 16777216 bytes"), "{error}");
        }
    }

    #[test]
    fn messages_may_be_cut_anywhere() {
        let answer = [message(b'D', 4), message(b'C', 14), message(IS_READY, 5), message(b'D', 9)];
        let endless = [&answer.concat()[..], b"D", &u32::MAX.to_be_bytes()].concat();
        for piece_bytes in 1..endless.len() {
            assert_eq!(follow(&answer, piece_bytes), Ok(()), "{piece_bytes}");
            assert!(follow(std::slice::from_ref(&endless), piece_bytes).is_err(), "{piece_bytes}");
        }
    }

    #[test]
    fn invalid_lengths_are_rejected() {
        for length in [0, 3, ANSWER_BYTES_MAX, i32::MAX as usize, u32::MAX as usize] {
            assert!(Answers::new().begin(b'D', length).is_err(), "{length}");
        }
        // Each row takes memory, even if it is short.
        let rows = vec![message(b'D', LENGTH_BYTES); ANSWER_BYTES_MAX / ROW_BYTES];
        assert!(follow(&rows, 4096).is_err());
    }
}
