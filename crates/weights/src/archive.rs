//! One member of an archive that was downloaded: zip (which wheels are) or tar.gz.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use flate2::read::GzDecoder;

/// Writes a member of an archive to a file, at most so many bytes of it.
pub(crate) fn unpack(archive: &Path, member: &str, to: &Path, bytes_max: u64) -> io::Result<()> {
    let mut magic = [0; 2];
    File::open(archive)?.read_exact(&mut magic)?;
    let opened = BufReader::new(File::open(archive)?);
    if magic == [0x1f, 0x8b] {
        let mut archive = tar::Archive::new(GzDecoder::new(opened));
        for entry in archive.entries()? {
            let entry = entry?;
            if entry.path()?.as_os_str() == member {
                return write(entry, to, bytes_max);
            }
        }
        return Err(not_inside(member));
    }
    let mut archive = zip::ZipArchive::new(opened).map_err(io::Error::other)?;
    let entry = archive.by_name(member).map_err(|_| not_inside(member))?;
    write(entry, to, bytes_max)
}

fn write(from: impl Read, to: &Path, bytes_max: u64) -> io::Result<()> {
    let mut to = File::create(to)?;
    // One more than there may be: what is longer is not what was wanted, and a bomb is not unpacked.
    io::copy(&mut from.take(bytes_max + 1), &mut to)?;
    to.flush()
}

fn not_inside(member: &str) -> io::Error {
    io::Error::other(format!("{member} is not inside"))
}
