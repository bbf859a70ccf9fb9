//! The weight file format.
//!
//! ```text
//!  0  16   "kingline weights"
//! 16   2   version: 2
//! 18   2   hidden neurons per side
//! 20   2   stages
//! 22   2   buckets
//! 24   2   the score of an output of 1
//! 26   2   input features
//! 28   4   direct features
//! 32   8   the name of the game, padded with zeros
//! 40   8   FNV-1a of all bytes except these eight
//! 48       16-bit numbers: the weights of each feature; for each stage the biases of the hidden neurons; for each
//!          bucket the weights of the side to move, of the other side, and the bias in 32 bits; the weight of each direct
//!          feature
//! ```
//!
//! Numbers are little-endian.

use std::borrow::Cow;
use std::fmt;

use super::{Bucket, MOST_HIDDEN, MOST_OUTPUT, Network, Row, Shape};

/// First bytes of a weight file.
pub const MAGIC: &[u8; 16] = b"kingline weights";
const VERSION: u16 = 2;
/// Size of the header; the numbers follow.
const HEADER_BYTES: usize = 48;
const CHECKSUM: std::ops::Range<usize> = 40..48;

/// Error for bytes that are not usable weights: what was found, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsError(String);

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WeightsError {}

/// The numbers of a network, to be written to a file.
#[derive(Clone, Debug)]
pub struct Weights<'a> {
    /// The name of the game, at most 8 bytes.
    pub game: &'a str,
    /// Score of an output of 1, in hundredths of the evaluation's unit.
    pub unit: i16,
    /// Weights of each feature.
    pub inputs: &'a [Vec<i16>],
    /// Biases of the hidden neurons, for each stage.
    pub biases: &'a [Vec<i16>],
    /// Weights of the side to move and of the other side, and the bias, for each bucket.
    pub buckets: &'a [(Vec<i16>, Vec<i16>, i32)],
    /// Weight of each direct feature.
    pub direct: &'a [i16],
}

impl Weights<'_> {
    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let hidden = self.biases.first().map_or(0, Vec::len);
        for number in [hidden, self.biases.len(), self.buckets.len()] {
            bytes.extend((number as u16).to_le_bytes());
        }
        bytes.extend(self.unit.to_le_bytes());
        bytes.extend((self.inputs.len() as u16).to_le_bytes());
        bytes.extend((self.direct.len() as u32).to_le_bytes());
        let mut game = [0; 8];
        for (to, from) in game.iter_mut().zip(self.game.bytes()) {
            *to = from;
        }
        bytes.extend(game);
        bytes.extend([0; 8]);
        let mut add = |numbers: &[i16]| bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self.inputs.iter().chain(self.biases).for_each(|row| add(row));
        for (us, them, bias) in self.buckets {
            add(us);
            add(them);
            add(&[*bias as i16, (bias >> 16) as i16]);
        }
        add(self.direct);
        let sum = checksum(&bytes);
        bytes[CHECKSUM].copy_from_slice(&sum.to_le_bytes());
        bytes
    }
}

impl<const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize> Network<HIDDEN, STAGES, BUCKETS> {
    /// Offset of the direct weights in a file, in bytes.
    const fn direct_at(shape: Shape) -> usize {
        HEADER_BYTES + 2 * HIDDEN * (shape.inputs + STAGES) + BUCKETS * (4 * HIDDEN + 4)
    }

