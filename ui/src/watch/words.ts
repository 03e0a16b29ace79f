// A watch in plain words: what was seen, what Denizen waits for, what it costs. Pure.
import type { Activity, CallsView, CommentaryView, Look, Mark, MarkKind, NoteTakerView, NoteTrigger, ShareSource, ShareView } from '../api/contract';
import { cost, count, span, words } from '../shell/format';
import type { WatchView } from './view';

export { ago } from '../share/words';

export const SOURCES: Record<ShareSource, string> = { share_page: 'from the share page', whip: 'as a video stream', frame_api: 'by a program', file: 'from a file' };

export const ACTIVITIES: Record<Activity, string> = { static: 'nothing moves', moving: 'something moves', significant: 'something happened' };

const REGIONS: Record<string, string> = {
  top_left: 'in the top left', top: 'at the top', top_right: 'in the top right', left: 'on the left', centre: 'in the middle', right: 'on the right',
  bottom_left: 'in the bottom left', bottom: 'at the bottom', bottom_right: 'in the bottom right', everywhere: 'all over the screen',
};
export const region = (name: string | undefined): string => (name ? (REGIONS[name] ?? words(name)) : '');

const TRIGGERS: Record<NoteTrigger, string> = {
  first_frame: 'the first picture', scene_cut: 'the whole screen changed', change: 'much changed', interval: 'it moved, and the last note was old enough', idle_interval: 'nothing moved, and the last note was very old', commentary: 'noted while a comment was considered',
};
export const trigger = (name: NoteTrigger | null): string => (name ? (TRIGGERS[name] ?? words(name)) : '');

const MARKS: Record<MarkKind, { says: string; tone: 'note' | 'same' | 'bad' | 'held' | 'lit' | 'quiet' | 'edge' }> = {
  note_added: { says: 'Noted', tone: 'note' },
  note_refreshed: { says: 'Still so', tone: 'same' },
  note_failed: { says: 'No note came', tone: 'bad' },
  commentary_held: { says: 'A comment was held back', tone: 'held' },
  commentary_spoken: { says: 'Said', tone: 'lit' },
  commentary_silent: { says: 'Chose to stay silent', tone: 'quiet' },
  commentary_failed: { says: 'No comment came', tone: 'bad' },
  watch_started: { says: 'The watch began', tone: 'edge' },
  watch_ended: { says: 'The watch ended', tone: 'edge' },
};
export const mark = (kind: MarkKind) => MARKS[kind] ?? { says: words(kind), tone: 'quiet' as const };

export type Lane = 'notes' | 'comments' | 'watch';
export function laneOf({ kind }: Mark): Lane {
  return kind.startsWith('note_') ? 'notes' : kind.startsWith('commentary_') ? 'comments' : 'watch';
}

/** Whose screen is watched, in one sentence. */
export function headline(view: WatchView, denizen: string): string {
  const watched = view.shares.find(({ share }) => share === view.watched);
  if (watched) return `${denizen} watches ${possessive(watched.name)} screen.`;
  if (!view.enabled) return 'Watching screens is switched off.';
  if (view.shares.length === 0) return 'Nobody shares a screen here.';
  if (view.shares.length === 1) return `${view.shares[0]!.name} shares a screen, and nobody watches it.`;
  return `${names(view.shares)} share their screens; none is watched.`;
}

export const possessive = (name: string): string => (/s$/i.test(name) ? `${name}’` : `${name}’s`);

