// Numbers and times as people read them.

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const shortDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const longDate = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const grouped = new Intl.NumberFormat('en');

export const time = (at: number): string => clock.format(at);
export const timeWithSeconds = (at: number): string => clockSeconds.format(at);
export const fullTime = (at: number): string => full.format(at);
export const count = (value: number): string => grouped.format(value);

/** A time that names its day unless it is today's. */
export function timeAndDay(at: number, now: number): string {
  return sameDay(at, now) ? timeWithSeconds(at) : `${shortDate.format(at)}, ${time(at)}`;
}

/** Today, Yesterday, or the date. */
export function day(at: number, now: number): string {
  if (sameDay(at, now)) return 'Today';
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  return sameDay(at, yesterday.getTime()) ? 'Yesterday' : longDate.format(at);
}

function sameDay(left: number, right: number): boolean {
  return new Date(left).toDateString() === new Date(right).toDateString();
}

/** A length of time: `85 ms`, `1.2 s`, `2 min 5 s`, `3 h 20 min`. */
export function span(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 3_600) return joined(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small ? `${large} ${largeUnit} ${small} ${smallUnit}` : `${large} ${largeUnit}`;
}

/** How long after the beginning: `+0 ms`, `+1.2 s`. */
export function offset(milliseconds: number): string {
  return `${milliseconds < 0 ? '−' : '+'}${span(Math.abs(milliseconds))}`;
}

/** Bytes: `812 B`, `4.2 kB`, `1.3 MB`. */
export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  if (size < 999_500) return `${(size / 1_000).toFixed(size < 9_950 ? 1 : 0)} kB`;
  return `${(size / 1_000_000).toFixed(1)} MB`;
}

/** Millionths of a dollar: `$0.0042`; `—` where the price is not known. */
export function cost(microDollars: number | null | undefined): string {
  if (microDollars === null || microDollars === undefined) return '—';
  if (microDollars === 0) return '$0';
  const dollars = microDollars / 1_000_000;
  return `$${dollars < 0.0001 ? dollars.toFixed(6) : dollars < 1 ? dollars.toFixed(4) : dollars.toFixed(2)}`;
}

/** `text_reply` → `text reply`. */
export const words = (name: string): string => name.replaceAll('_', ' ');

const PURPOSES: Record<string, string> = { context_compaction: 'running summary', ambient_thought: 'thought of its own' };

/** What a model was asked for, in words. */
export const purpose = (name: string): string => PURPOSES[name] ?? words(name);

/** Units that say nothing in a title; “messages” or “tokens” at its end do. */
const MEASURES = ['seconds', 'minutes', 'hours', 'days', 'percent', 'megabytes'];

/** `activity.replySettleSeconds` → `Reply settle`: the unit at the end is left out where it is shown anyway. */
export function title(key: string, unit = ''): string {
  const last = key.split('.').at(-1) ?? key;
  const whole = last.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const spaced = MEASURES.includes(unit) && whole.endsWith(` ${unit.toLowerCase()}`) ? whole.slice(0, -unit.length - 1) : whole;
  return (spaced.charAt(0).toUpperCase() + spaced.slice(1)).replace(/\b[a-z]+\b/gi, (word) => SPELLINGS[word.toLowerCase()] ?? word);
}

/** Words that are not written as a sentence would have them. */
const SPELLINGS: Record<string, string> = { llm: 'LLM', id: 'ID', ids: 'IDs', url: 'URL', rss: 'RSS', nsfw: 'NSFW', gif: 'GIF', gifs: 'GIFs', mcp: 'MCP', youtube: 'YouTube', hacker: 'Hacker', news: 'News' };

/** A colour of its own for each name, the same every time. */
export function hue(name: string): number {
  let mixed = 0x811c9dc5;
  for (const letter of name.toLowerCase()) mixed = Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % 360;
}

/** One or two letters that stand for a name. */
export function initials(name: string): string {
  const parts = name.trim().split(/\s+/);
  const letters = parts.length > 1 ? [parts[0], parts.at(-1)] : [parts[0]];
  return letters.map((part) => [...(part ?? '')][0] ?? '').join('').toUpperCase();
}
