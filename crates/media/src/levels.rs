//! From the levels of video (16 to 235, colour to 240) to those of pictures (0 to 255).

/// Stretches brightness in place.
pub(crate) fn stretch_luma(plane: &mut [u8]) {
    for level in plane {
        // 149/128 is 255/219 to within a fifth of a level.
        let stretched = (u16::from(level.saturating_sub(16)) * 149 + 64) >> 7;
        *level = stretched.min(255) as u8;
    }
}

/// Stretches colour in place, around its middle.
pub(crate) fn stretch_chroma(plane: &mut [u8]) {
    for level in plane {
        // 146/128 is 255/224 to within a third of a level.
        let offset = (i32::from(*level) - 128) * 146 / 128;
        *level = (offset + 128).clamp(0, 255) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_white_and_grey_of_video_become_those_of_pictures() {
        let mut luma = [0, 16, 125, 126, 235, 255];
        stretch_luma(&mut luma);
        assert_eq!(luma, [0, 0, 127, 128, 255, 255]);
        let mut chroma = [0, 16, 128, 240, 255];
        stretch_chroma(&mut chroma);
        assert_eq!(chroma, [0, 1, 128, 255, 255]);
    }
}
