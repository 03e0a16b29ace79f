import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PictureFeed } from './picture_feed';

let fetched: string[];
let shown: unknown[];
let looking: boolean;
let feed: PictureFeed;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('createImageBitmap', (blob: unknown) => Promise.resolve({ blob, close: () => undefined }));
  [fetched, shown, looking] = [[], [], true];
  const fetchPicture = (_: string, known: string) => {
    fetched.push(known);
    return Promise.resolve({ frame: `"${fetched.length}"`, blob: new Blob() });
  };
  feed = new PictureFeed('lounge', (picture) => void shown.push(picture), fetchPicture, () => looking);
});
afterEach(() => {
  feed.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('fetches at most twice a second, however many frames pass, and asks for what is newer', async () => {
  for (let frame = 0; frame < 40; frame++) {
    feed.hint();
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(fetched.length).toBeGreaterThanOrEqual(4);
  expect(fetched.length).toBeLessThanOrEqual(5);
  expect(fetched.slice(0, 3)).toEqual(['', '"1"', '"2"']);
  expect(shown.length).toBe(fetched.length);
});
it('fetches nothing while nobody looks, and at once when somebody does again', async () => {
  looking = false;
  feed.hint();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(fetched).toEqual([]);
  looking = true;
  feed.hint();
  await vi.advanceTimersByTimeAsync(1);
  expect(fetched.length).toBe(1);
});
it('fetches nothing without a frame, and nothing once it is closed', async () => {
  await vi.advanceTimersByTimeAsync(5_000);
  expect(fetched).toEqual([]);
  feed.close();
  feed.hint();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(fetched).toEqual([]);
});
it('a picture that could not be had is tried again with the next frame', async () => {
  const broken = new PictureFeed('lounge', () => shown.push(1), () => (fetched.push('x'), Promise.reject(new Error('gone'))), () => true);
  broken.hint();
  await vi.advanceTimersByTimeAsync(600);
  broken.hint();
  await vi.advanceTimersByTimeAsync(600);
  expect(fetched.length).toBe(2);
  expect(shown).toEqual([]);
});
