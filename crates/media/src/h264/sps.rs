//! The sequence parameter set: what a stream says of its size before a decoder reserves memory for it.

use super::Undecodable;
use super::bits::Bits;

/// Macroblocks of a frame at level 5.2: 4096 by 2304, beyond which the decoder does not go either.
const MAX_MACROBLOCKS: u64 = 36_864;
/// Macroblocks of all the frames that are kept at level 5.2.
const MAX_KEPT_MACROBLOCKS: u64 = 184_320;
/// No encoder writes a parameter set that is longer.
pub(super) const MAX_PARAMETER_SET_BYTES: usize = 4_096;

/// What is read of a sequence parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sps {
    pub id: u32,
    pub width: u64,
    pub height: u64,
    /// Whether levels run from 0 to 255, and not from 16 to 235 (240 for colour).
    pub full_range: bool,
}

impl Sps {
    /// Reads a unit, and refuses what is too large or of a kind that is not decoded here.
    pub fn parse(unit: &[u8]) -> Result<Self, Undecodable> {
        if unit.len() > MAX_PARAMETER_SET_BYTES {
            return Err(damaged());
        }
        let mut bits = Bits::of(unit.get(1..).unwrap_or_default());
        let profile = bits.number(8).ok_or_else(damaged)?;
        if ![66, 77, 88, 100].contains(&profile) {
            return Err(Undecodable::Unsupported("an unusual profile"));
        }
        bits.number(16).ok_or_else(damaged)?;
        let id = bits.unsigned().filter(|id| *id < 32).ok_or_else(damaged)?;
        if profile == 100 {
            depth(&mut bits)?;
        }
        order(&mut bits).ok_or_else(damaged)?;
        let (width, height) = size(&mut bits)?;
        // What follows the size only describes the picture; a set that ends early is still good for decoding.
        let full_range = full_range(&mut bits).unwrap_or(false);
        Ok(Self {
            id,
            width,
            height,
            full_range,
        })
    }
}

/// The fields that only the high profile has.
fn depth(bits: &mut Bits) -> Result<(), Undecodable> {
    if bits.unsigned().ok_or_else(damaged)? != 1 {
        return Err(Undecodable::Unsupported("another colour format than 4:2:0"));
    }
    let luma = bits.unsigned().ok_or_else(damaged)?;
    let chroma = bits.unsigned().ok_or_else(damaged)?;
    if luma != 0 || chroma != 0 {
        return Err(Undecodable::Unsupported("more than 8 bits a sample"));
    }
    bits.flag().ok_or_else(damaged)?;
    if bits.flag().ok_or_else(damaged)? {
        for list in 0..8 {
            if bits.flag().ok_or_else(damaged)? {
                skip_scaling_list(bits, if list < 6 { 16 } else { 64 }).ok_or_else(damaged)?;
            }
        }
    }
    Ok(())
}

fn skip_scaling_list(bits: &mut Bits, entries: usize) -> Option<()> {
    let (mut last, mut next) = (8i64, 8i64);
    for _ in 0..entries {
        if next != 0 {
            next = (last + bits.signed()? + 256).rem_euclid(256);
        }
        last = if next == 0 { last } else { next };
    }
    Some(())
}

/// Frame numbers and picture order: read past, as the size stands behind them.
fn order(bits: &mut Bits) -> Option<()> {
    bits.unsigned().filter(|bits| *bits <= 12)?;
    match bits.unsigned()? {
        0 => {
            bits.unsigned().filter(|bits| *bits <= 12)?;
        }
        1 => {
            bits.flag()?;
            bits.signed()?;
            bits.signed()?;
            for _ in 0..bits.unsigned().filter(|cycle| *cycle <= 255)? {
                bits.signed()?;
            }
        }
        2 => {}
        _ => return None,
    }
    Some(())
}

fn size(bits: &mut Bits) -> Result<(u64, u64), Undecodable> {
    let references = u64::from(bits.unsigned().ok_or_else(damaged)?);
    bits.flag().ok_or_else(damaged)?;
    let columns = u64::from(bits.unsigned().ok_or_else(damaged)?) + 1;
    let rows = u64::from(bits.unsigned().ok_or_else(damaged)?) + 1;
    let progressive = bits.flag().ok_or_else(damaged)?;
    let (width, height) = (columns * 16, rows * 16);
    if columns * rows > MAX_MACROBLOCKS {
        return Err(Undecodable::TooLarge { width, height });
    }
    if references > 16 || columns * rows * references.max(1) > MAX_KEPT_MACROBLOCKS {
        return Err(Undecodable::Unsupported(
            "more reference frames than level 5.2 allows",
        ));
    }
    if !progressive {
        return Err(Undecodable::Unsupported("interlaced frames"));
    }
    bits.flag().ok_or_else(damaged)?;
    crop(bits, width, height).ok_or_else(damaged)
}

fn crop(bits: &mut Bits, width: u64, height: u64) -> Option<(u64, u64)> {
    if !bits.flag()? {
        return Some((width, height));
    }
    let mut edge = || bits.unsigned().map(|pairs| u64::from(pairs) * 2);
    let (left, right, top, bottom) = (edge()?, edge()?, edge()?, edge()?);
    let width = width.checked_sub(left + right).filter(|width| *width > 0)?;
    let height = height.checked_sub(top + bottom).filter(|height| *height > 0)?;
    Some((width, height))
}

fn full_range(bits: &mut Bits) -> Option<bool> {
    if !bits.flag()? {
        return Some(false);
    }
    let aspect_ratio_present = bits.flag()?;
    if aspect_ratio_present && bits.number(8)? == 255 {
        bits.number(32)?;
    }
    let overscan_present = bits.flag()?;
    if overscan_present {
        bits.flag()?;
    }
    let signal_present = bits.flag()?;
    if !signal_present {
        return Some(false);
    }
    bits.number(3)?;
    bits.flag()
}

fn damaged() -> Undecodable {
    Undecodable::Damaged("its sequence parameter set makes no sense".to_owned())
}

#[cfg(test)]
#[path = "sps_tests.rs"]
mod sps_tests;
