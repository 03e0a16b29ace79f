// The gates a thought has to pass: what each is called, its colour, and the settings it goes by. Pure.
import { title, words } from '../shell/format';

export type GateKind = 'off' | 'channels' | 'attention' | 'posts' | 'budget' | 'gap' | 'held' | 'chance' | 'busy' | 'other';

/** By what its name is made of, so that a gate this page has not heard of still finds its kind. */
const KINDS: [RegExp, GateKind][] = [
  [/disabled|switched_off|^off$|enabled/, 'off'],
  [/channel|pool/, 'channels'],
  [/budget|token|dollar|cost|calls/, 'budget'],
  [/daily|cap|posts/, 'posts'],
  [/held|young/, 'held'],
  [/gap|spacing|cooldown|minutes/, 'gap'],
  [/eager|chance|roll|dice|probab/, 'chance'],
  [/attention|active|conversation|exchange/, 'attention'],
  [/run|busy|flight|thinking|already|trial/, 'busy'],
];

export const gateKind = (gate: string): GateKind => KINDS.find(([pattern]) => pattern.test(gate))?.[1] ?? 'other';

const NAMES: Record<GateKind, string> = {
  off: 'Switched off',
  channels: 'No channel',
  attention: 'In a conversation',
  posts: 'Posts of the day',
  budget: 'Budget',
  gap: 'Time between thoughts',
  held: 'Looked at just now',
  chance: 'Chance',
  busy: 'Busy thinking',
  other: 'Another gate',
};

/** A gate by its name in the journal, in a few words. */
export function gateName(gate: string): string {
  const kind = gateKind(gate);
  if (kind === 'other') return capital(words(gate));
  if (kind !== 'budget') return NAMES[kind];
  const of = /token/.test(gate) ? 'tokens' : /dollar|cost/.test(gate) ? 'dollars' : /call/.test(gate) ? 'calls' : '';
  return of ? `Budget: ${of}` : NAMES.budget;
}

export const kindName = (kind: GateKind): string => NAMES[kind];

const SETTINGS: Record<GateKind, string[]> = {
  off: ['initiative.text.enabled'],
  channels: ['permissions.replies.discoveryChannelIds'],
  attention: ['attention.activeSeconds'],
  posts: ['initiative.text.maxPostsPerDay'],
  budget: ['initiative.budget.maxCallsPerDay', 'initiative.budget.maxTokensPerDay', 'initiative.budget.maxDollarsPerDay'],
  gap: ['initiative.text.minMinutesBetweenPosts'],
  held: [],
  chance: ['initiative.text.eagerness'],
  busy: [],
  other: [],
};

/** Settings that would open the gate: those its words name, else those it is known to go by. */
export function gateSettings(gate: string, said: string): { key: string; title: string }[] {
  const named = [...said.matchAll(KEY)].map((found) => found[0]);
  const kind = gateKind(gate);
  const known = kind === 'budget' && gateName(gate) !== NAMES.budget ? SETTINGS.budget.filter((key) => key.toLowerCase().includes(gateName(gate).split(' ')[1]!)) : SETTINGS[kind];
  return [...new Set(named.length ? named : known)].map((key) => ({ key, title: title(key) }));
}

const KEY = /\b(?:initiative|permissions|attention|media|tools|llm|memory|activity)(?:\.[a-zA-Z]+)+\b/g;

/** Words that follow others as words that stand alone: with a capital and a full stop. A key or a tool's name stays as it is. */
export function sentence(said: string): string {
  const text = said.trim();
  if (text === '') return '';
  const first = text.split(/\s/, 1)[0]!;
  const begun = /[._/:]\w|^http/.test(first) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…”]$/.test(begun) ? begun : `${begun}.`;
}

/** The same without the settings in brackets, for where many of them stand below each other. */
export const withoutKeys = (said: string): string => said.replace(/\s*\(`?(?:initiative|permissions|attention)(?:\.[a-zA-Z]+)+`?\)/g, '');

export type Piece = { text: string } | { key: string };

/** What is said, with the keys of settings apart from the words, so that they can be links. */
export function pieces(said: string): Piece[] {
  const plain = said.replaceAll('`', '');
  const parts: Piece[] = [];
  let at = 0;
  for (const found of plain.matchAll(KEY)) {
    if (found.index > at) parts.push({ text: plain.slice(at, found.index) });
    parts.push({ key: found[0] });
    at = found.index + found[0].length;
  }
  if (at < plain.length) parts.push({ text: plain.slice(at) });
  return parts;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