    /// Reads the bytes of a weight file of this shape.
    ///
    /// # Errors
    /// The bytes are not weights of this shape, or are damaged.
    pub fn read(bytes: &[u8], shape: Shape) -> Result<Self, WeightsError> {
        let wrong = |found: String, expected: String| Err(WeightsError(format!("found {found}, expected {expected}")));
        if bytes.len() < HEADER_BYTES || !bytes.starts_with(MAGIC) {
            return wrong("no weights".to_owned(), "a file that begins with \"kingline weights\"".to_owned());
        }
        let number = |at| number(bytes, at) as u16;
        if number(16) != VERSION {
            return wrong(format!("version {}", number(16)), format!("version {VERSION}"));
        }
        let name = String::from_utf8_lossy(&bytes[32..40]);
        let name = name.trim_end_matches('\0');
        if name != shape.game {
            return wrong(format!("weights for {name}"), format!("weights for {}", shape.game));
        }
        let direct = usize::from(number(28)) | usize::from(number(30)) << 16;
        let [inputs, hidden, stages, buckets] = [26, 18, 20, 22].map(number).map(usize::from);
        let found = [inputs, hidden, stages, buckets, direct];
        let expected = [shape.inputs, HIDDEN, STAGES, BUCKETS, shape.direct];
        if found != expected {
            let shown = |[inputs, hidden, stages, buckets, direct]: [usize; 5]| {
                format!(
                    "{inputs} input features, {hidden} hidden neurons, {stages} stages, {buckets} buckets and {direct} \
                     direct features"
                )
            };
            return wrong(shown(found), shown(expected));
        }
        let length = Self::direct_at(shape) + 2 * direct;
        if bytes.len() != length {
            return wrong(format!("{} bytes", bytes.len()), format!("{length} bytes"));
        }
        let mut sum = [0; 8];
        sum.copy_from_slice(&bytes[CHECKSUM]);
        if checksum(bytes) != u64::from_le_bytes(sum) {
            return wrong("a wrong checksum".to_owned(), "undamaged weights".to_owned());
        }
        // Collected on the heap: the array would not fit the stack of a thread.
        let inputs = (0..inputs).map(|input| row(bytes, HEADER_BYTES + 2 * HIDDEN * input)).collect();
        let (direct, _) = bytes[Self::direct_at(shape)..].as_chunks();
        let network = Self::decode_layers(bytes, Cow::Owned(inputs), Cow::Owned(direct.to_vec()));
        let most = |row: &Row<HIDDEN>| row.0.iter().map(|weight| weight.saturating_abs()).max().unwrap_or(0);
        let inputs = network.inputs.iter().map(most).zip((0..).map(|input| ("feature", input)));
        let biases = network.biases.iter().map(most).zip((0..).map(|stage| ("the biases of stage", stage)));
        if let Some((most, (name, number))) = inputs.chain(biases).find(|&(most, _)| most > shape.most_input) {
            return wrong(format!("a weight of {most} in {name} {number}"), format!("at most {}", shape.most_input));
        }
        let buckets = network.buckets.iter().map(|bucket| bucket.weights.iter().map(most).max().unwrap_or(0));
        if let Some((number, most)) = buckets.enumerate().find(|&(_, most)| most > MOST_OUTPUT) {
            return wrong(format!("a weight of {most} in bucket {number}"), format!("at most {MOST_OUTPUT}"));
        }
        Ok(network)
    }

    /// Decodes the weights of each feature without checking the file, at compile time.
    ///
    /// # Panics
    /// The file is too short.
    pub(crate) const fn decode_inputs<const INPUTS: usize>(bytes: &[u8]) -> [Row<HIDDEN>; INPUTS] {
        let (_, rows) = bytes.split_at(HEADER_BYTES);
        assert!(size_of::<[Row<HIDDEN>; INPUTS]>() == 2 * HIDDEN * INPUTS, "rows have padding");
        assert!(rows.len() >= 2 * HIDDEN * INPUTS, "the weights have another shape");
        // All at once: the compiler takes a quarter of a minute to decode a million numbers one by one.
        // SAFETY: there are as many bytes as are read, at any alignment, and any bytes are numbers.
        #[expect(unsafe_code, reason = "a const copy of bytes to numbers")]
        let mut inputs = unsafe { rows.as_ptr().cast::<[Row<HIDDEN>; INPUTS]>().read_unaligned() };
        if cfg!(target_endian = "big") {
            let mut place = 0;
            while place < INPUTS * HIDDEN {
                let number = &mut inputs[place / HIDDEN].0[place % HIDDEN];
                *number = i16::from_le(*number);
                place += 1;
            }
        }
        inputs
    }

    /// Decodes the rest of a file without checking it, at compile time, for the embedded weights. A test
    /// [checks](Self::read) them.
    ///
    /// # Panics
    /// The file's length does not match a network of this shape.
    pub(crate) const fn decode(bytes: &'static [u8], shape: Shape, inputs: &'static [Row<HIDDEN>]) -> Self {
        let (_, direct) = bytes.split_at(Self::direct_at(shape));
        let (direct, rest) = direct.as_chunks();
        assert!(inputs.len() == shape.inputs && direct.len() == shape.direct && rest.is_empty(), "another shape");
        Self::decode_layers(bytes, Cow::Borrowed(inputs), Cow::Borrowed(direct))
    }

    const fn decode_layers(bytes: &[u8], inputs: Cow<'static, [Row<HIDDEN>]>, direct: Cow<'static, [[u8; 2]]>) -> Self {
        const { assert!(HIDDEN <= MOST_HIDDEN, "the weighted sum would not fit its 32 bits") };
        let (mut biases, mut at) =
            ([Row([0; HIDDEN]); STAGES], HEADER_BYTES + 2 * HIDDEN * number(bytes, 26) as u16 as usize);
        let mut place = 0;
        while place < STAGES {
            biases[place] = row(bytes, at);
            at += 2 * HIDDEN;
            place += 1;
        }
        let mut buckets = [const { Bucket { weights: [Row([0; HIDDEN]); 2], bias: 0 } }; BUCKETS];
        place = 0;
        while place < BUCKETS {
            let weights = [row(bytes, at), row(bytes, at + 2 * HIDDEN)];
            at += 4 * HIDDEN;
            let bias = (number(bytes, at + 2) as i32) << 16 | number(bytes, at) as i32 & 0xffff;
            buckets[place] = Bucket { weights, bias };
            at += 4;
            place += 1;
        }
        Network { inputs, biases, buckets, direct, unit: number(bytes, 24) }
    }
}

