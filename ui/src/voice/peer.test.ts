import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeConnection, FakeTrack } from './fakes';
import { CONNECTING_MS_MAX, noWay, Peer, STUMBLING_MS_MAX } from './peer';

let connection: FakeConnection;
let heard: unknown[];
let lost: number;
let peer: Peer;
const track = () => new FakeTrack('mine') as unknown as MediaStreamTrack;

beforeEach(() => {
  vi.useFakeTimers();
  FakeConnection.connects = true;
  [connection, heard, lost] = [new FakeConnection(), [], 0];
  peer = new Peer(connection as unknown as RTCPeerConnection, { sound: (stream) => heard.push(stream), lost: () => lost++ });
});
afterEach(() => void vi.useRealTimers());

it('offers one track that goes both ways', async () => {
  expect(await peer.offer(track())).toBe('offer of mine');
  expect(connection.direction).toBe('sendrecv');
});

it('waits for addresses, but not for ever', async () => {
  connection.iceGatheringState = 'gathering';
  const offered = peer.offer(track());
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await offered).toBe('offer of mine');
});

it('stands once it is connected, and gives what is heard', async () => {
  await peer.offer(track());
  await peer.accept('answer');
  expect(connection.remote).toBe('answer');
  connection.tell('track', { track: {}, streams: ['everybody'] });
  expect(heard).toEqual(['everybody']);
});

it('an answer that leads nowhere is given up after a while, and says what may be in the way', async () => {
  FakeConnection.connects = false;
  await peer.offer(track());
  const accepted = peer.accept('answer');
  const told = expect(accepted).rejects.toThrow(/UDP/);
  await vi.advanceTimersByTimeAsync(CONNECTING_MS_MAX);
  await told;
  expect(lost).toBe(0);
});

it('Firefox on the machine itself is told that it is Firefox', () => {
  expect(noWay('Mozilla/5.0 Gecko/20100101 Firefox/140.0', 'localhost')).toMatch(/Firefox.*Chrome/);
  expect(noWay('Mozilla/5.0 Gecko/20100101 Firefox/140.0', 'den.example')).toMatch(/UDP.*DENIZEN_WHIP_ADDRESS/);
  expect(noWay('Mozilla/5.0 Chrome/140.0', '127.0.0.1')).toMatch(/UDP/);
});

it('an answer that cannot be read is a failure of its own', async () => {
  connection.refusesAnswer = true;
  await peer.offer(track());
  await expect(peer.accept('nonsense')).rejects.toThrow('no SDP');
});

it('a connection that stumbles may find its feet again', async () => {
  await peer.offer(track());
  await peer.accept('answer');
  connection.become('disconnected');
  vi.advanceTimersByTime(STUMBLING_MS_MAX - 1);
  connection.become('connected');
  vi.advanceTimersByTime(STUMBLING_MS_MAX * 2);
  expect(lost).toBe(0);
  connection.become('disconnected');
  vi.advanceTimersByTime(STUMBLING_MS_MAX);
  expect(lost).toBe(1);
});

it('one that fails is lost at once, and once', async () => {
  await peer.offer(track());
  await peer.accept('answer');
  connection.become('failed');
  connection.become('closed');
  expect(lost).toBe(1);
});

it('one that the other side closes is lost at once, although the browser still calls it connected', async () => {
  await peer.offer(track());
  await peer.accept('answer');
  connection.goodbye();
  expect([connection.connectionState, lost]).toEqual(['connected', 1]);
});

it('one that was closed here is not lost', async () => {
  await peer.offer(track());
  await peer.accept('answer');
  peer.close();
  connection.become('closed');
  expect([lost, connection.closed]).toEqual([0, true]);
});

it('takes another microphone without another connection', async () => {
  await peer.offer(track());
  await peer.replace(new FakeTrack('headset') as unknown as MediaStreamTrack);
  expect(connection.sends?.name).toBe('headset');
});
