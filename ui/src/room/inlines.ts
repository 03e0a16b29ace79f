// What stands within a line: code, links, addresses, mentions, bold, italics, strike-through.
// Read in one pass from left to right: where something could end is looked up ahead, and each look-up goes on where the one before stopped,
// so that the work grows with the text and with nothing else, whatever the text is.

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mention'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; parts: Inline[] };

/** Counts the characters that were looked at. */
export interface Work {
  steps: number;
}

/** Nesting deeper than this is shown as it was typed. */
const DEPTH_MAX = 4;
const LINK_WORDS_MAX = 200;
const ADDRESS_MAX = 1_000;
const SPACE = /\s/;
const WORD = /[\p{L}\p{N}]/u;
const ENDS_ADDRESS = /[\s<>"'`]/;
const TRAILING = '.,;:!?)]';

/** Names that count as mentions after an `@`. */
export class Names {
  readonly #known = new Set<string>();
  readonly #lengths: number[];

  constructor(names: readonly string[]) {
    for (const name of names) if (name) this.#known.add(name.toLowerCase());
    this.#lengths = [...new Set([...this.#known].map((name) => name.length))].sort((left, right) => right - left);
  }

  /** How long the longest name is that stands at a place; 0 for none. */
  at(text: string, place: number, work: Work): number {
    for (const length of this.#lengths) {
      work.steps += 1;
      if (place + length <= text.length && !continues(text, place + length) && this.#known.has(text.slice(place, place + length).toLowerCase())) return length;
    }
    return 0;
  }
}

/** A letter or digit of whatever script, or an underscore, stands at a place. */
function continues(text: string, place: number): boolean {
  const point = text.codePointAt(place);
  return point !== undefined && (point === 95 || WORD.test(String.fromCodePoint(point)));
}

/** A letter or digit, an underscore or one more character ends before a place. */
function continued(text: string, place: number, also = ''): boolean {
  if (place === 0) return false;
  const unit = text.charCodeAt(place - 1);
  const start = unit >= 0xdc00 && unit <= 0xdfff && place > 1 ? place - 2 : place - 1;
  return continues(text, start) || (also !== '' && text[place - 1] === also);
}

/** The next place at which something holds; asked with growing places, it looks at each of them once. */
class Ahead {
  #found = -1;

  constructor(
    private readonly text: string,
    private readonly work: Work,
    private readonly holds: (text: string, place: number) => boolean,
  ) {}

  /** The end of the text where there is none. */
  from(place: number): number {
    if (this.#found >= place) return this.#found;
    let at = place;
    while (at < this.text.length && !this.holds(this.text, at)) at++;
    this.work.steps += at - place + 1;
    return (this.#found = at);
  }
}

const is = (wanted: string) => (text: string, place: number) => text[place] === wanted;
const pairEnds = (mark: string) => (text: string, place: number) =>
  text[place] === mark && text[place + 1] === mark && place > 0 && !SPACE.test(text[place - 1]!);

interface Found {
  end: number;
  part: Inline;
}

/** Reads one stretch of text. */
class Reader {
  readonly #tick;
  readonly #line;
  readonly #bracket;
  readonly #round;
  readonly #space;
  readonly #star;
  readonly #under;
  readonly #bold;
  readonly #strike;

  constructor(
    private readonly text: string,
    private readonly names: Names,
    private readonly depth: number,
    private readonly work: Work,
  ) {
    const ahead = (holds: (text: string, place: number) => boolean) => new Ahead(text, work, holds);
    this.#tick = ahead(is('`'));
    this.#line = ahead(is('\n'));
    this.#bracket = ahead(is(']'));
    this.#round = ahead(is(')'));
    this.#space = ahead((source, place) => SPACE.test(source[place]!));
    this.#star = ahead(is('*'));
    this.#under = ahead(is('_'));
    this.#bold = ahead(pairEnds('*'));
    this.#strike = ahead(pairEnds('~'));
  }

  parts(): Inline[] {
    const parts: Inline[] = [];
    let shown = 0;
    let at = 0;
    while (at < this.text.length) {
      this.work.steps += 1;
      const found = this.#at(at);
      if (!found) {
        at++;
        continue;
      }
      if (at > shown) parts.push({ kind: 'text', text: this.text.slice(shown, at) });
      parts.push(found.part);
      shown = at = found.end;
    }
    if (shown < this.text.length) parts.push({ kind: 'text', text: this.text.slice(shown) });
    return parts;
  }

  #at(at: number): Found | null {
    switch (this.text[at]) {
      case '`': return this.#code(at);
      case '[': return this.#link(at);
      case 'h': return this.#address(at);
      case '@': return this.#mention(at);
      case '*': return this.#pair(at, '*', 'bold', this.#bold) ?? this.#single(at, '*', this.#star);
      case '~': return this.#pair(at, '~', 'strike', this.#strike);
      case '_': return this.#single(at, '_', this.#under);
      default: return null;
    }
  }

  #code(at: number): Found | null {
    const end = this.#tick.from(at + 1);
    if (end === at + 1 || end >= this.text.length || this.#line.from(at) < end) return null;
    return { end: end + 1, part: { kind: 'code', text: this.text.slice(at + 1, end) } };
  }

  #link(at: number): Found | null {
    const close = this.#bracket.from(at + 1);
    if (close === at + 1 || close - at - 1 > LINK_WORDS_MAX || this.text[close + 1] !== '(' || this.#line.from(at) < close) return null;
    const begins = this.#scheme(close + 2);
    if (!begins) return null;
    const end = this.#round.from(begins);
    if (end === begins || end - begins > ADDRESS_MAX || end >= this.text.length || this.#space.from(begins) < end) return null;
    return { end: end + 1, part: { kind: 'link', text: this.text.slice(at + 1, close), href: this.text.slice(close + 2, end) } };
  }

  /** Where an address goes on behind `http://` or `https://`; 0 when none begins here. */
  #scheme(at: number): number {
    return this.text.startsWith('https://', at) ? at + 8 : this.text.startsWith('http://', at) ? at + 7 : 0;
  }

  #address(at: number): Found | null {
    const begins = this.#scheme(at);
    if (!begins) return null;
    let end = begins;
    while (end < this.text.length && end - begins < ADDRESS_MAX && !ENDS_ADDRESS.test(this.text[end]!)) end++;
    this.work.steps += end - begins;
    if (end === begins) return null;
    // What closes a sentence is no part of the address in it.
    while (TRAILING.includes(this.text[end - 1]!)) end--;
    const href = this.text.slice(at, end);
    return { end, part: { kind: 'link', text: href, href } };
  }

  #mention(at: number): Found | null {
    if (continued(this.text, at, '@')) return null;
    const length = this.names.at(this.text, at + 1, this.work);
    return length ? { end: at + 1 + length, part: { kind: 'mention', text: this.text.slice(at, at + 1 + length) } } : null;
  }

  /** `**bold**`, `~~gone~~`. */
  #pair(at: number, mark: string, kind: 'bold' | 'strike', closes: Ahead): Found | null {
    if (this.depth >= DEPTH_MAX || this.text[at + 1] !== mark || SPACE.test(this.text[at + 2] ?? ' ')) return null;
    const end = closes.from(at + 3);
    if (end >= this.text.length || this.#line.from(at) < end) return null;
    return { end: end + 2, part: { kind, parts: this.#inside(at + 2, end) } };
  }

  /** `*soft*`, `_soft_`: neither across a mark of its own kind, nor within a word. */
  #single(at: number, mark: '*' | '_', closes: Ahead): Found | null {
    if (this.depth >= DEPTH_MAX || (mark === '_' && continued(this.text, at))) return null;
    const end = closes.from(at + 1);
    if (end === at + 1 || end >= this.text.length || this.#line.from(at) < end) return null;
    if (SPACE.test(this.text[at + 1]!) || SPACE.test(this.text[end - 1]!)) return null;
    const after = this.text[end + 1];
    if (after === mark || (after !== '_' && continues(this.text, end + 1))) return null;
    return { end: end + 1, part: { kind: 'italic', parts: this.#inside(at + 1, end) } };
  }

  #inside(from: number, to: number): Inline[] {
    return new Reader(this.text.slice(from, to), this.names, this.depth + 1, this.work).parts();
  }
}

export function inlines(source: string, names: Names, work: Work): Inline[] {
  return new Reader(source, names, 0, work).parts();
}
