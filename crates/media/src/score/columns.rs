//! Sums of the columns of a few rows: the inner loop of the grid, where nearly all of its time goes.

/// The most rows of bytes whose sum fits 16 bits.
pub(super) const MOST_ROWS: usize = 257;

/// Sums `rows` rows of `data`, `stride` bytes apart, column by column.
pub(super) fn sum_rows(data: &[u8], stride: usize, rows: usize, columns: &mut [u16]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // Sound: the only condition of the call is that the processor has AVX2, which the line above asked it.
        // It is worth the word: the same safe loop, compiled for AVX2, takes half the time.
        #[allow(unsafe_code)]
        unsafe {
            sum_rows_avx2(data, stride, rows, columns);
        }
        return;
    }
    sum_rows_anywhere(data, stride, rows, columns);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sum_rows_avx2(data: &[u8], stride: usize, rows: usize, columns: &mut [u16]) {
    sum_rows_anywhere(data, stride, rows, columns);
}

/// One row after the other: several at once save stores, but break the one stream that memory is read ahead for.
#[inline(always)]
fn sum_rows_anywhere(data: &[u8], stride: usize, rows: usize, columns: &mut [u16]) {
    columns.fill(0);
    for row in data.chunks(stride).take(rows) {
        for (column, &pixel) in columns.iter_mut().zip(row) {
            *column += u16::from(pixel);
        }
    }
}
