// The voice of a room as its page holds it: who is there, what Denizen does, what is said, and what became of it.
import { untrack } from 'svelte';
import { ApiError, api, problemText } from '../api/client';
import type { JournalEntry, LiveEvent, RoomVoiceAnswer, StoredMessage } from '../api/contract';
import { live } from '../api/live.svelte';
import { voiceApi } from '../api/voice';
import { session } from '../shell/session.svelte';
import { isTold, storyOf, type Story } from './story';
import { afterJournal, afterSilence, afterSpeech, withMessages, type Line, type VoiceEvent } from './transcript';
import { comings, type Doing } from './words';

/** However much happens, the view is read at most this often. */
const PAUSE_MS = 150;
/** What became of something is asked so long after something was decided, and again while it is open. */
const STORY_PAUSE_MS = 350;
const STORY_AGAIN_MS = 2_000;
const STORY_TRIES_MAX = 20;
/** While ears or a voice are loaded, the view is read this often. */
const LOADING_MS = 1_500;
/** Earlier than that is not part of the conversation one comes into. */
const EARLIER_MS_MAX = 30 * 60_000;

export class VoiceHall {
  view = $state.raw<RoomVoiceAnswer | null>(null);
  problem = $state('');
  /** There is no such thing here: an older Denizen, or no such room. */
  missing = $state(false);
  lines = $state.raw<readonly Line[]>([]);
  stories = $state.raw<ReadonlyMap<string, Story>>(new Map());
  /** Denizen was asked in or out, and has not come or gone yet. */
  asking = $state(false);
  /** Said to screen readers: who came and went. */
  announcement = $state('');
  /** Turns that are being answered. */
  #turns = $state.raw<readonly number[]>([]);

  #users = 0;
  #stops: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #doubtful = new Map<string, number>();
  #storyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly room: string) {}

  get doing(): Doing {
    if (!this.view?.inRoom) return 'out';
    if (this.lines.some(({ own, state }) => own && state === 'speaking')) return 'speaking';
    return this.#turns.length ? 'thinking' : 'listening';
  }

