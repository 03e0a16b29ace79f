// Microphones for the checks: sentences spoken by a Piper voice where there is one (E2E_SPEAKER), else by espeak-ng, each at its time,
// in a file that Chromium takes for a microphone.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RATE = 48_000;

/** A file of so many seconds, in which each sentence begins at its second; silence otherwise. */
export function record(path, sentences, seconds) {
  const samples = new Float32Array(Math.round(RATE * seconds));
  for (const { at, text, voice } of sentences) {
    const spoken = (SPEAKER ? speakWell : speak)(text, voice);
    samples.set(spoken.subarray(0, Math.max(0, samples.length - at * RATE)), Math.round(at * RATE));
  }
  writeFileSync(path, wav(samples));
  return path;
}

/** Two people who can be told apart. */
export const MAN = { espeak: 'en-us', pitch: 0.97 };
export const WOMAN = { espeak: 'en-gb+f4', pitch: 1.12 };

/** Makes a file of sound of its standard input: `crates/speech/examples/speak.rs`. */
const SPEAKER = process.env.E2E_SPEAKER;
const spokenBefore = new Map();

function speakWell(text, { pitch }) {
  if (!spokenBefore.has(text)) {
    const path = join(mkdtempSync(join(tmpdir(), 'denizen-speaker-')), 'said.wav');
    execFileSync(SPEAKER, [path], { input: text });
    spokenBefore.set(text, readFile(path));
  }
  const { samples, rate } = spokenBefore.get(text);
  return resampled(samples, rate * pitch, RATE);
}

/** What a voice that needs no model makes of a text. */
function speak(text, { espeak }) {
  const { samples, rate } = read(execFileSync('espeak-ng', ['-v', espeak, '-s', '150', '--stdout', text], { maxBuffer: 64 * 1024 * 1024 }));
  return resampled(samples, rate, RATE);
}

export function read(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rate = view.getUint32(24, true);
  let at = 12;
  while (view.getUint32(at, false) !== 0x64617461) at += 8 + view.getUint32(at + 4, true);
  // Written to a pipe, the length is not known and stands for "the rest".
  const count = Math.floor(Math.min(view.getUint32(at + 4, true), bytes.byteLength - at - 8) / 2);
  return { rate, samples: Float32Array.from({ length: count }, (_, index) => view.getInt16(at + 8 + 2 * index, true) / 32_768) };
}

export const readFile = (path) => read(readFileSync(path));

export function resampled(samples, from, to) {
  return Float32Array.from({ length: Math.floor((samples.length * to) / from) }, (_, index) => {
    const place = (index * from) / to;
    const [left, rest] = [Math.floor(place), place % 1];
    return samples[left] * (1 - rest) + (samples[left + 1] ?? 0) * rest;
  });
}

export function wav(samples, rate = RATE) {
  const bytes = Buffer.alloc(44 + 2 * samples.length);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + 2 * samples.length, 4);
  bytes.write('WAVEfmt ', 8);
  [16, 1 | (1 << 16), rate, rate * 2, 2 | (16 << 16)].forEach((value, index) => bytes.writeUInt32LE(value, 16 + 4 * index));
  bytes.write('data', 36);
  bytes.writeUInt32LE(2 * samples.length, 40);
  samples.forEach((sample, index) => bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), 44 + 2 * index));
  return bytes;
}