export function names(shares: readonly ShareView[]): string {
  const all = shares.map(({ name }) => name);
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** What the note-taker does; `passed`: since the view was read. */
export function noteTaker({ asking, heldBy, dueIn, failures, lastFailure }: NoteTakerView, passed: number): { says: string; wrong: string } {
  const wrong = failures > 0 ? `${failures === 1 ? 'The last note failed' : `The last ${failures} notes failed`}${lastFailure ? `: ${lastFailure}` : '.'}` : '';
  if (asking) return { says: `Looking, for ${span(asking.runningFor + passed)} now.`, wrong };
  const soon = dueIn === null ? '' : remaining(dueIn - passed);
  switch (heldBy) {
    case null:
      return { says: dueIn === null ? 'Watches nothing.' : 'A note is due now.', wrong };
    case 'no_frame':
      return { says: 'Waits for the first picture.', wrong };
    case 'frozen':
      return { says: 'Rests: what is there is noted, and nothing of it has changed.', wrong };
    case 'cooldown':
      return { says: soon === 'now' ? 'Something happened; looks now.' : `Something happened; looks ${soon || 'soon'}, when the shortest wait is over.`, wrong };
    case 'interval':
      return { says: `Something moves; looks again ${soon || 'soon'}.`, wrong };
    case 'idle_interval':
      return { says: `Nothing moves; looks again ${soon || 'soon'}.`, wrong };
    case 'hourly_cap':
      return { says: `Has looked as often as it may in an hour; looks again ${soon || 'when that is changed'}.`, wrong };
    case 'in_flight':
      return { says: 'Looking.', wrong };
    default:
      return { says: `Waits: ${words(heldBy)}${soon ? `, ${soon}` : ''}.`, wrong };
  }
}

const GATES: Record<string, { name: string; shut: string; open: string }> = {
  commentary_off: { name: 'Switch', shut: 'comments are switched off', open: 'comments are on' },
  channel_not_allowed: { name: 'Channel', shut: 'it may not write here', open: 'it may write here' },
  hourly_cap: { name: 'Hourly limit', shut: 'it wrote as often as it may in an hour', open: 'there is room in this hour' },
  call_cap: { name: 'Looks an hour', shut: 'it was asked as often as it may be in an hour', open: 'there are calls left in this hour' },
  playback: { name: 'Own words', shut: 'its last words are still on their way', open: 'nothing of its own is on its way' },
  queued_work: { name: 'Others first', shut: 'somebody waits for a reply', open: 'nobody waits for a reply' },
  quiet_window: { name: 'Quiet', shut: 'somebody spoke or typed a moment ago', open: 'nobody spoke just now' },
  spacing: { name: 'Spacing', shut: 'it wrote a moment ago', open: 'it did not write just now' },
  nothing_new: { name: 'News', shut: 'nothing new was seen', open: 'something new was seen' },
};
export function gate(name: string, shut: boolean): { name: string; says: string } {
  const known = GATES[name] ?? { name: words(name), shut: 'shut', open: 'open' };
  return { name: known.name, says: shut ? known.shut : known.open };
}

const COMMENT_TRIGGERS: Record<string, string> = { share_start: 'the screen was seen for the first time', change_detected: 'much changed', interval: 'a while has passed' };

export function commentary(view: CommentaryView, passed: number): string {
  if (!view.enabled) return 'Comments are switched off; notes are taken all the same.';
  if (view.asking) return `Considering what to say, for ${span(view.asking.runningFor + passed)} now.`;
  if (view.waiting) {
    const shut = view.gates.filter((each) => each.shut).map((each) => gate(each.gate, true).says);
    const why = COMMENT_TRIGGERS[view.waiting] ?? words(view.waiting);
    return `Has something to consider (${why}) and waits for ${span((view.waitingFor ?? 0) + passed)}${shut.length ? `: ${shut.join(', ')}` : ''}.`;
  }
  return view.dueIn === null ? 'Has nothing to consider.' : `Considers a comment ${remaining(view.dueIn - passed)}.`;
}

/** `in 4 s`, `now`. */
export function remaining(milliseconds: number): string {
  return milliseconds <= 500 ? 'now' : `in ${milliseconds < 60_000 ? `${Math.ceil(milliseconds / 1_000)} s` : span(milliseconds)}`;
}

/** What watching costs in an hour, honestly: what has no price is said to have none. */
export function hourly(calls: CallsView): { calls: string; money: string; more: string } {
  const made = calls.notes + calls.commentary;
  const priced = made - calls.unpriced - calls.failed;
  const perHour = `${count(Math.round(calls.callsPerHour))} calls an hour`;
  if (made === 0) return { calls: 'no calls yet', money: '', more: '' };
  if (calls.unpriced > 0 && priced <= 0) return { calls: perHour, money: 'price not known', more: 'The model’s price is not in the list; a local one costs nothing but its power.' };
  const money = `${cost(Math.round(calls.costPerHourMicroDollars))} an hour`;
  return { calls: perHour, money, more: calls.unpriced > 0 ? `The price of ${count(calls.unpriced)} ${calls.unpriced === 1 ? 'call is' : 'calls is'} not known and comes on top.` : '' };
}

/** A frame's number; of the long ones the end, which is where two differ. */
export const frameName = (frame: number): string => (frame < 10_000_000 ? `frame ${frame}` : `frame …${String(frame).slice(-6)}`);

/** A score as one types it: `0.012`, `0.0005`. */
export function score(value: number): string {
  if (value === 0) return '0';
  return value < 0.0001 ? '<0.0001' : String(Number(value.toPrecision(2)));
}

export function times(number: number): string {
  return number === 1 ? 'once' : number === 2 ? 'twice' : `${count(number)} times`;
}

/** How many looks of each kind: for a new picture, for a big change, and those the clock made. */
export function tally(looks: readonly Look[]): { all: number; cuts: number; changes: number; clock: number } {
  const count = (...triggers: NoteTrigger[]) => looks.filter(({ trigger }) => triggers.includes(trigger)).length;
  return { all: looks.length, cuts: count('scene_cut', 'first_frame'), changes: count('change'), clock: count('interval', 'idle_interval') };
}
