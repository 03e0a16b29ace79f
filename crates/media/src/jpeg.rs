//! Pictures become JPEGs, straight from their planes.

use thiserror::Error;
use turbojpeg::{Compressor, Subsamp, YuvPlanesImage};

use crate::Picture;

/// Why a picture did not become a JPEG.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CannotEncode {
    #[error("a picture of {width} by {height} does not have the pixels it claims")]
    NotWhole { width: usize, height: usize },
    #[error("a picture of {width} by {height} could not be encoded as JPEG ({detail})")]
    Failed {
        width: usize,
        height: usize,
        detail: String,
    },
}

/// Encodes a picture. The quality goes from 1 to 100; what is beyond is taken for the nearest.
pub fn encode(picture: &Picture, quality: u8) -> Result<Vec<u8>, CannotEncode> {
    let &Picture { width, height, .. } = picture;
    if !picture.is_whole() {
        return Err(CannotEncode::NotWhole { width, height });
    }
    let y = even_luma(picture);
    let planes = YuvPlanesImage {
        y_plane: y.as_deref().unwrap_or(&picture.y),
        u_plane: &picture.u[..],
        v_plane: &picture.v[..],
        width,
        height,
        y_stride: width.next_multiple_of(2),
        u_stride: width.div_ceil(2),
        v_stride: width.div_ceil(2),
        subsamp: Subsamp::Sub2x2,
    };
    compress(&planes, quality).map_err(|error| CannotEncode::Failed {
        width,
        height,
        detail: error.to_string(),
    })
}

fn compress(planes: &YuvPlanesImage<&[u8]>, quality: u8) -> turbojpeg::Result<Vec<u8>> {
    let mut compressor = Compressor::new()?;
    compressor.set_quality(i32::from(quality.clamp(1, 100)))?;
    compressor.compress_yuv_planes_to_vec(planes)
}

/// The encoder reads whole pairs of columns and rows: an odd picture has its last ones doubled.
fn even_luma(picture: &Picture) -> Option<Vec<u8>> {
    if picture.width.is_multiple_of(2) && picture.height.is_multiple_of(2) {
        return None;
    }
    let mut plane = Vec::with_capacity((picture.width + 1) * (picture.height + 1));
    let last = picture.y.chunks_exact(picture.width).next_back();
    let doubled = last.filter(|_| !picture.height.is_multiple_of(2));
    for row in picture.y.chunks_exact(picture.width).chain(doubled) {
        plane.extend_from_slice(row);
        if !picture.width.is_multiple_of(2) {
            plane.extend(row.last());
        }
    }
    Some(plane)
}

#[cfg(test)]
#[path = "jpeg_tests.rs"]
mod jpeg_tests;
