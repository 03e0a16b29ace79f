// One's own part in the voice of a room: coming in, being heard, hearing, and coming back when the connection breaks.
import { ApiError, problemText } from '../api/client';
import { voiceApi } from '../api/voice';
import { choosesOutput, thisBrowser, type Machine, type Meter } from './machine';
import { listed, open, type Device, type MicrophoneProblem } from './microphone';
import { Peer } from './peer';
import { keep, keepPlace, recalled, type Place, type Preferences } from './preferences';

export type CallPhase = 'out' | 'asking' | 'connecting' | 'in' | 'reconnecting';

/** Why one is not in, or not heard. */
export interface CallProblem extends MicrophoneProblem {
  kind: 'microphone' | 'refused' | 'lost' | 'elsewhere';
}

/** Where one goes, and as whom. */
export interface Going {
  room: string;
  author: string;
  /** The id by which the room knows them. */
  person: string;
  community: string;
}

/** A broken connection is taken up again after so long each; then it is lost. */
export const WAITS_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000];
/** After the key is let go of, the end of the last word still goes out. */
export const TAIL_MS = 250;

export class VoiceCall {
  phase = $state<CallPhase>('out');
  room = $state('');
  problem = $state.raw<CallProblem | null>(null);
  muted = $state(false);
  /** Somebody holds the key or the button. */
  held = $state(false);
  /** Denizen is asked not to listen. */
  unheard = $state(false);
  /** There is no microphone: one listens only. */
  silent = $state(false);
  /** The browser plays nothing before something is pressed. */
  soundBlocked = $state(false);
  preferences = $state.raw<Preferences>(recalled(localStorage));
  inputs = $state.raw<Device[]>([]);
  outputs = $state.raw<Device[]>([]);
  /** What could not be changed just now. */
  trouble = $state('');

  #machine: Machine | null;
  #going: Going | null = null;
  #session = '';
  #peer: Peer | null = null;
  #track: MediaStreamTrack | null = null;
  #meter: Meter | null = null;
  #speaker: HTMLAudioElement | null = null;
  /** Counts the calls: whatever belongs to an earlier one is over. */
  #count = 0;
  #tail: ReturnType<typeof setTimeout> | undefined;
  #waiting: (() => void) | null = null;

  constructor(machine: Machine | null = null) {
    this.#machine = machine;
  }

  /** Made when first needed: pages are also rendered where there is no browser. */
  get #browser(): Machine {
    return (this.#machine ??= thisBrowser());
  }

  get author(): string {
    return this.#going?.author ?? '';
  }

  get busy(): boolean {
    return this.phase === 'asking' || this.phase === 'connecting';
  }

  /** Whether one can be heard right now. */
  get audible(): boolean {
    return this.phase === 'in' && !this.silent && !this.muted && (this.preferences.mode === 'open' || this.held);
  }

  get mayChooseOutput(): boolean {
    return choosesOutput() && this.outputs.length > 0;
  }

