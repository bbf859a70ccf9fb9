//! Memory in an agent's sockets, which belongs to no process.

use std::fs;

/// Most bytes that a TCP socket of an agent holds in each direction.
pub(super) const TCP_BUFFER: u64 = 64 << 10;
/// Most bytes that the kernel keeps of what was sent to a Unix socket, by default.
const UNIX_BUFFER: u64 = 208 << 10;
/// Number of Unix sockets that cost nothing: whether they hold anything cannot be seen.
const FREE: u64 = 64;

/// Sockets whose memory the kernel does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uncounted {
    /// TCP and UDP, under cgroup v1.
    Network,
    /// All, without control groups.
    All,
}

/// Memory in bytes of the sockets that are open in the network of this process.
pub(super) fn memory_of_sockets(process: u32, uncounted: Uncounted) -> u64 {
    let read = |name: &str| fs::read_to_string(format!("/proc/{process}/net/{name}")).unwrap_or_default();
    let open = number(&read("sockstat"), "sockets: used ");
    if open == 0 {
        return 0;
    }
    let queues = |name: &str| queues(&read(name)).collect::<Vec<_>>();
    let tcp = ["tcp", "tcp6"].map(queues).concat();
    let udp = ["udp", "udp6"].map(queues).concat();
    // A byte in a queue of TCP can take a thousand.
    let buffers = tcp.iter().flatten().filter(|&&bytes| bytes > 0).count() as u64 * TCP_BUFFER;
    let network = buffers + udp.iter().flatten().sum::<u64>();
    let others = match uncounted {
        Uncounted::Network => 0,
        Uncounted::All => open.saturating_sub((tcp.len() + udp.len()) as u64 + FREE) * UNIX_BUFFER,
    };
    network + others
}

/// Bytes that wait to be sent and to be read, for each socket in a list such as /proc/net/udp.
fn queues(list: &str) -> impl Iterator<Item = [u64; 2]> {
    list.lines().skip(1).filter_map(|line| {
        let (sending, reading) = line.split_whitespace().nth(4)?.split_once(':')?;
        Some([sending, reading].map(|bytes| u64::from_str_radix(bytes, 16).unwrap_or_default()))
    })
}

fn number(text: &str, label: &str) -> u64 {
    text.lines().find_map(|line| line.strip_prefix(label)?.trim().parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;

    use super::*;

    #[test]
    fn queues_are_read_from_the_lists_of_the_kernel() {
        let list = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
                    0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100\n\
                    1: 0100007F:1F91 00000000:0000 01 00000010:00010000 00:00000000 00000000     0        0 1 1 0 100\n";
        assert_eq!(queues(list).collect::<Vec<_>>(), [[0, 0], [16, 65536]]);
        assert_eq!(number("sockets: used 37\nTCP: inuse 2\n", "sockets: used "), 37);
    }

    #[test]
    fn what_waits_in_a_socket_counts() {
        let (from, to) = (UdpSocket::bind("127.0.0.1:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
        let before = memory_of_sockets(std::process::id(), Uncounted::Network);
        for _ in 0..20 {
            from.send_to(&[0; 5000], to.local_addr().unwrap()).unwrap();
        }
        let after = memory_of_sockets(std::process::id(), Uncounted::Network);
        assert!(after >= before + 100_000, "{before} {after}");
    }
}
