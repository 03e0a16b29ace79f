// Finds the matched words in a text. What was matched may be folded or cut to its stem, so beginnings count too.

export interface Piece {
  text: string;
  matched: boolean;
}

/** The whole text in pieces, each matched or not. */
export function pieces(text: string, matched: string[] = []): Piece[] {
  const wanted = matched.map(folded).filter(Boolean);
  const result: Piece[] = [];
  for (const part of text.split(/([\p{L}\p{M}\p{N}_]+)/u)) {
    if (part === '') continue;
    const hit = wanted.some((word) => alike(folded(part), word));
    const last = result.at(-1);
    if (last && last.matched === hit) last.text += part;
    else result.push({ text: part, matched: hit });
  }
  return result;
}

const STEM_CHARS = 4;

function alike(word: string, wanted: string): boolean {
  if (word === wanted) return true;
  return Math.min(word.length, wanted.length) >= STEM_CHARS && (word.startsWith(wanted) || wanted.startsWith(word));
}

const folded = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
