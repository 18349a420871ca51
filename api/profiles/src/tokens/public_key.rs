//! The RSA public keys that are accepted. Errors describe what was found instead.

use jsonwebtoken::DecodingKey;
use x509_parser::public_key::{PublicKey, RSAPublicKey};
use x509_parser::x509::SubjectPublicKeyInfo;

/// Shorter keys can be factored now or soon.
const BITS_MIN: usize = 2048;

/// The limit of the library.
const BITS_MAX: usize = 8192;

/// The limit of the library.
const EXPONENT_BITS_MAX: usize = 33;

/// Makes a key from a big-endian modulus and exponent.
pub(super) fn from_numbers(modulus: &[u8], exponent: &[u8]) -> Result<DecodingKey, String> {
    let (modulus, exponent) = (without_zeros(modulus), without_zeros(exponent));
    let num_bits = num_bits(modulus);
    if num_bits < BITS_MIN {
        return Err(format!("an RSA key of {num_bits} bits, which is too short: at least {BITS_MIN} are required"));
    }
    if num_bits > BITS_MAX {
        return Err(format!("an RSA key of {num_bits} bits, which is too long: at most {BITS_MAX} are supported"));
    }
    let is_odd = |number: &[u8]| number.last().is_some_and(|byte| byte % 2 == 1);
    if !is_odd(modulus) || !is_odd(exponent) || exponent == [1] || self::num_bits(exponent) > EXPONENT_BITS_MAX {
        return Err("numbers that are not an RSA key".to_owned());
    }
    Ok(DecodingKey::from_rsa_raw_components(modulus, exponent))
}

pub(super) fn from_pkcs1(key: &RSAPublicKey<'_>) -> Result<DecodingKey, String> {
    from_numbers(key.modulus, key.exponent)
}

pub(super) fn from_info(info: &SubjectPublicKeyInfo<'_>) -> Result<DecodingKey, String> {
    match info.parsed() {
        Ok(PublicKey::RSA(key)) => from_pkcs1(&key),
        _ => Err("a public key that is not RSA".to_owned()),
    }
}

fn without_zeros(number: &[u8]) -> &[u8] {
    let num_zeros = number.iter().take_while(|byte| **byte == 0).count();
    &number[num_zeros..]
}

/// Returns the length of a number without leading zeros.
fn num_bits(number: &[u8]) -> usize {
    number.first().map_or(0, |first| number.len() * 8 - first.leading_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_of_a_safe_size_are_accepted() {
        let modulus = |num_bits: usize| {
            let mut modulus = vec![0; num_bits.div_ceil(8)];
            modulus[0] = 1 << ((num_bits - 1) % 8);
            *modulus.last_mut().expect("not empty") |= 1;
            modulus
        };
        for num_bits in [2048, 2049, 4096, 8192] {
            assert!(from_numbers(&modulus(num_bits), &[1, 0, 1]).is_ok(), "{num_bits}");
            assert!(from_numbers(&[&[0, 0], &modulus(num_bits)[..]].concat(), &[0, 3]).is_ok(), "{num_bits}");
        }
        for num_bits in [8, 1024, 2047, 8193] {
            let problem = from_numbers(&modulus(num_bits), &[1, 0, 1]).expect_err("unfit");
            assert!(problem.contains(&format!("{num_bits} bits")), "{problem}");
        }
        for exponent in [&[][..], &[0], &[1], &[2], &[4, 0, 0, 0, 1]] {
            assert!(from_numbers(&modulus(2048), exponent).is_err(), "{exponent:?}");
        }
        let mut even = modulus(2048);
        *even.last_mut().expect("not empty") = 0;
        assert!(from_numbers(&even, &[3]).is_err());
        assert!(from_numbers(&[], &[3]).is_err());
    }
}
