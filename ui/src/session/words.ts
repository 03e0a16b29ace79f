// The lines about folding in plain words, and what is wrong, if something is.
import type { JournalEntry } from '../api/contract';
import { count, span, words } from '../shell/format';
import { shortModel } from '../shell/model_name';

export const FOLDING_LINES = 'voice_context_';

export type Tone = '' | 'lit' | 'quiet' | 'warn' | 'bad';

export const isFolding = (entry: JournalEntry): boolean => entry.name.startsWith(FOLDING_LINES);

const SKIPS: Record<string, string> = {
  below_threshold: 'nothing was folded: too few turns since the last fold',
  already_in_flight: 'no second fold was begun: one is under way',
  no_eligible_batch: 'nothing was folded: no whole batch is left outside the protected window',
  session_ending: 'no fold was begun: the session is ending',
  model_unavailable: 'nothing was folded: no model can be had, and the settings allow no other summariser',
};

const KINDS: Record<string, string> = {
  unreachable: 'the model could not be reached',
  timed_out: 'the model took too long',
  malformed: 'the answer was no summary',
  unavailable: 'this model writes no summaries',
  interrupted: 'Denizen was restarted meanwhile',
  rate_limited: 'the provider asks to wait',
  quota_spent: 'the account at the provider has nothing left',
  out_of_room: 'the model wrote all that it may without a word',
};

/** One line as a sentence; an event that is not known here by its name. */
export function sentence({ name, data }: JournalEntry): string {
  const number = (key: string) => Number(data[key] ?? 0);
  const text = (key: string) => String(data[key] ?? '');
  switch (name.slice(FOLDING_LINES.length)) {
    case 'compaction_skipped': {
      const again = number('repeated') ? `, ${times(number('repeated'))} more` : '';
      return `Considered; ${SKIPS[text('reason')] ?? words(text('reason'))}${again}.`;
    }
    case 'compaction_started': {
      const notes = number('pending_note_count') ? `; ${plural(number('pending_note_count'), 'note')} waiting` : '';
      return number('batch_size') ? `Folding ${plural(number('batch_size'), 'turn')} from turn ${number('cursor')} on${notes}.` : `Folding notes alone${notes}.`;
    }
    case 'compaction_completed': {
      const folded = number('cursor') - number('old_cursor');
      const what = folded > 0 ? `${turnRange(number('old_cursor'), number('cursor'))} ${folded === 1 ? 'is' : 'are'} in the summary now` : 'The summary is a new one';
      const notes = number('folded_note_count') ? `, with ${plural(number('folded_note_count'), 'note')}` : '';
      return `${what}${notes}: ${count(number('summary_chars'))} characters, ${summariser(text('summariser')).by}, in ${span(number('latency_ms'))}.`;
    }
    case 'compaction_failed': {
      const detail = text('detail').replace(/\.$/, '');
      const kind = KINDS[text('error')] ?? words(text('error'));
      // What cannot write summaries says so itself, and what is done instead.
      if (text('error') === 'unavailable' && data['falls_back']) return `No model wrote it: ${detail || kind}.`;
      const then = data['falls_back']
        ? 'The summary was written without a model instead.'
        : data['retryable'] ? 'Nothing is lost: it is tried again when Denizen is next asked.' : 'Nothing is lost, and nothing more is folded until a model can be had.';
      return `No summary came: ${kind}${detail ? ` (${detail})` : ''}. ${then}`;
    }
    case 'summary_suspected':
      return `The summary named ${plural(number('inventions'), 'thing')} nobody had mentioned; ${data['sent_back'] ? 'it was sent back once' : 'those sentences were taken out'}.`;
    case 'summary_recompacted':
      return `The summary came out too long (${count(number('summary_chars'))} characters) and is condensed once more.`;
    case 'summary_trimmed':
      return `The summary was still too long and was cut at the end of a sentence: ${count(number('old_chars'))} → ${count(number('summary_chars'))} characters.`;
    case 'turns_dropped':
      return `${plural(number('dropped_turn_count'), 'turn')} left the context unsummarised, because too many waited to be folded.`;
    case 'notes_dropped':
      return `${plural(number('dropped_note_count'), 'note')} left the context unsummarised, because too many waited.`;
    case 'session_ended':
      return `The session ended at turn ${number('turns')}; ${number('offered_chars') ? `its summary (${count(number('offered_chars'))} characters) was offered to memory` : 'there was no summary to keep'}.`;
    default:
      return `${words(name)}.`;
  }
}

export function tone({ name, data }: JournalEntry): Tone {
  if (name.endsWith('_failed')) return data['falls_back'] ? 'warn' : 'bad';
  if (name.endsWith('_dropped')) return 'bad';
  if (name.endsWith('_skipped')) return data['reason'] === 'model_unavailable' ? 'bad' : 'quiet';
  if (name.endsWith('_completed')) return 'lit';
  return /suspected|trimmed|recompacted/.test(name) ? 'warn' : '';
}

/** What is wrong now, if anything: lines newest first; what was mended since is not. */
export function trouble(lines: JournalEntry[]): JournalEntry | null {
  for (const line of lines) {
    if (tone(line) === 'bad') return line;
    if (/_(completed|session_ended)$/.test(line.name)) return null;
  }
  return null;
}

/** Who wrote a summary: `name` short, `full` as it is, `by` for the end of a sentence. */
export function summariser(written: string): { name: string; full: string; by: string } {
  if (written === '' || written === 'offline') return { name: 'offline, without a model', full: written, by: 'written offline, without a model' };
  const [provider = '', ...rest] = written.split(' ');
  const model = rest.join(' ');
  const name = model ? `${shortModel(model)} (${provider})` : provider;
  return { name, full: written, by: `by ${name}` };
}

/** `Turns 10–19`, `Turn 10`: from `from` up to, not including, `until`. */
export function turnRange(from: number, until: number): string {
  return until - from === 1 ? `Turn ${from}` : `Turns ${from}–${until - 1}`;
}

export const plural = (number: number, thing: string): string => `${count(number)} ${thing}${number === 1 ? '' : 's'}`;

const times = (number: number): string => (number === 1 ? 'once' : `${count(number)} times`);
