//! How are weights kept in a file?
//!
//! ```text
//!  0  16   "kingline weights"
//! 16   2   version: 1
//! 18   2   hidden numbers a side
//! 20   2   stages
//! 22   2   buckets
//! 24   2   the score of an output of 1
//! 26   6   zeros
//! 32   8   the name of the game, padded with zeros
//! 40   8   FNV-1a of all bytes but these eight
//! 48       16-bit numbers: for each stage the weights of its 128 inputs, then the hidden biases; for each bucket the
//!          weights of the side to move, of the other side, and the bias in 32 bits
//! ```
//!
//! Numbers are little-endian.

use std::fmt;

use super::{Bucket, INPUTS, MOST_OUTPUT, Network, Stage};

const MAGIC: &[u8; 16] = b"kingline weights";
const VERSION: u16 = 1;
/// Where the numbers begin.
const HEADER_BYTES: usize = 48;
/// Where the checksum stands.
const CHECKSUM: std::ops::Range<usize> = 40..48;

/// Why bytes are no weights that can be used: what was found, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsError(String);

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WeightsError {}

/// The numbers of a network as a file holds them, in any order of making.
#[derive(Clone, Debug)]
pub struct Weights<'a> {
    /// The name of the game, at most 8 bytes.
    pub game: &'a str,
    /// The score of an output of 1, in hundredths of the evaluation's unit.
    pub unit: i16,
    /// Of each stage: the weights of each input, and the hidden numbers without any.
    pub stages: &'a [(Vec<Vec<i16>>, Vec<i16>)],
    /// Of each bucket: weights of the side to move and of the other, and the bias.
    pub buckets: &'a [(Vec<i16>, Vec<i16>, i32)],
}

impl Weights<'_> {
    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let hidden = self.stages.first().map_or(0, |(_, bias)| bias.len());
        for number in [hidden, self.stages.len(), self.buckets.len()] {
            bytes.extend((number as u16).to_le_bytes());
        }
        bytes.extend(self.unit.to_le_bytes());
        bytes.extend([0; 6]);
        let mut game = [0; 8];
        for (to, from) in game.iter_mut().zip(self.game.bytes()) {
            *to = from;
        }
        bytes.extend(game);
        bytes.extend([0; 8]);
        let mut add = |numbers: &[i16]| bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        for (inputs, bias) in self.stages {
            inputs.iter().for_each(|weights| add(weights));
            add(bias);
        }
        for (us, them, bias) in self.buckets {
            add(us);
            add(them);
            add(&[*bias as i16, (bias >> 16) as i16]);
        }
        let sum = checksum(&bytes);
        bytes[CHECKSUM].copy_from_slice(&sum.to_le_bytes());
        bytes
    }
}

impl<const HIDDEN: usize> Network<HIDDEN> {
    /// The network in the bytes of a file, for `game`, with so many stages and buckets.
    ///
    /// # Errors
    /// Says what was found, and what was expected.
    pub fn read(bytes: &[u8], game: &str, shape: [usize; 2]) -> Result<Network<HIDDEN>, WeightsError> {
        let network = Network::read_trusted(bytes, game, shape)?;
        let mut sum = [0; 8];
        sum.copy_from_slice(&bytes[CHECKSUM]);
        if checksum(bytes) != u64::from_le_bytes(sum) {
            return Err(WeightsError("found a wrong checksum, expected undamaged weights".to_owned()));
        }
        Ok(network)
    }

