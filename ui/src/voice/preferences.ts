// How somebody likes to talk, kept per browser; and where they were talking, kept per tab, so that a reload goes back there.

export type TalkMode = 'open' | 'push';

export interface Preferences {
  mode: TalkMode;
  /** The key that is held to talk, as `KeyboardEvent.code` names it. */
  key: string;
  /** The chosen microphone and loudspeaker; empty for the system's own. */
  input: string;
  output: string;
  /** From 0 to 1. */
  volume: number;
}

export const DEFAULTS: Preferences = { mode: 'open', key: 'KeyV', input: '', output: '', volume: 1 };

const KEY = 'denizen.voice';
const PLACE_KEY = 'denizen.voice.in';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function read(store: Store, key: string): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(store.getItem(key) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** What was kept; what is missing or senseless is as it is by default. */
export function recalled(store: Store): Preferences {
  const kept = read(store, KEY);
  const text = (key: 'key' | 'input' | 'output') => (typeof kept[key] === 'string' ? (kept[key] as string) : DEFAULTS[key]);
  const volume = kept['volume'];
  return {
    mode: kept['mode'] === 'push' ? 'push' : 'open',
    key: text('key') || DEFAULTS.key,
    input: text('input'),
    output: text('output'),
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : DEFAULTS.volume,
  };
}

export const keep = (store: Store, preferences: Preferences): void => store.setItem(KEY, JSON.stringify(preferences));

/** Where somebody talks, and what must not be different after a reload. */
export interface Place {
  room: string;
  author: string;
  community: string;
  muted: boolean;
  /** They do not want to be listened to. */
  unheard: boolean;
  /** They came without a microphone. */
  silent: boolean;
}

export function placeOf(store: Store): Place | null {
  const kept = read(store, PLACE_KEY);
  const { room, author, community } = kept;
  if (typeof room !== 'string' || !room || typeof author !== 'string' || !author || typeof community !== 'string') return null;
  return { room, author, community, muted: kept['muted'] === true, unheard: kept['unheard'] === true, silent: kept['silent'] === true };
}

export function keepPlace(store: Store, place: Place | null): void {
  if (place) store.setItem(PLACE_KEY, JSON.stringify(place));
  else store.removeItem(PLACE_KEY);
}
