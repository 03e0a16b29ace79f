// A light markup for messages: code, bold, italics, strike-through, links, mentions, lists, tables. The result is a tree that the page
// renders as elements with text in them, so nothing a person writes can ever become HTML.
import { inlines, Names, type Inline, type Work } from './inlines';

export type { Inline } from './inlines';

export type Block =
  | { kind: 'paragraph'; parts: Inline[] }
  | { kind: 'quote'; parts: Inline[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Inline[][] }
  | { kind: 'table'; head: Cell[]; rows: Cell[][] }
  | { kind: 'fence'; language: string; text: string };

/** A cell of a table. */
export interface Cell {
  align: 'start' | 'center' | 'end';
  parts: Inline[];
}

const FENCE = /^```([\w+#.-]{0,20})\s*$/;
const BULLET = /^\s{0,3}[-*•]\s+(.*)$/s;
const NUMBERED = /^\s{0,3}(\d{1,6})[.)]\s+(.*)$/s;
const QUOTE = /^>\s?(.*)$/s;
/** With more columns than this it is no table that anybody could read. */
const COLUMNS_MAX = 24;

const nobody = new Names([]);

/** Reads a message. `names` are those that count as mentions after an `@`; `work` counts what it took. */
export function markup(text: string, names: Names = nobody, work: Work = { steps: 0 }): Block[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const inline = (source: string) => inlines(source, names, work);
  const blocks: Block[] = [];
  let index = 0;
  const take = (accepts: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    while (index < lines.length && accepts(lines[index]!)) taken.push(lines[index++]!);
    return taken;
  };
  while (index < lines.length) {
    const line = lines[index]!;
    const fence = FENCE.exec(line);
    if (fence) {
      index++;
      const body = take((next) => next.trimEnd() !== '```');
      index++;
      blocks.push({ kind: 'fence', language: fence[1] ?? '', text: body.join('\n') });
    } else if (QUOTE.test(line)) {
      const body = take((next) => QUOTE.test(next)).map((next) => QUOTE.exec(next)![1]!);
      blocks.push({ kind: 'quote', parts: inline(body.join('\n')) });
    } else if (BULLET.test(line)) {
      const items = take((next) => BULLET.test(next)).map((next) => inline(BULLET.exec(next)![1]!));
      blocks.push({ kind: 'list', ordered: false, start: 1, items });
    } else if (NUMBERED.test(line)) {
      const start = Number(NUMBERED.exec(line)![1]);
      const items = take((next) => NUMBERED.test(next)).map((next) => inline(NUMBERED.exec(next)![2]!));
      blocks.push({ kind: 'list', ordered: true, start, items });
    } else if (tableBegins(lines, index)) {
      const [head = '', ruler = '', ...rows] = take((next) => isRow(next));
      const aligns = cells(ruler).map(alignment);
      const row = (source: string): Cell[] => cells(source).slice(0, aligns.length).map((cell, at) => ({ align: aligns[at]!, parts: inline(cell) }));
      blocks.push({ kind: 'table', head: row(head), rows: rows.map(row) });
    } else if (line.trim() === '') {
      index++;
    } else {
      const first = index;
      const body = take((next) => next.trim() !== '' && ![FENCE, QUOTE, BULLET, NUMBERED].some((kind) => kind.test(next)) && (index === first || !tableBegins(lines, index)));
      blocks.push({ kind: 'paragraph', parts: inline(body.join('\n')) });
    }
  }
  return blocks;
}

/** The words alone, in one line. */
export function plainText(text: string): string {
  const words = (parts: Inline[]): string => parts.map((part) => ('parts' in part ? words(part.parts) : part.text)).join('');
  const lines = markup(text).map((block) => {
    switch (block.kind) {
      case 'fence': return block.text;
      case 'list': return block.items.map(words).join(' · ');
      case 'table': return [block.head, ...block.rows].map((row) => row.map((cell) => words(cell.parts)).join(' ')).join(' · ');
      default: return words(block.parts);
    }
  });
  return lines.join(' ').replace(/\s+/g, ' ').trim();
}

const isRow = (line: string): boolean => line.includes('|') && line.trim() !== '';

/** A line of column names with a line of dashes under it, as many. */
function tableBegins(lines: readonly string[], index: number): boolean {
  const ruler = lines[index + 1];
  if (!isRow(lines[index]!) || !ruler || !/^[\s|:-]+$/.test(ruler) || !isRow(ruler)) return false;
  const dashes = cells(ruler);
  return dashes.length <= COLUMNS_MAX && dashes.every((cell) => /^:?-+:?$/.test(cell)) && cells(lines[index]!).length === dashes.length;
}

function alignment(dashes: string): Cell['align'] {
  return dashes.endsWith(':') ? (dashes.startsWith(':') ? 'center' : 'end') : 'start';
}

/** The cells of a row: `|` parts them, except within code and behind a backslash. */
function cells(line: string): string[] {
  const source = line.trim().replace(/^\|/, '');
  const found: string[] = [];
  let cell = '';
  let code = false;
  for (let at = 0; at < source.length; at++) {
    const letter = source[at]!;
    if (letter === '\\' && source[at + 1] === '|') cell += source[++at]!;
    else if (letter === '|' && !code) {
      found.push(cell.trim());
      cell = '';
    } else {
      if (letter === '`') code = !code;
      cell += letter;
    }
  }
  if (cell.trim() !== '' || !source.endsWith('|')) found.push(cell.trim());
  return found;
}
