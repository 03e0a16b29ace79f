// The gates a thought has to pass, as the server tells of them; and what is said with the keys of settings in it. Pure.
import type { GateDoc, GateKind } from '../api/contract';
import { title, words } from '../shell/format';

export type Tone = GateKind | 'other';

/** Every gate by its name in the journal. */
export class Gates {
  readonly #docs: Map<string, GateDoc>;

  constructor(docs: readonly GateDoc[]) {
    this.#docs = new Map(docs.map((doc) => [doc.gate, doc]));
  }

  kind = (gate: string | null): Tone => this.#docs.get(gate ?? '')?.kind ?? 'other';

  /** In a few words; a gate that is gone since by its name. */
  name = (gate: string | null): string => this.#docs.get(gate ?? '')?.title ?? capital(words(gate ?? ''));

  /** What gates of a kind are called together. */
  kindName(kind: Tone): string {
    const titles = [...this.#docs.values()].filter((doc) => doc.kind === kind).map((doc) => doc.title);
    return titles.length > 1 ? titles[0]!.split(':')[0]! : (titles[0] ?? 'Another gate');
  }

  /** Settings that would open the gate: those its words name, else those it goes by. */
  settings(gate: string, said: string): { key: string; title: string }[] {
    const named = [...said.matchAll(KEY)].map((found) => found[0]);
    return [...new Set(named.length ? named : (this.#docs.get(gate)?.settings ?? []))].map((key) => ({ key, title: title(key) }));
  }
}

const KEY = /\b(?:initiative|permissions|attention|media|tools|llm|memory|activity|voice)(?:\.[a-zA-Z]+)+\b/g;

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