    /// Likewise, but for the checksum, which takes longer than all the rest: for the weights inside the program, which a
    /// test has read.
    ///
    /// # Errors
    /// Says what was found, and what was expected.
    pub(crate) fn read_trusted(bytes: &[u8], game: &str, shape: [usize; 2]) -> Result<Network<HIDDEN>, WeightsError> {
        let wrong = |found: String, expected: String| Err(WeightsError(format!("found {found}, expected {expected}")));
        if bytes.len() < HEADER_BYTES || !bytes.starts_with(MAGIC) {
            return wrong("no weights".to_owned(), "a file that begins with \"kingline weights\"".to_owned());
        }
        let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        if number(16) != VERSION {
            return wrong(format!("version {}", number(16)), format!("version {VERSION}"));
        }
        let name = String::from_utf8_lossy(&bytes[32..40]);
        let name = name.trim_end_matches('\0');
        if name != game {
            return wrong(format!("weights of {name}"), format!("weights of {game}"));
        }
        let [stages, buckets] = shape;
        let found = [number(18), number(20), number(22)];
        if found.map(usize::from) != [HIDDEN, stages, buckets] {
            let shown = |[hidden, stages, buckets]: [usize; 3]| {
                format!("{hidden} hidden numbers, {stages} stages and {buckets} buckets")
            };
            return wrong(shown(found.map(usize::from)), shown([HIDDEN, stages, buckets]));
        }
        let length = HEADER_BYTES + stages * 2 * HIDDEN * (INPUTS + 1) + buckets * (4 * HIDDEN + 4);
        if bytes.len() != length {
            return wrong(format!("{} bytes", bytes.len()), format!("{length} bytes"));
        }
        let mut numbers = Numbers(&bytes[HEADER_BYTES..]);
        let mut network = Network {
            stages: vec![Stage { inputs: [[0; HIDDEN]; INPUTS], bias: [0; HIDDEN] }; stages],
            buckets: Vec::with_capacity(buckets),
            unit: number(24) as i16,
        };
        for stage in &mut network.stages {
            for input in &mut stage.inputs {
                *input = numbers.array();
            }
            stage.bias = numbers.array();
        }
        for _ in 0..buckets {
            let weights = [numbers.array(), numbers.array()];
            let [low, high] = numbers.array::<2>();
            let bias = i32::from(high) << 16 | i32::from(low) & 0xffff;
            network.buckets.push(Bucket { weights, bias });
        }
        let most = network
            .buckets
            .iter()
            .flat_map(|bucket| bucket.weights.as_flattened())
            .map(|weight| weight.saturating_abs());
        match most.max() {
            Some(most) if most > MOST_OUTPUT => {
                wrong(format!("an output weight of {most}"), format!("at most {MOST_OUTPUT}"))
            }
            _ => Ok(network),
        }
    }
}

/// 16-bit numbers, taken one after the other; as many as the length was checked for.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn array<const COUNT: usize>(&mut self) -> [i16; COUNT] {
        let (taken, rest) = self.0.split_at(2 * COUNT);
        self.0 = rest;
        let mut array = [0; COUNT];
        for (number, bytes) in array.iter_mut().zip(taken.chunks_exact(2)) {
            *number = i16::from_le_bytes([bytes[0], bytes[1]]);
        }
        array
    }
}

/// FNV-1a, 64 bits, of all bytes but the checksum's own: <http://www.isthe.com/chongo/tech/comp/fnv/>.
fn checksum(bytes: &[u8]) -> u64 {
    let summed = bytes.iter().enumerate().filter(|(at, _)| !CHECKSUM.contains(at));
    summed.fold(0xcbf2_9ce4_8422_2325, |hash, (_, &byte)| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes() -> Vec<u8> {
        let number = |number: usize| number as i16 - 200;
        let inputs: Vec<Vec<i16>> = (0..INPUTS).map(|input| vec![number(input), number(2 * input)]).collect();
        let bucket = |bias| (vec![1, -127], vec![127, 0], bias);
        let buckets = [bucket(-100_000), bucket(70_000), bucket(-1)];
        let stages = [(inputs.clone(), vec![7, -7]), (inputs, vec![8, -8])];
        Weights { game: "test", unit: 67, stages: &stages, buckets: &buckets }.to_bytes()
    }

    fn read(bytes: &[u8]) -> Result<Network<2>, WeightsError> {
        Network::read(bytes, "test", [2, 3])
    }

    #[test]
    fn files_round_trip() {
        let network = read(&bytes()).unwrap();
        assert_eq!((network.unit, network.stages[0].bias, network.stages[1].bias), (67, [7, -7], [8, -8]));
        assert_eq!([network.stages[1].inputs[0], network.stages[0].inputs[127]], [[-200, -200], [-73, 54]]);
        assert_eq!(network.buckets[1].weights, [[1, -127], [127, 0]]);
        assert_eq!([0, 1, 2].map(|bucket: usize| network.buckets[bucket].bias), [-100_000, 70_000, -1]);
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let whole = bytes();
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            assert!(read(&damaged).is_err(), "byte {place}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let whole = bytes();
        let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        let begins = "found no weights, expected a file that begins with \"kingline weights\"";
        assert_eq!(error(b"kingline"), begins);
        assert_eq!(error(&[b'x'; 1000]), begins);
        assert_eq!(error(&whole[..100]), format!("found 100 bytes, expected {} bytes", whole.len()));
        let of = |game: &str, shape| Network::<2>::read(&whole, game, shape).unwrap_err().to_string();
        assert_eq!(of("loa", [2, 3]), "found weights of test, expected weights of loa");
        let shapes =
            "found 2 hidden numbers, 2 stages and 3 buckets, expected 2 hidden numbers, 1 stages and 3 buckets";
        assert_eq!(of("test", [1, 3]), shapes);
        let mut later = whole.clone();
        later[16] = 9;
        assert_eq!(error(&later), "found version 9, expected version 1");
        later[16] = 1;
        later[50] ^= 1;
        assert_eq!(error(&later), "found a wrong checksum, expected undamaged weights");
    }
}