  level = (): number => (this.audible ? (this.#meter?.level() ?? 0) : 0);

  /** Comes in; `silent` without a microphone. */
  join = async (going: Going, { silent = false, muted = false, unheard = false } = {}): Promise<void> => {
    if (this.phase !== 'out') {
      if (this.room === going.room) return;
      await this.leave();
    }
    const count = ++this.#count;
    this.#going = going;
    Object.assign(this, { room: going.room, problem: null, trouble: '', phase: 'asking', silent, muted, unheard });
    if (!(await this.#openMicrophone(count))) return;
    this.phase = 'connecting';
    try {
      await this.#connect(count);
    } catch (refused) {
      if (count === this.#count) this.#out(refusal(refused));
    }
  };

  leave = async (): Promise<void> => {
    const [room, session] = [this.room, this.#session];
    this.#out(null);
    keepPlace(sessionStorage, null);
    // Whoever cannot be told notices by itself that nothing comes any more.
    if (session) await voiceApi.leave(room, session).catch(() => undefined);
  };

  /** Goes back to where this tab talked before it was loaded anew. */
  resume = async (place: Place, person: string): Promise<void> => {
    await this.join({ room: place.room, author: place.author, community: place.community, person }, place);
  };

  mute = async (muted: boolean): Promise<void> => {
    this.muted = muted;
    this.#sound();
    this.#keepPlace();
    await this.#tell({ muted });
  };

  /** Whether Denizen may listen to what one says. */
  allowListening = async (listen: boolean): Promise<void> => {
    const before = this.unheard;
    this.unheard = !listen;
    this.#keepPlace();
    if (!(await this.#tell({ listen }))) this.unheard = before;
    this.#keepPlace();
  };

  /** It was chosen elsewhere: in another window, or in words. */
  learnListening = (listened: boolean): void => {
    if (this.phase !== 'in' || this.unheard === !listened) return;
    this.unheard = !listened;
    this.#keepPlace();
  };

  hold = (held: boolean): void => {
    clearTimeout(this.#tail);
    this.#meter?.wake();
    if (held) {
      this.held = true;
      this.#sound();
    } else if (this.held) {
      this.#tail = setTimeout(() => {
        this.held = false;
        this.#sound();
      }, TAIL_MS);
    }
  };

  prefer = async (change: Partial<Preferences>): Promise<void> => {
    const before = this.preferences;
    this.preferences = { ...before, ...change };
    keep(localStorage, this.preferences);
    this.#sound();
    if (this.#speaker) this.#speaker.volume = this.preferences.volume;
    if (change.output !== undefined && change.output !== before.output) await this.#chooseOutput();
    if (change.input !== undefined && change.input !== before.input && this.phase !== 'out') await this.#changeMicrophone();
  };

  /** Somebody pressed the button that lets sound out. */
  allowSound = async (): Promise<void> => {
    this.#meter?.wake();
    await this.#play();
  };

  listDevices = async (): Promise<void> => {
    if (this.#browser.devices) ({ inputs: this.inputs, outputs: this.outputs } = await listed(this.#browser.devices));
  };

  /** No use in waiting any longer: the network is back, or somebody wants it now. */
  hurry = (): void => this.#waiting?.();

  async #openMicrophone(count: number): Promise<boolean> {
    const unable = this.#browser.unable();
    if (unable && !(this.silent && unable.listens)) return this.#out({ ...unable, kind: 'microphone' });
    if (this.silent) {
      this.#take(this.#browser.silence());
      return true;
    }
    const given = await open(this.#browser.devices!, this.preferences.input);
    if (count !== this.#count) {
      if ('stream' in given) for (const track of given.stream.getTracks()) track.stop();
      return false;
    }
    if ('problem' in given) return this.#out({ ...given.problem, kind: 'microphone' });
    this.#take(given.stream.getAudioTracks()[0]!);
    this.#browser.devices!.removeEventListener('devicechange', this.listDevices);
    this.#browser.devices!.addEventListener('devicechange', this.listDevices);
    void this.listDevices();
    return true;
  }

  /** From now on this track is what goes out. */
  #take(track: MediaStreamTrack): void {
    const before = this.#track;
    this.#meter?.close();
    this.#track = track;
    // Before it stands, and while it is not wanted, nothing goes out.
    this.#sound();
    this.#meter = this.silent ? null : this.#browser.meter(track);
    before?.stop();
    if (!this.silent) track.addEventListener('ended', () => this.#track === track && void this.#changeMicrophone());
  }

  async #connect(count: number): Promise<void> {
    const going = this.#going!;
    const peer = new Peer(this.#browser.connection(), { sound: (stream) => this.#hear(stream), lost: () => void this.#reconnect(count) });
    this.#peer = peer;
    let session = '';
    try {
      const offer = await peer.offer(this.#track!);
      // Whoever is not to be listened to comes in muted, and is unmuted once that is known.
      const come = await voiceApi.come(going.room, going.author, offer, this.muted || this.unheard || this.silent);
      session = come.session;
      if (count === this.#count) this.#session = session;
      if (this.unheard) await voiceApi.change(going.room, session, { listen: false, muted: this.muted || this.silent });
      await peer.accept(come.sdp);
    } catch (problem) {
      peer.close();
      if (session) void voiceApi.leave(going.room, session).catch(() => undefined);
      if (count === this.#count) this.#session = '';
      throw problem;
    }
    if (count !== this.#count) {
      peer.close();
      void voiceApi.leave(going.room, session).catch(() => undefined);
      return;
    }
    this.phase = 'in';
    this.#sound();
    this.#keepPlace();
  }

  async #reconnect(count: number): Promise<void> {
    if (count !== this.#count || this.phase !== 'in') return;
    this.phase = 'reconnecting';
    this.#sound();
    this.#peer?.close();
    let last: unknown;
    for (const wait of WAITS_MS) {
      if (wait) await this.#pause(wait);
      if (count !== this.#count) return;
      try {
        if (await this.#takenOver()) {
          keepPlace(sessionStorage, null);
          return void this.#out({ kind: 'elsewhere', title: 'You talk in another window now', text: 'Somebody of your name came in there, and one person has one voice.', listens: false });
        }
        await this.#connect(count);
        return;
      } catch (problem) {
        if (count !== this.#count) return;
        last = problem;
        if (isFinal(problem)) break;
      }
    }
    this.#out(isFinal(last) || isFull(last) ? refusal(last) : { kind: 'lost', title: 'The connection is lost', text: problemText(last), listens: false });
  }

  /** Whether somebody of the same name is there by another connection: then this one must not push it out again. */
  async #takenOver(): Promise<boolean> {
    const { room, person } = this.#going!;
    if (!this.#session) return false;
    try {
      await voiceApi.change(room, this.#session, { muted: this.muted || this.silent });
      return false;
    } catch (problem) {
      if (!(problem instanceof ApiError) || (problem.status !== 404 && problem.status !== 410)) throw problem;
      this.#session = '';
      const { people } = await voiceApi.view(room);
      return people.some(({ id }) => id === person);
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#waiting?.(), milliseconds);
      this.#waiting = () => {
        clearTimeout(timer);
        this.#waiting = null;
        resolve();
      };
    });
  }

  #hear(stream: MediaStream): void {
    this.#speaker ??= this.#browser.loudspeaker();
    this.#speaker.volume = this.preferences.volume;
    this.#speaker.srcObject = stream;
    void this.#chooseOutput().then(() => this.#play());
  }

  async #play(): Promise<void> {
    try {
      await this.#speaker?.play();
      this.soundBlocked = false;
    } catch (problem) {
      // Anything else is a sound that was replaced by another one.
      if (problem instanceof Error && problem.name === 'NotAllowedError') this.soundBlocked = true;
    }
  }

  async #chooseOutput(): Promise<void> {
    const speaker = this.#speaker as (HTMLAudioElement & { setSinkId?: (id: string) => Promise<void> }) | null;
    if (!speaker?.setSinkId) return;
    // One that is gone is no reason not to be heard at all.
    await speaker.setSinkId(this.preferences.output).catch(() => speaker.setSinkId!('').catch(() => undefined));
  }

  /** Another one was chosen, or the one that was used is gone. */
  async #changeMicrophone(): Promise<void> {
    if (this.silent && this.#browser.unable()) return;
    const count = this.#count;
    const given = await open(this.#browser.devices!, this.preferences.input);
    if (count !== this.#count) {
      if ('stream' in given) for (const track of given.stream.getTracks()) track.stop();
      return;
    }
    this.trouble = 'problem' in given ? `${given.problem.title}. ${given.problem.text}` : '';
    this.silent = 'problem' in given;
    const track = 'problem' in given ? this.#browser.silence() : given.stream.getAudioTracks()[0]!;
    this.#take(track);
    await this.#peer?.replace(track).catch((problem: unknown) => (this.trouble = problemText(problem)));
    void this.listDevices();
  }

  /** Lets the microphone through, or not. */
  #sound(): void {
    if (this.#track) this.#track.enabled = this.audible;
  }

  /** Tells the room of a change; false where it could not be told. */
  async #tell(change: { muted?: boolean; listen?: boolean }): Promise<boolean> {
    this.trouble = '';
    if (this.phase !== 'in') return true;
    try {
      await voiceApi.change(this.room, this.#session, change);
      return true;
    } catch (problem) {
      this.trouble = problemText(problem);
      return false;
    }
  }

  #keepPlace(): void {
    if (!this.#going || this.phase === 'out') return;
    const { room, author, community } = this.#going;
    keepPlace(sessionStorage, { room, author, community, muted: this.muted, unheard: this.unheard, silent: this.silent });
  }

  /** It is over, for a reason or by one's own wish; false, for whoever goes on only if it is not. */
  #out(problem: CallProblem | null): false {
    this.#count++;
    this.#waiting?.();
    clearTimeout(this.#tail);
    this.#peer?.close();
    this.#meter?.close();
    this.#track?.stop();
    this.#speaker?.pause();
    if (this.#speaker) this.#speaker.srcObject = null;
    [this.#peer, this.#meter, this.#track, this.#session] = [null, null, null, ''];
    Object.assign(this, { phase: 'out', held: false, soundBlocked: false, problem });
    return false;
  }
}

/** Denizen has answered, and will not answer otherwise soon. */
function isFinal(problem: unknown): boolean {
  return problem instanceof ApiError && problem.status >= 400 && problem.status < 500 && ![404, 408, 410, 425, 429].includes(problem.status);
}

/** There is no place left; one may come free. */
function isFull(problem: unknown): boolean {
  return problem instanceof ApiError && problem.status === 503 && problem.code === 'voice_full';
}

function refusal(problem: unknown): CallProblem {
  return { kind: 'refused', title: isFull(problem) ? 'The voice of this room is full' : 'You could not come in', text: problemText(problem), listens: false };
}

/** This page's call: one, wherever in the pages one looks. */
export const call = new VoiceCall();
