// Spans that count down, and the times they lead to. Pure.

/** `now`, `42 s`, `1 min 05 s`, `3 h 20 min`, `2 d 4 h`. Never shorter than it is: a second that has begun still counts. */
export function countdown(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds <= 0) return 'now';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min${seconds % 60 ? ` ${String(seconds % 60).padStart(2, '0')} s` : ''}`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 1_440) return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.ceil(minutes / 60);
  return joined(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

/** How long ago, roughly: `just now`, `38 min ago`, `3 h ago`, `2 d ago`. */
export function ago(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h ago` : `${Math.floor(seconds / 86_400)} d ago`;
}

/** What is left of a span that was read a while ago; none stays none. */
export const left = (span: number | null, passed: number): number | null => (span === null ? null : Math.max(0, span - passed));

/** How far along something is between two times, 0 to 1. */
export function progress(from: number, until: number, now: number): number {
  return until > from ? Math.min(1, Math.max(0, (now - from) / (until - from))) : 1;
}

/** How far the server's clock is from this one's, from an answer's date of whole seconds; small differences are none. */
export function clockOffset(clock: number | null, now: number): number {
  if (clock === null) return 0;
  const offset = clock + 500 - now;
  return Math.abs(offset) < 2_000 ? 0 : offset;
}

const joined = (large: number, largeUnit: string, small: number, smallUnit: string): string => (small ? `${large} ${largeUnit} ${small} ${smallUnit}` : `${large} ${largeUnit}`);
