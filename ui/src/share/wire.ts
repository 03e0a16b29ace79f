// What the share page and Denizen say to each other over the socket; anything else is passed over. Pure.
import type { Limits } from './sizes';

export interface Noted {
  text: string;
  at: number;
}

export type ServerWord =
  | ({ type: 'welcome'; share: string; room: string; roomName: string; platform: string; name: string; denizen: string; watched: boolean } & Limits)
  | ({ type: 'limits' } & Limits)
  | { type: 'taken'; frame: number; score: number; ema: number; sceneCut: boolean }
  | { type: 'refused'; reason: string; detail: string }
  /** `reason`: what a frame would be refused for now; empty while it is watched. */
  | { type: 'state'; watched: boolean; reason: string; note: Noted | null }
  | { type: 'ended'; reason: string };

/** Reads a message of the server; null where it is none that this page knows. */
export function read(text: string): ServerWord | null {
  let said: Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return null;
    said = parsed as Record<string, unknown>;
  } catch {
    return null;
  }
  const string = (key: string) => (typeof said[key] === 'string' ? (said[key] as string) : '');
  const number = (key: string) => (typeof said[key] === 'number' ? (said[key] as number) : 0);
  const limits = () => limitsOf(said);
  switch (said['type']) {
    case 'welcome':
      return { type: 'welcome', share: string('share'), room: string('room'), roomName: string('roomName'), platform: string('platform'), name: string('name'), denizen: string('denizen') || 'Denizen', watched: said['watched'] === true, ...limits() };
    case 'limits':
      return { type: 'limits', ...limits() };
    case 'taken':
      return { type: 'taken', frame: number('frame'), score: number('score'), ema: number('ema'), sceneCut: said['sceneCut'] === true };
    case 'refused':
      return { type: 'refused', reason: string('reason'), detail: string('detail') };
    case 'state':
      return { type: 'state', watched: said['watched'] === true, reason: string('reason'), note: noteOf(said['note']) };
    case 'ended':
      return { type: 'ended', reason: string('reason') };
    default:
      return null;
  }
}

function limitsOf(said: Record<string, unknown>): Limits {
  const positive = (key: string, otherwise: number) => (typeof said[key] === 'number' && said[key] > 0 ? said[key] : otherwise);
  return { maxWidthPx: positive('maxWidthPx', 960), jpegQuality: positive('jpegQuality', 0.6), maxFrameBytes: positive('maxFrameBytes', 350_000), maxFramesPerMinute: positive('maxFramesPerMinute', 180), keyframeIntervalMs: positive('keyframeIntervalMs', 1_200) };
}

function noteOf(said: unknown): Noted | null {
  const note = said as Partial<Noted> | null;
  return note && typeof note === 'object' && typeof note.text === 'string' && typeof note.at === 'number' ? { text: note.text, at: note.at } : null;
}

export const hello = (token: string): string => JSON.stringify({ type: 'hello', token });
export const STILL = '{"type":"still"}';
export const STOP = '{"type":"stop"}';
