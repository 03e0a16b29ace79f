import { beforeEach, describe, expect, it } from 'vitest';
import { GRACE_MS, Line, type Socket } from './line';

class FakeSocket implements Socket {
  binaryType = '';
  readyState = 0;
  bufferedAmount = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: (string | ArrayBuffer)[] = [];
  closed = false;
  send = (data: string | ArrayBuffer) => void this.sent.push(data);
  close() {
    this.closed = true;
    this.readyState = 3;
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  say = (word: unknown) => this.onmessage?.({ data: JSON.stringify(word) });
  break() {
    this.readyState = 3;
    this.onclose?.();
  }
}

let sockets: FakeSocket[];
let heard: string[];
let now: number;
let line: Line;
const at = (moment: number) => line.tick((now = moment));
const welcome = { type: 'welcome', watched: true };

beforeEach(() => {
  [sockets, heard, now] = [[], [], 0];
  const listener = { said: (word: { type: string }) => heard.push(word.type), broken: () => heard.push('broken'), lost: (ever: boolean) => heard.push(ever ? 'lost' : 'never') };
  line = new Line('KEY', listener, () => (sockets.push(new FakeSocket()), sockets.at(-1)!), () => now);
});

function connected() {
  at(0);
  sockets[0]!.open();
  sockets[0]!.say(welcome);
}

it('says who it is as soon as the socket stands, and is ready once it is welcome', () => {
  at(0);
  expect(line.ready).toBe(false);
  sockets[0]!.open();
  expect(sockets[0]!.sent).toEqual(['{"type":"hello","token":"KEY"}']);
  expect(line.ready).toBe(false);
  sockets[0]!.say(welcome);
  expect(line.ready).toBe(true);
  expect(sockets[0]!.binaryType).toBe('arraybuffer');
});

describe('a broken connection', () => {
  it('is taken up again at once with the same token', () => {
    connected();
    sockets[0]!.break();
    expect(line.ready).toBe(false);
    at(250);
    sockets[1]!.open();
    expect(sockets[1]!.sent).toEqual(['{"type":"hello","token":"KEY"}']);
    sockets[1]!.say(welcome);
    expect(heard).toEqual(['welcome', 'broken', 'welcome']);
  });
  it('is tried a few times, further and further apart, for ten seconds and not longer', () => {
    connected();
    now = 1_000;
    sockets[0]!.break();
    for (let moment = 1_000; moment <= 1_000 + GRACE_MS + 500; moment += 250) {
      at(moment);
      if (sockets.at(-1)!.readyState === 0) sockets.at(-1)!.break();
    }
    expect(heard.at(-1)).toBe('lost');
    expect(sockets.length).toBeGreaterThan(5);
    expect(sockets.length).toBeLessThan(10);
    const before = sockets.length;
    at(60_000);
    expect(sockets.length).toBe(before);
  });
  it('that was never there is told from one that was', () => {
    for (let moment = 0; moment <= GRACE_MS + 500; moment += 250) {
      at(moment);
      if (sockets.at(-1)!.readyState === 0) sockets.at(-1)!.break();
    }
    expect(heard.at(-1)).toBe('never');
  });
  it('is also one that opens and never says welcome', () => {
    at(0);
    sockets[0]!.open();
    at(6_000);
    expect(sockets[0]!.closed).toBe(true);
    at(6_250);
    expect(sockets.length).toBe(2);
  });
  it('can be declared by whoever waits for an answer in vain', () => {
    connected();
    line.hangUp(9_000);
    expect(sockets[0]!.closed).toBe(true);
    at(9_250);
    expect(sockets.length).toBe(2);
  });
});

it('does not come back after an end, or after a refusal at the door', () => {
  connected();
  sockets[0]!.say({ type: 'ended', reason: 'ended_by_operator' });
  at(5_000);
  expect(sockets.length).toBe(1);
  expect(heard.at(-1)).toBe('ended');
});
it('a refused frame is not a refused share', () => {
  connected();
  sockets[0]!.say({ type: 'refused', reason: 'frame_too_large', detail: '' });
  expect(line.ready).toBe(true);
});
it('a refusal instead of a welcome is the end', () => {
  at(0);
  sockets[0]!.open();
  sockets[0]!.say({ type: 'refused', reason: 'session_not_found', detail: '' });
  at(5_000);
  expect(sockets.length).toBe(1);
  expect(sockets[0]!.closed).toBe(true);
});
it('says farewell before it closes, and nothing afterwards', () => {
  connected();
  line.send('bye');
  line.close();
  line.send('more');
  expect(sockets[0]!.sent.slice(1)).toEqual(['bye']);
});
