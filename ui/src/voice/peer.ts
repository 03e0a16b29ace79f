// One connection to the voice of a room: our microphone up, everybody else's voice back.

/** So long addresses are gathered before the offer goes out with those there are. */
const GATHERING_MS_MAX = 1_500;
/** A connection that stumbles often finds its feet again; it is given so long. */
export const STUMBLING_MS_MAX = 3_000;
/** An answer that leads to no connection for so long leads to none. */
export const CONNECTING_MS_MAX = 15_000;

/** What may be in the way of a connection that did not come about. */
export function noWay(agent = globalThis.navigator?.userAgent ?? '', host = globalThis.location?.hostname ?? ''): string {
  const atHome = /^(localhost|127\.|\[?::1)/.test(host);
  if (atHome && /Firefox\//.test(agent)) return 'No connection came about. Firefox makes none to “localhost”, only to an address of this machine in a network, and there seems to be none: use Chrome or Edge here, or connect to a network.';
  return 'No connection came about: the sound’s way (UDP) seems to be blocked between here and Denizen. Whoever runs it: see DENIZEN_WHIP_ADDRESS in the guide.';
}

export interface PeerListener {
  /** What the others say, mixed. */
  sound(stream: MediaStream): void;
  /** It stood, and does not any more. */
  lost(): void;
}

export class Peer {
  #sender: RTCRtpSender | null = null;
  #stood = false;
  #over = false;
  #stumbling: ReturnType<typeof setTimeout> | undefined;
  #settle: ((problem: Error | null) => void) | null = null;

  constructor(
    private readonly connection: RTCPeerConnection,
    private readonly listener: PeerListener,
  ) {
    connection.addEventListener('track', ({ track, streams }) => listener.sound(streams[0] ?? new MediaStream([track])));
    connection.addEventListener('connectionstatechange', () => this.#changed());
  }

  /** The offer, with our track in it and the addresses that were found in time. */
  async offer(track: MediaStreamTrack): Promise<string> {
    this.#sender = this.connection.addTransceiver(track, { direction: 'sendrecv' }).sender;
    await this.connection.setLocalDescription();
    await this.#gathered();
    return this.connection.localDescription?.sdp ?? '';
  }

  /** Takes the answer, and comes back once sound can flow. */
  async accept(sdp: string): Promise<void> {
    const connected = new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => this.#settle?.(new Error(noWay())), CONNECTING_MS_MAX);
      this.#settle = (problem) => {
        this.#settle = null;
        clearTimeout(late);
        if (problem) reject(problem);
        else resolve();
      };
    });
    // Whoever waits hears of it below, even when the answer itself cannot be read.
    connected.catch(() => undefined);
    try {
      await this.connection.setRemoteDescription({ type: 'answer', sdp });
      this.#hearGoodbye();
    } catch (problem) {
      this.#settle?.(null);
      throw problem;
    }
    this.#changed();
    await connected;
  }

  /** Another microphone, without a new connection. */
  replace = async (track: MediaStreamTrack): Promise<void> => this.#sender?.replaceTrack(track);

  close(): void {
    this.#over = true;
    clearTimeout(this.#stumbling);
    this.#settle?.(new Error('Left before it stood.'));
    this.connection.close();
  }

  #gathered(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, GATHERING_MS_MAX);
      const look = () => {
        if (this.connection.iceGatheringState !== 'complete') return;
        clearTimeout(late);
        resolve();
      };
      this.connection.addEventListener('icegatheringstatechange', look);
      look();
    });
  }

  /** Denizen closes the transport when the stay is over; the connection itself only notices seconds later that nobody is there. */
  #hearGoodbye(): void {
    const transport = this.#sender?.transport;
    transport?.addEventListener('statechange', () => transport.state === 'closed' && this.#lost());
  }

  #changed(): void {
    if (this.#over) return;
    const state = this.connection.connectionState;
    if (state === 'disconnected') this.#stumbling ??= setTimeout(() => this.#lost(), STUMBLING_MS_MAX);
    else {
      clearTimeout(this.#stumbling);
      this.#stumbling = undefined;
    }
    if (state === 'connected') {
      this.#stood = true;
      this.#settle?.(null);
    } else if (state === 'failed' || state === 'closed') this.#lost();
  }

  #lost(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#stumbling);
    if (this.#stood) this.listener.lost();
    else this.#settle?.(new Error(noWay()));
  }
}
