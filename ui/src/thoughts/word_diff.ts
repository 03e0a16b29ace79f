// What changed between two versions of a thought, word by word. Pure.
import { diffLines } from '../inspector/diff';

export interface DiffPiece {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Words and the spaces between them are compared; neighbours of one kind become one piece, and what went stands before what came. */
export function diffWords(before: string, after: string): DiffPiece[] {
  const merged: DiffPiece[] = [];
  // A newline can be a part of a piece only once it is no separator any more.
  for (const { kind, text } of diffLines(lined(before), lined(after))) {
    const piece = text.replaceAll('\u2028', '\n');
    const last = merged.at(-1);
    if (last?.kind === kind) last.text += piece;
    else merged.push({ kind, text: piece });
  }
  return bridged(merged);
}

const lined = (text: string): string => (text.replaceAll('\n', '\u2028').match(/[^\s\u2028]+|[ \t]+|\u2028/g) ?? []).join('\n');

/** A lone space between two changes makes them two where a reader sees one. */
function bridged(pieces: DiffPiece[]): DiffPiece[] {
  const out: DiffPiece[] = [];
  let removed = '';
  let added = '';
  const flush = () => {
    if (removed) out.push({ kind: 'removed', text: removed });
    if (added) out.push({ kind: 'added', text: added });
    removed = added = '';
  };
  pieces.forEach((piece, index) => {
    const inside = piece.kind === 'same' && /^\s+$/.test(piece.text) && (removed || added) && index < pieces.length - 1;
    if (piece.kind === 'removed') removed += piece.text;
    else if (piece.kind === 'added') added += piece.text;
    else if (inside) {
      removed += piece.text;
      added += piece.text;
    } else {
      flush();
      out.push(piece);
    }
  });
  flush();
  return out;
}

/** Whether anything but the place of words changed. */
export const changed = (pieces: DiffPiece[]): boolean => pieces.some(({ kind }) => kind !== 'same');
