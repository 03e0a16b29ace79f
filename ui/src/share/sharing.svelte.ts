// One share from the press of the button to its end: the screen, the line to Denizen, and the pace between them.
import { within } from '../api/community';
import { capture, unable, type Problem } from './capture';
import { Line, type Socket } from './line';
import { afterReconnect, afterRefused, afterSent, afterState, afterStill, afterTaken, cornered, newPace, plan, rate, weigh, withLimits, type Pace } from './pace';
import { Studio } from './studio';
import { forgetKey } from './token';
import { STILL, STOP, type Noted, type ServerWord } from './wire';
import { watching } from './words';

export type Phase = 'intro' | 'picking' | 'connecting' | 'live' | 'over';

export class Sharing {
  phase = $state<Phase>('intro');
  problem = $state.raw<Problem | null>(null);
  stream = $state.raw<MediaStream | null>(null);
  /** Who and where, once Denizen has said so. */
  denizen = $state('Denizen');
  room = $state('');
  roomName = $state('');
  /** Where the room is, if not here. */
  platform = $state('');
  name = $state('');
  watched = $state(false);
  connected = $state(false);
  refusal = $state('');
  /** What is wrong with the pictures, if anything, in words. */
  trouble = $state('');
  note = $state.raw<Noted | null>(null);
  frames = $state(0);
  rate = $state(0);
  picture = $state('');
  sentAt = $state<number | null>(null);
  end = $state.raw<{ reason: string; detail: string } | null>(null);
  now = $state(Date.now());
  state = $derived(watching({ connected: this.connected, watched: this.watched, refusal: this.refusal }));

  #pace: Pace | null = null;
  #line: Line | null = null;
  #studio: Studio | null = null;
  #video: HTMLVideoElement | null = null;
  #looking = false;

  constructor(readonly token: string) {
    if (!token) this.#over('no_token');
    else this.problem = unable();
  }

  choose = async (): Promise<void> => {
    if (this.phase !== 'intro') return;
    this.problem = null;
    this.phase = 'picking';
    const given = await capture();
    if ('problem' in given) {
      this.problem = given.problem;
      this.phase = 'intro';
      return;
    }
    await this.#begin(given.stream);
  };

  stop = (): void => {
    if (this.phase === 'over' || !this.stream) return;
    this.#line?.send(STOP);
    this.#over('stopped');
  };

  async #begin(stream: MediaStream): Promise<void> {
    this.stream = stream;
    this.phase = 'connecting';
    for (const track of stream.getVideoTracks()) {
      // Text has to stay readable; that it moves smoothly does not matter.
      track.contentHint = 'detail';
      track.addEventListener('ended', this.stop);
    }
    // Not the preview: one that is not part of the page is never put to sleep with it.
    const video = Object.assign(document.createElement('video'), { muted: true, playsInline: true, srcObject: stream });
    this.#video = video;
    this.#line = new Line(this.token, { said: this.#heard, broken: () => (this.connected = false), lost: (ever) => this.#over(ever ? 'lost' : 'unreachable') }, openSocket);
    this.#studio = new Studio(() => void this.#tick());
    await video.play().catch(() => undefined);
  }

  async #tick(): Promise<void> {
    const now = performance.now();
    this.now = Date.now();
    this.#line?.tick(now);
    const line = this.#line;
    if (!this.#pace || !line?.ready || this.#looking) return;
    this.rate = rate(this.#pace, now);
    const next = plan(this.#pace, now, line.bufferedBytes, this.#blind());
    if (next.do === 'hang_up') line.hangUp(now);
    else if (next.do === 'still') {
      line.send(STILL);
      this.#pace = afterStill(this.#pace, now);
    } else if (next.do === 'look') {
      this.#looking = true;
      await this.#send(line, next.size, next.always).catch((problem: unknown) => (this.trouble = `No picture could be made: ${String(problem)}`));
      this.#looking = false;
    }
  }

  async #send(line: Line, size: { width: number; quality: number }, always: boolean): Promise<void> {
    const lookedAt = performance.now();
    const made = await this.#studio!.look(this.#video!, size, always);
    if (made.type === 'failed' && this.phase === 'live') this.trouble = `No picture could be made: ${made.problem}`;
    if (made.type !== 'picture' || this.phase !== 'live' || !this.#pace || !line.ready) return;
    const bytes = made.jpeg.byteLength;
    const weighed = weigh(this.#pace, bytes);
    if (!weighed.fits) {
      if (cornered(this.#pace, bytes)) this.trouble = `Even the smallest picture (${Math.round(bytes / 1_000)} kB) is larger than the room takes (${Math.round(this.#pace.limits.maxFrameBytes / 1_000)} kB). Share a smaller window.`;
      this.#pace = weighed.pace;
      return;
    }
    line.send(made.jpeg);
    this.#pace = afterSent(weighed.pace, performance.now(), bytes, lookedAt);
    this.frames = this.#pace.frames;
    this.sentAt = Date.now();
    this.picture = `${made.width} × ${made.height}, ${Math.round(bytes / 1_000)} kB`;
  }

  #heard = (word: ServerWord): void => {
    const now = performance.now();
    switch (word.type) {
      case 'welcome':
        this.#pace = this.#pace ? afterReconnect(this.#pace, word, word.watched) : newPace(word, word.watched);
        Object.assign(this, { denizen: word.denizen, room: word.room, roomName: word.roomName, platform: word.platform, name: word.name, watched: word.watched, connected: true, refusal: '', phase: 'live' });
        break;
      case 'limits':
        if (this.#pace) this.#pace = withLimits(this.#pace, word);
        break;
      case 'taken':
        if (this.#pace) this.#pace = afterTaken(this.#pace, now, word.ema);
        this.trouble = '';
        break;
      case 'refused':
        this.#refused(word, now);
        break;
      case 'state':
        [this.watched, this.refusal, this.note] = [word.watched, word.reason, word.note ?? this.note];
        if (this.#pace) this.#pace = afterState(this.#pace, word.watched);
        break;
      case 'ended':
        this.#over(word.reason);
    }
  };

  #refused({ reason, detail }: { reason: string; detail: string }, now: number): void {
    // Before the welcome a refusal is of the whole share.
    if (!this.#pace || this.phase !== 'live' || reason === 'session_not_found') return this.#over(this.#pace && reason === 'session_not_found' ? 'lost' : reason, detail);
    this.#pace = afterRefused(this.#pace, now, reason);
    this.watched = this.#pace.watched;
    if (!this.#pace.watched) this.refusal = reason;
    // Being slowed down is nothing a person has to care about.
    else if (reason !== 'frame_rate_limited' && reason !== 'frame_too_large') this.trouble = detail;
  }

  #blind(): boolean {
    const track = this.stream?.getVideoTracks()[0];
    return !track || track.muted || !this.#video?.videoWidth;
  }

  #over(reason: string, detail = ''): void {
    if (this.phase === 'over') return;
    this.phase = 'over';
    this.end = { reason, detail };
    forgetKey();
    this.#line?.close();
    this.#studio?.close();
    for (const track of this.stream?.getTracks() ?? []) {
      track.removeEventListener('ended', this.stop);
      track.stop();
    }
    if (this.#video) this.#video.srcObject = null;
    this.stream = null;
    this.connected = this.watched = false;
  }
}

function openSocket(): Socket {
  // A link of another community than the default one names it.
  const named = new URLSearchParams(location.search).get('community') ?? '';
  const address = new URL(within('/api/watch/socket', named), location.href);
  address.search = '';
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(address) as unknown as Socket;
}
