// Completing `@na` to a name while it is being typed.
export interface Completion {
  /** Where the `@` stands. */
  at: number;
  names: string[];
}

const SHOWN_MAX = 6;

export function completion(text: string, caret: number, names: string[]): Completion | null {
  const begun = /(?:^|[\s(])@([\p{L}\p{N}_-]{0,40})$/u.exec(text.slice(0, caret));
  if (!begun) return null;
  const part = begun[1]!.toLowerCase();
  const fitting = names.filter((name) => name.toLowerCase().startsWith(part)).slice(0, SHOWN_MAX);
  const finished = fitting.length === 1 && fitting[0]!.toLowerCase() === part;
  return fitting.length && !finished ? { at: caret - part.length - 1, names: fitting } : null;
}

export function completed(text: string, caret: number, at: number, name: string): { text: string; caret: number } {
  const inserted = `@${name} `;
  return { text: text.slice(0, at) + inserted + text.slice(caret).replace(/^ /, ''), caret: at + inserted.length };
}
