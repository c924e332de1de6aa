//! Numbers that look random and follow from a position: operation *n* is the same in every run.

/// SplitMix64's last step: every bit of `n` touches every bit of the result.
pub(crate) fn mix(n: u64) -> u64 {
    let mut z = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// One of `slice`, chosen by `n`.
pub(crate) fn pick<T>(slice: &[T], n: u64) -> &T {
    let index = mix(n) % slice.len() as u64;
    &slice[usize::try_from(index).expect("an index into a slice fits")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_have_nothing_in_common() {
        let differing: u32 = (0..1_000).map(|n| (mix(n) ^ mix(n + 1)).count_ones()).sum();
        assert!((30_000..34_000).contains(&differing), "{differing} of 64,000 bits differ");
    }

    #[test]
    fn everything_is_picked() {
        let mut seen = [false; 10];
        for n in 0..200 {
            seen[*pick(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], n)] = true;
        }
        assert_eq!(seen, [true; 10]);
    }
}