  /** Keeps up with the room until the returned function is called. */
  open(): () => void {
    // Whoever opens it in an effect must not have it run again by what is read here.
    if (this.#users++ === 0) untrack(() => this.#begin());
    return () => {
      if (--this.#users === 0) this.#end();
    };
  }

  load = async (): Promise<void> => {
    try {
      const view = await voiceApi.view(this.room);
      if (this.view) this.announcement = comings(this.view.people, view.people) || this.announcement;
      if (!view.inRoom) this.#turns = [];
      [this.view, this.problem, this.missing] = [view, '', false];
      if (view.ears.loading || view.mouth.loading) this.#lookAgain();
    } catch (refused) {
      this.missing = refused instanceof ApiError && (refused.status === 404 || refused.status === 405);
      this.problem = problemText(refused);
    }
  };

  /** Reads the view soon; once, however often this is called meanwhile. */
  refresh = (): void => {
    if (this.#users === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.load();
    }, PAUSE_MS);
  };

  /** Nothing tells when what is loaded is there. */
  #lookAgain(): void {
    if (this.#users) this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.load();
    }, LOADING_MS);
  }

  /** Asks Denizen in, or out. */
  ask = async (wanted: boolean): Promise<void> => {
    this.asking = true;
    this.problem = '';
    try {
      await (wanted ? voiceApi.askIn(this.room) : voiceApi.askOut(this.room));
    } catch (refused) {
      this.problem = problemText(refused);
    }
    this.asking = false;
    this.refresh();
  };

  /** What was written down in the room: of it, what was spoken lately belongs here. */
  write(messages: readonly StoredMessage[]): void {
    const since = Date.now() - EARLIER_MS_MAX;
    const before = this.lines;
    this.lines = withMessages(before, messages.filter(({ spoken, at }) => spoken && at >= since));
    for (const { own, message } of this.lines) if (!own && message && !this.stories.has(message)) this.#wonder(message);
  }

  #begin(): void {
    void this.load();
    const tidying = setInterval(() => (this.lines = afterSilence(this.lines, Date.now())), 2_000);
    this.#stops = [live.gather((events) => this.take(events)), live.onReset(() => void this.load()), () => clearInterval(tidying)];
  }

  #end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#storyTimer);
    [this.#timer, this.#storyTimer] = [undefined, undefined];
    for (const stop of this.#stops) stop();
  }

  /** Takes what the live feed tells. */
  take(events: readonly LiveEvent[]): void {
    for (const event of events) {
      switch (event.type) {
        case 'settings':
          this.refresh();
          break;
        case 'journal':
          if (event.entry.room === this.room) this.#note(event.entry);
          break;
        case 'voice_people':
        case 'voice_speaking':
        case 'voice_transcript':
        case 'voice_saying':
          if (event.room === this.room) this.#hear(event);
      }
    }
  }

  #hear(event: VoiceEvent): void {
    if (event.type === 'voice_people') return this.refresh();
    if (event.type === 'voice_speaking') return this.#speaks(event.person, event.speaking);
    this.lines = afterSpeech(this.lines, event, { id: session.denizenId, name: session.denizenName }, Date.now());
    if (event.type === 'voice_transcript' && event.final) this.#wonder(event.id);
  }

  #speaks(person: string, speaking: boolean): void {
    if (!this.view?.people.some(({ id }) => id === person)) return;
    this.view = { ...this.view, people: this.view.people.map((each) => (each.id === person ? { ...each, speaking } : each)) };
  }

  #note(entry: JournalEntry): void {
    if (!/^(voice|stt)_/.test(entry.name)) return;
    if (entry.name.startsWith('voice_session_') || this.#tellsOfEars(entry.name)) this.refresh();
    if (entry.turn !== undefined && entry.name === 'voice_turn_opened') this.#turns = [...this.#turns, entry.turn];
    if (entry.name === 'voice_turn_ended') this.#turns = this.#turns.filter((turn) => turn !== entry.turn);
    this.lines = afterJournal(this.lines, entry, (person) => this.view?.people.find(({ id }) => id === person)?.name ?? person);
    for (const message of entry.messages ?? []) if (this.lines.some((line) => line.message === message)) this.#wonder(message);
  }

  /** Ears that failed may have, or may hear again. */
  #tellsOfEars(name: string): boolean {
    return name === 'voice_utterance_missed' || (name === 'voice_utterance_heard' && !!this.view?.ears.failing);
  }

  /** Asks soon what became of something. */
  #wonder(message: string, tries = 0): void {
    this.#doubtful.set(message, tries);
    if (this.#users) this.#storyTimer ??= setTimeout(() => void this.#askStories(), tries ? STORY_AGAIN_MS : STORY_PAUSE_MS);
  }

  /** Keeps what became of something, for as long as its line is there. */
  #tell(message: string, story: Story): void {
    const kept = new Set(this.lines.map((line) => line.message));
    this.stories = new Map([...this.stories, [message, story] as const].filter(([id]) => kept.has(id)));
  }

  async #askStories(): Promise<void> {
    const asked = [...this.#doubtful];
    this.#doubtful.clear();
    this.#storyTimer = undefined;
    for (const [message, tries] of asked) {
      try {
        const story = storyOf(await api.why(message));
        this.#tell(message, story);
        if (!isTold(story) && tries < STORY_TRIES_MAX && !this.#doubtful.has(message)) this.#wonder(message, tries + 1);
      } catch (refused) {
        // It may not be written down yet.
        if (refused instanceof ApiError && refused.status === 404 && tries < 3) this.#wonder(message, tries + 1);
      }
    }
  }
}

const halls = new Map<string, VoiceHall>();

/** The room's voice, the same for as long as the page lives. */
export function voiceHall(room: string): VoiceHall {
  // What it derives must not end with the page that happened to ask first.
  if (!halls.has(room)) $effect.root(() => void halls.set(room, new VoiceHall(room)));
  return halls.get(room)!;
}
