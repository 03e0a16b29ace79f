// The socket to Denizen: says who it is, and comes back with the same token when the connection breaks.
// It has no timer of its own; whoever owns it calls `tick`, because timers are slowed down in tabs that nobody looks at.
import { hello, read, type ServerWord } from './wire';

/** So long a broken connection may be taken up again; the other side waits no longer. */
export const GRACE_MS = 10_000;
const WAITS_MS = [0, 300, 700, 1_500, 2_000];
const WELCOME_MS_MAX = 5_000;

/** The part of a WebSocket that is used here. */
export interface Socket {
  binaryType: string;
  readonly readyState: number;
  readonly bufferedAmount: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(data: string | ArrayBuffer): void;
  close(): void;
}

export interface LineListener {
  said(word: ServerWord): void;
  /** The connection is broken, and is being taken up again. */
  broken(): void;
  /** It could not be taken up in time. `ever`: whether it had stood before. */
  lost(ever: boolean): void;
}

const OPEN = 1;

export class Line {
  #socket: Socket | null = null;
  #closed = false;
  #welcomed = false;
  #ever = false;
  /** When the connection broke, or was first wanted. */
  #brokenAt: number | null = null;
  #tries = 0;
  #tryAt = 0;
  #triedAt = 0;

  constructor(
    private readonly token: string,
    private readonly listener: LineListener,
    private readonly connect: () => Socket,
    private readonly clock = () => performance.now(),
  ) {}

  get ready(): boolean {
    return this.#welcomed && this.#socket?.readyState === OPEN;
  }

  get bufferedBytes(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  /** Opens the connection when it is due, and gives up when it has been gone for too long. */
  tick(now: number): void {
    if (this.#closed) return;
    if (this.#socket) {
      if (!this.#welcomed && now - this.#triedAt > WELCOME_MS_MAX) this.#drop(now);
      return;
    }
    this.#brokenAt ??= now;
    if (now - this.#brokenAt > GRACE_MS) {
      this.#closed = true;
      this.listener.lost(this.#ever);
    } else if (now >= this.#tryAt) this.#try(now);
  }

  send(data: string | ArrayBuffer): void {
    if (this.#socket?.readyState === OPEN) this.#socket.send(data);
  }

  /** The connection does not answer any more: begin anew. */
  hangUp(now: number): void {
    if (this.#socket) this.#drop(now);
  }

  close(): void {
    this.#closed = true;
    this.#forget();
  }

  #try(now: number): void {
    this.#triedAt = now;
    const socket = this.connect();
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => socket.send(hello(this.token));
    socket.onmessage = ({ data }) => {
      const word = typeof data === 'string' ? read(data) : null;
      if (word) this.#take(word);
    };
    socket.onclose = () => this.#drop(this.clock());
  }

  #take(word: ServerWord): void {
    if (word.type === 'welcome') {
      [this.#welcomed, this.#ever, this.#brokenAt, this.#tries] = [true, true, null, 0];
    } else if (word.type === 'ended' || (word.type === 'refused' && !this.#welcomed)) this.close();
    this.listener.said(word);
  }

  #drop(now: number): void {
    this.#forget();
    if (this.#closed) return;
    this.#brokenAt ??= now;
    this.#tryAt = now + WAITS_MS[Math.min(this.#tries++, WAITS_MS.length - 1)]!;
    this.listener.broken();
  }

  #forget(): void {
    const socket = this.#socket;
    [this.#socket, this.#welcomed] = [null, false];
    if (!socket) return;
    // What was said before it was closed (a farewell) is still sent.
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
