//! Random numbers that stay the same for ever.

/// SplitMix64. Its whole definition is these few lines, so no library's new version can change a catalogue that
/// somebody compares against.
pub(super) struct Dice(u64);

impl Dice {
    /// The dice of product `n`. Both numbers are stirred, so that neighbours have nothing in common.
    pub(super) fn new(seed: u64, n: u64) -> Dice {
        Dice(stir(seed) ^ stir(n.wrapping_add(0x5851_f42d_4c95_7f2d)))
    }

    /// The next 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        stir(self.0)
    }

    /// A number from 0 to `limit` − 1. The bias of a plain remainder is below 2⁻⁴⁰ for the limits used here.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A bell-shaped number from −600 to 600 with a standard deviation of about 100: twelve even throws together.
    /// Integers only, because `exp` and `ln` differ in the last bit from one machine to the next.
    pub(super) fn bell(&mut self) -> i64 {
        let sum: u64 = (0..12).map(|_| self.below(101)).sum();
        sum.cast_signed() - 600
    }
}

/// One step of mixing: every input bit touches every output bit.
pub(super) fn stir(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
