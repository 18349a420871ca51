//! The addresses of the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks for special purposes that the standard library does not know, with the length of
/// the prefix in bits.
const SPECIAL_V4: [(Ipv4Addr, u32); 7] = [
    // This network, which is this machine.
    (Ipv4Addr::UNSPECIFIED, 8),
    // Shared by the customers of a provider.
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    // A service of the machine's host, which has a public address in some clouds.
    (Ipv4Addr::new(168, 63, 129, 16), 32),
    // Protocol assignments, and addresses of translators.
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    // Benchmarks of devices.
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    // Reserved addresses, and broadcasts on this link.
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// The IPv6 addresses for global unicast. Local and translated addresses are outside.
const GLOBAL_UNICAST_V6: [(Ipv6Addr, u32); 1] = [(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3)];

const SPECIAL_V6: [(Ipv6Addr, u32); 4] = [
    // Protocol assignments, including tunnels to older addresses.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    // Tunnels to older addresses.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    // Examples.
    (Ipv6Addr::new(0x2001, 0x0db8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Returns whether an address is public, and does not stand for a private one.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let is_local = address.is_private() || address.is_loopback() || address.is_link_local();
            let is_special = is_local || address.is_multicast() || address.is_documentation();
            !is_special && !is_in_v4(address, &SPECIAL_V4)
        }
        IpAddr::V6(address) => is_in_v6(address, &GLOBAL_UNICAST_V6) && !is_in_v6(address, &SPECIAL_V6),
    }
}

/// Returns whether an address is in any of some networks.
fn is_in_v4(address: Ipv4Addr, networks: &[(Ipv4Addr, u32)]) -> bool {
    let common_bits = |network: &Ipv4Addr| (address.to_bits() ^ network.to_bits()).leading_zeros();
    networks.iter().any(|(network, prefix_bits)| common_bits(network) >= *prefix_bits)
}

/// Returns whether an address is in any of some networks.
fn is_in_v6(address: Ipv6Addr, networks: &[(Ipv6Addr, u32)]) -> bool {
    let common_bits = |network: &Ipv6Addr| (address.to_bits() ^ network.to_bits()).leading_zeros();
    networks.iter().any(|(network, prefix_bits)| common_bits(network) >= *prefix_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_internet_are_public() {
        for public in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "172.15.255.255",
            "172.32.0.1",
            "192.0.1.1",
            "192.169.0.1",
            "193.62.193.83",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "2001:200::1",
            "2606:4700::1111",
            "2a00:1450:4001::1",
            "3fff:1000::1",
        ] {
            assert!(is_public(public.parse().expect(public)), "{public}");
        }
        for special in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "168.63.129.16",
            "169.254.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:1.1.1.1",
            "::ffff:0:1.1.1.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:10::1",
            "2001:20::1",
            "2001:1ff::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "3fff:fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(special.parse().expect(special)), "{special}");
        }
    }
}
