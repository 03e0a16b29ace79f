import { expect, it } from 'vitest';
import { hello, read } from './wire';

it('reads a welcome with what the room takes', () => {
  const word = read('{"type":"welcome","share":"s1","room":"42","roomName":"lounge","platform":"Discord","name":"Alice","denizen":"Iris","maxWidthPx":800,"jpegQuality":0.7,"maxFrameBytes":90000,"maxFramesPerMinute":60,"keyframeIntervalMs":800,"watched":true}');
  expect(word).toEqual({ type: 'welcome', share: 's1', room: '42', roomName: 'lounge', platform: 'Discord', name: 'Alice', denizen: 'Iris', watched: true, maxWidthPx: 800, jpegQuality: 0.7, maxFrameBytes: 90_000, maxFramesPerMinute: 60, keyframeIntervalMs: 800 });
});
it('falls back to the usual limits where some are missing or make no sense', () => {
  expect(read('{"type":"limits","maxWidthPx":0,"jpegQuality":"x"}')).toEqual({ type: 'limits', maxWidthPx: 960, jpegQuality: 0.6, maxFrameBytes: 350_000, maxFramesPerMinute: 180, keyframeIntervalMs: 1_200 });
});
it('reads a state with and without a note', () => {
  expect(read('{"type":"state","watched":true,"note":{"text":"A menu.","at":5}}')).toEqual({ type: 'state', watched: true, reason: '', note: { text: 'A menu.', at: 5 } });
  expect(read('{"type":"state","watched":false,"reason":"watch_not_active","note":null}')).toEqual({ type: 'state', watched: false, reason: 'watch_not_active', note: null });
  expect(read('{"type":"state","watched":true,"note":{"text":7}}')).toMatchObject({ note: null });
});
it('reads what became of a frame, and of the share', () => {
  expect(read('{"type":"taken","frame":7,"score":0.5,"ema":0.1,"sceneCut":true}')).toEqual({ type: 'taken', frame: 7, score: 0.5, ema: 0.1, sceneCut: true });
  expect(read('{"type":"refused","reason":"frame_too_large","detail":"Smaller."}')).toEqual({ type: 'refused', reason: 'frame_too_large', detail: 'Smaller.' });
  expect(read('{"type":"ended","reason":"lost"}')).toEqual({ type: 'ended', reason: 'lost' });
});
it('passes over what it does not know', () => {
  for (const text of ['', 'null', '[]', '3', '{"type":"dance"}', '{"type":']) expect(read(text)).toBeNull();
});
it('greets with the token, and nothing else', () => expect(JSON.parse(hello('a"b'))).toEqual({ type: 'hello', token: 'a"b' }));