const fn number(bytes: &[u8], at: usize) -> i16 {
    i16::from_le_bytes([bytes[at], bytes[at + 1]])
}

const fn row<const HIDDEN: usize>(bytes: &[u8], at: usize) -> Row<HIDDEN> {
    let mut numbers = [0; HIDDEN];
    let mut place = 0;
    while place < HIDDEN {
        numbers[place] = number(bytes, at + 2 * place);
        place += 1;
    }
    Row(numbers)
}

/// 64-bit FNV-1a of all bytes except the checksum: <http://www.isthe.com/chongo/tech/comp/fnv/>.
fn checksum(bytes: &[u8]) -> u64 {
    let summed = bytes.iter().enumerate().filter(|(at, _)| !CHECKSUM.contains(at));
    summed.fold(0xcbf2_9ce4_8422_2325, |hash, (_, &byte)| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes() -> Vec<u8> {
        let number = |number: usize| number as i16 - 200;
        let inputs: Vec<Vec<i16>> = (0..100).map(|input| vec![number(input), number(2 * input)]).collect();
        let bucket = |bias| (vec![1, -127], vec![127, 0], bias);
        let buckets = [bucket(-100_000), bucket(70_000), bucket(-1)];
        let biases = [vec![7, -7], vec![8, -8]];
        let direct = [i16::MIN, i16::MAX];
        Weights { game: "test", unit: 67, inputs: &inputs, biases: &biases, buckets: &buckets, direct: &direct }
            .to_bytes()
    }

    const SHAPE: Shape = Shape { game: "test", inputs: 100, most_input: 200, direct: 2 };

    fn read(bytes: &[u8]) -> Result<Network<2, 2, 3>, WeightsError> {
        Network::read(bytes, SHAPE)
    }

    #[test]
    fn files_round_trip() {
        let network = read(&bytes()).unwrap();
        assert_eq!((network.unit, network.biases), (67, [Row([7, -7]), Row([8, -8])]));
        assert_eq!([network.inputs[0], network.inputs[99]], [[-200, -200], [-101, -2]].map(Row));
        assert_eq!(network.buckets[1].weights, [[1, -127], [127, 0]].map(Row));
        assert_eq!([0, 1, 2].map(|bucket: usize| network.buckets[bucket].bias), [-100_000, 70_000, -1]);
        assert_eq!([0, 1].map(|feature| network.direct().get(feature)), [i16::MIN, i16::MAX]);
    }

    #[test]
    fn every_changed_byte_is_detected() {
        let whole = bytes();
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            assert!(read(&damaged).is_err(), "byte {place}");
        }
    }

    #[test]
    fn errors_name_what_was_found_and_expected() {
        let whole = bytes();
        let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        let begins = "found no weights, expected a file that begins with \"kingline weights\"";
        assert_eq!(error(b"kingline"), begins);
        assert_eq!(error(&[b'x'; 1000]), begins);
        assert_eq!(error(&whole[..100]), format!("found 100 bytes, expected {} bytes", whole.len()));
        let error_of = |error: WeightsError| error.to_string();
        let other_game = Network::<2, 2, 3>::read(&whole, Shape { game: "loa", ..SHAPE }).map_err(error_of);
        assert_eq!(other_game.unwrap_err(), "found weights for test, expected weights for loa");
        let shapes = "found 100 input features, 2 hidden neurons, 2 stages, 3 buckets and 2 direct features, \
             expected 99 input features, 2 hidden neurons, 1 stages, 3 buckets and 0 direct features";
        let other = Shape { inputs: 99, direct: 0, ..SHAPE };
        assert_eq!(Network::<2, 1, 3>::read(&whole, other).map_err(error_of).unwrap_err(), shapes);
        let mut later = whole.clone();
        later[16] = 9;
        assert_eq!(error(&later), "found version 9, expected version 2");
        let bounded = |most_input| Network::<2, 2, 3>::read(&whole, Shape { most_input, ..SHAPE }).map_err(error_of);
        assert_eq!(bounded(199).unwrap_err(), "found a weight of 200 in feature 0, expected at most 199");
        later[16] = 2;
        later[50] ^= 1;
        assert_eq!(error(&later), "found a wrong checksum, expected undamaged weights");
    }
}
