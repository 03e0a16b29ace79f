// A browser without sound, for tests: devices, tracks, connections and a loudspeaker that do as they are told.
import type { Machine } from './machine';
import type { Devices } from './microphone';

class Listened {
  #listeners = new Map<string, ((event: never) => void)[]>();
  addEventListener = (type: string, listener: (event: never) => void) => void this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  removeEventListener = () => undefined;
  tell = (type: string, event: unknown = {}) => this.#listeners.get(type)?.forEach((listener) => listener(event as never));
}

export class FakeTrack extends Listened {
  kind = 'audio';
  enabled = true;
  stopped = false;
  constructor(readonly name: string) {
    super();
  }
  stop = () => void (this.stopped = true);
}

export class FakeStream {
  constructor(readonly tracks: FakeTrack[]) {}
  getAudioTracks = () => this.tracks;
  getTracks = () => this.tracks;
}

export class FakeConnection extends Listened {
  connectionState = 'new';
  iceGatheringState = 'complete';
  localDescription: { sdp: string } | null = null;
  remote = '';
  sends: FakeTrack | null = null;
  direction = '';
  closed = false;
  refusesAnswer = false;
  transport = Object.assign(new Listened(), { state: 'connected' });
  /** Whether an answer connects it at once. */
  static connects = true;

  addTransceiver(track: FakeTrack, { direction }: { direction: string }) {
    [this.sends, this.direction] = [track, direction];
    return { sender: { transport: this.transport, replaceTrack: async (next: FakeTrack) => void (this.sends = next) } };
  }
  async setLocalDescription() {
    this.localDescription = { sdp: `offer of ${this.sends?.name}` };
  }
  async setRemoteDescription({ sdp }: { sdp: string }) {
    if (this.refusesAnswer) throw new Error('no SDP');
    this.remote = sdp;
    if (FakeConnection.connects) this.become('connected');
  }
  become(state: string) {
    this.connectionState = state;
    this.tell('connectionstatechange');
  }
  /** The other side says goodbye. */
  goodbye() {
    this.transport.state = 'closed';
    this.transport.tell('statechange');
  }
  close() {
    this.closed = true;
    this.connectionState = 'closed';
  }
}

/** A machine whose microphone, connections and loudspeaker can be looked at. */
export class FakeMachine {
  connections: FakeConnection[] = [];
  microphones: FakeTrack[] = [];
  /** What the browser says when it is next asked for a microphone; nothing: it gives one. */
  refusals: Error[] = [];
  problem: ReturnType<Machine['unable']> = null;
  asked: MediaStreamConstraints[] = [];
  loudspeaker = { volume: 1, srcObject: null as unknown, sink: '', blocked: false, plays: 0, play: async () => void (this.loudspeaker.plays++, this.loudspeaker.blocked && fail('NotAllowedError')), pause: () => undefined, setSinkId: async (id: string) => void (this.loudspeaker.sink = id) };
  devices = Object.assign(new Listened(), {
    getUserMedia: async (wish: MediaStreamConstraints) => {
      this.asked.push(wish);
      const refusal = this.refusals.shift();
      if (refusal) throw refusal;
      const track = new FakeTrack(`microphone ${this.microphones.length + 1}`);
      this.microphones.push(track);
      return new FakeStream([track]);
    },
    enumerateDevices: async () => [{ kind: 'audioinput', deviceId: 'headset', label: 'Headset' }],
  });

  get machine(): Machine {
    return {
      unable: () => this.problem,
      devices: this.devices as unknown as Devices,
      connection: () => {
        const connection = new FakeConnection();
        this.connections.push(connection);
        return connection as unknown as RTCPeerConnection;
      },
      loudspeaker: () => this.loudspeaker as unknown as HTMLAudioElement,
      silence: () => new FakeTrack('silence') as unknown as MediaStreamTrack,
      meter: () => ({ level: () => 0.5, wake: () => undefined, close: () => undefined }),
    };
  }

  get microphone(): FakeTrack {
    return this.microphones.at(-1)!;
  }
  get connection(): FakeConnection {
    return this.connections.at(-1)!;
  }
}

export function named(name: string, message = ''): Error {
  return Object.assign(new Error(message), { name });
}

function fail(name: string): never {
  throw named(name);
}
