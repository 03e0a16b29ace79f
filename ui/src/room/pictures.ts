// Pictures on their way into a message: which are taken, and their bytes as base64.
import { freshId } from './fresh_id';

export interface Picture {
  key: string;
  name: string;
  mime: string;
  file: Blob;
}

export const PICTURES_MAX = 4;
export const PICTURE_BYTES_MAX = 5 * 1_000_000;
const MIMES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
export const PICTURE_ACCEPT = MIMES.join(',');

/** Those of the files that can be attached to the ones there already, and what to say about the others. */
export function chosen(already: Picture[], files: File[]): { pictures: Picture[]; problem: string } {
  const pictures = [...already];
  let problem = '';
  for (const file of files) {
    if (!MIMES.includes(file.type)) problem = `“${file.name}” is not a picture that can be sent. PNG, JPEG, WebP and GIF can.`;
    else if (file.size > PICTURE_BYTES_MAX) problem = `“${file.name}” is larger than 5 MB. Make it smaller first.`;
    else if (pictures.length >= PICTURES_MAX) problem = `A message takes ${PICTURES_MAX} pictures at most.`;
    else pictures.push({ key: freshId('picture'), name: file.name || 'picture', mime: file.type, file });
  }
  return { pictures, problem };
}

export async function encoded(pictures: Picture[]): Promise<{ name: string; mime: string; dataBase64: string }[]> {
  return Promise.all(
    pictures.map(async ({ name, mime, file }) => ({ name, mime, dataBase64: base64(new Uint8Array(await file.arrayBuffer())) })),
  );
}

export function base64(bytes: Uint8Array): string {
  let binary = '';
  // In pieces: one call with millions of arguments would overflow the stack.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
