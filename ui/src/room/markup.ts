// A light markup for messages: code, bold, italics, strike-through, links, mentions. The result is a tree that the page
// renders as elements with text in them, so nothing a person writes can ever become HTML.

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mention'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; parts: Inline[] };

export type Block =
  | { kind: 'paragraph'; parts: Inline[] }
  | { kind: 'quote'; parts: Inline[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Inline[][] }
  | { kind: 'fence'; language: string; text: string };

const FENCE = /^```([\w+#.-]{0,20})\s*$/;
const BULLET = /^\s{0,3}[-*•]\s+(.*)$/;
const NUMBERED = /^\s{0,3}(\d{1,6})[.)]\s+(.*)$/;
const QUOTE = /^>\s?(.*)$/;
/** Nesting deeper than this is shown as it was typed. */
const DEPTH_MAX = 4;

/** Reads a message. `names` are those that count as mentions after an `@`. */
export function markup(text: string, names: string[] = []): Block[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const mention = mentionPattern(names);
  const inline = (source: string) => inlines(source, mention, 0);
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
    } else if (line.trim() === '') {
      index++;
    } else {
      const body = take((next) => next.trim() !== '' && ![FENCE, QUOTE, BULLET, NUMBERED].some((kind) => kind.test(next)));
      blocks.push({ kind: 'paragraph', parts: inline(body.join('\n')) });
    }
  }
  return blocks;
}

const LINK = /\[([^\]\n]{1,200})\]\((https?:\/\/[^\s)]{1,1000})\)/;
const ADDRESS = /https?:\/\/[^\s<>"'`]{1,1000}/;
const CODE = /`([^`\n]+)`/;
const BOLD = /\*\*(\S(?:[^\n]*?\S)?)\*\*/;
const STRIKE = /~~(\S(?:[^\n]*?\S)?)~~/;
const STAR = /\*(?![\s*])([^*\n]*?[^\s*])\*(?![\p{L}\p{N}*])/u;
const UNDERSCORE = /(?<![\p{L}\p{N}_])_(?![\s_])([^_\n]*?[^\s_])_(?![\p{L}\p{N}_])/u;

function inlines(source: string, mention: RegExp | null, depth: number): Inline[] {
  const parts: Inline[] = [];
  let rest = source;
  while (rest) {
    const found = earliest(rest, mention, depth);
    if (!found) break;
    if (found.at > 0) parts.push({ kind: 'text', text: rest.slice(0, found.at) });
    parts.push(found.part);
    rest = rest.slice(found.at + found.length);
  }
  if (rest) parts.push({ kind: 'text', text: rest });
  return parts;
}

function earliest(rest: string, mention: RegExp | null, depth: number): { at: number; length: number; part: Inline } | null {
  let best: { at: number; length: number; part: Inline } | null = null;
  const consider = (pattern: RegExp | null, build: (match: RegExpExecArray) => { length: number; part: Inline }) => {
    const match = pattern?.exec(rest);
    if (match && (best === null || match.index < best.at)) best = { at: match.index, ...build(match) };
  };
  const whole = (part: Inline) => (match: RegExpExecArray) => ({ length: match[0].length, part });
  consider(CODE, (match) => whole({ kind: 'code', text: match[1]! })(match));
  consider(LINK, (match) => whole({ kind: 'link', text: match[1]!, href: match[2]! })(match));
  consider(ADDRESS, (match) => {
    const href = match[0].replace(/[.,;:!?)\]]+$/, '');
    return { length: href.length, part: { kind: 'link', text: href, href } };
  });
  consider(mention, (match) => whole({ kind: 'mention', text: match[0] })(match));
  if (depth < DEPTH_MAX) {
    const nested = (kind: 'bold' | 'italic' | 'strike') => (match: RegExpExecArray) =>
      whole({ kind, parts: inlines(match[1]!, mention, depth + 1) })(match);
    consider(BOLD, nested('bold'));
    consider(STRIKE, nested('strike'));
    consider(STAR, nested('italic'));
    consider(UNDERSCORE, nested('italic'));
  }
  return best;
}

function mentionPattern(names: string[]): RegExp | null {
  const escaped = names
    .filter(Boolean)
    .sort((left, right) => right.length - left.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return escaped.length ? new RegExp(`(?<![\\p{L}\\p{N}_@])@(?:${escaped.join('|')})(?![\\p{L}\\p{N}_])`, 'iu') : null;
}
