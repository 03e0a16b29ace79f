// Settings of an older version, as somebody pastes them: pure.
import type { MigrationNote, MigrationView } from '../api/contract';

export type Pasted = { document: Record<string, unknown> } | { problem: string };

/** Reads what was pasted; the server has the last word on what it means. */
export function readPasted(text: string): Pasted {
  if (text.trim() === '') return { problem: 'Paste the document first: the JSON that the older version kept its settings in.' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { problem: `This is not JSON: ${cause instanceof Error ? cause.message : String(cause)}. Correct it at that place.` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: 'This is JSON, but no object: a settings document starts with { and ends with }.' };
  return { document: value as Record<string, unknown> };
}

/** Where an old key's value went, in a few words. */
export function destination(note: MigrationNote): string {
  return note.newKeys.length ? note.newKeys.join(', ') : 'dropped';
}

/** What an import would do or has done, in one sentence. */
export function outcome(migration: MigrationView): string {
  const { changes, notes, problems, saved } = migration;
  if (problems.length) return problems.length === 1 ? 'One key cannot be used here.' : `${problems.length} keys cannot be used here.`;
  const values = changes.length === 1 ? 'one value' : `${changes.length} values`;
  if (saved) return changes.length ? `Imported: ${values} changed. In force now.` : 'Imported. Every value was as it is already.';
  if (changes.length) return `This would change ${values}.`;
  return notes.length ? 'Nothing would change: what is left of it is as it is already.' : 'Nothing would change.';
}
