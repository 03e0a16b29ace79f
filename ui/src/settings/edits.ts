// Unsaved edits on top of a settings document that may change underneath them: pure.
import type { KnobValue, KnobView, Layer, SettingsView } from '../api/contract';

import { fits } from './meaning';
import { sectionTitle } from './sections';
import { knobTitle } from './titles';

export interface Edit {
  /** What the person wants; null takes it back to the base's value, or to the default. */
  value: KnobValue | null;
  /** What the knob was when the person began to edit it. */
  base: KnobValue;
  /** Somebody else saved another value since, and the person has not said which one should stand. */
  contested: boolean;
}

export type Edits = Record<string, Edit>;

/** Where a knob would stand if the edits were saved. */
export function wanted(knob: KnobView, edits: Edits): KnobValue {
  const edit = edits[knob.key];
  return edit ? (edit.value ?? knob.inherited) : knob.value;
}

/** The edits after the person changed one knob. Going back to what is saved is no edit. */
export function withEdit(edits: Edits, knob: KnobView, value: KnobValue | null): Edits {
  if (cameTrue({ value, base: knob.value, contested: false }, knob)) return without(edits, knob.key);
  const before = edits[knob.key];
  // Touching a contested knob means that its new value was seen: it is shown right next to it.
  return { ...edits, [knob.key]: { value, base: before && !before.contested ? before.base : knob.value, contested: false } };
}

export function without(edits: Edits, key: string): Edits {
  const { [key]: _, ...others } = edits;
  return others;
}

/** The edits on top of a newer document: those that came true are gone, those that somebody else contradicts are marked. */
export function rebased(edits: Edits, document: SettingsView): Edits {
  const next: Edits = {};
  for (const [key, edit] of Object.entries(edits)) {
    const knob = document.knobs.find((candidate) => candidate.key === key);
    if (!knob || cameTrue(edit, knob)) continue;
    next[key] = { ...edit, contested: edit.contested || !equal(edit.base, knob.value) };
  }
  return next;
}

function cameTrue(edit: Edit, knob: KnobView): boolean {
  return edit.value === null ? !knob.setHere : equal(edit.value, knob.value);
}

/** The person looked at every contested edit and wants it all the same. */
export function accepted(edits: Edits, document: SettingsView): Edits {
  return Object.fromEntries(
    Object.entries(edits).map(([key, edit]) => {
      const knob = document.knobs.find((candidate) => candidate.key === key);
      return [key, { ...edit, base: knob?.value ?? edit.base, contested: false }];
    }),
  );
}

/** What is sent to the server. */
export function changes(edits: Edits): Record<string, KnobValue | null> {
  return Object.fromEntries(Object.entries(edits).map(([key, edit]) => [key, edit.value]));
}

export function equal(left: KnobValue, right: KnobValue): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => item === right[index]);
  }
  return left === right;
}

/** A value in a few words, for comparing. */
export function shown(value: KnobValue | null): string {
  if (value === null) return 'the default';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length ? value.join(', ') : 'an empty list';
  return value === '' ? 'empty' : String(value);
}

/** A few words on where a value comes from; none for a default. `layer` is where changes of this page go. */
export function origin(knob: KnobView, layer: Layer): { mark: string; about: string } | null {
  if (knob.source === 'default') return null;
  if (knob.source === layer) return { mark: 'set here', about: `Saved here; without it, it is ${shown(knob.inherited)}` };
  return knob.source === 'base'
    ? { mark: 'from the base', about: 'Set for every community that has no value of its own' }
    : { mark: 'set for this community alone', about: 'A change for all communities does not reach it' };
}

export interface Group {
  section: string;
  doc: string;
  knobs: KnobView[];
}

/** The knobs that fit the search, by section, in the document's order; where some fit by their own words, those alone. */
export function groups(document: SettingsView, search: string): Group[] {
  const about = (knob: KnobView) => [knobTitle(knob.key), knob.key, knob.doc, sectionTitle(knob.section), knob.sectionDoc, ...knob.former].join(' ');
  const how = new Map(document.knobs.map((knob) => [knob.key, fits(about(knob), search)]));
  const own = [...how.values()].includes(2);
  const found: Group[] = [];
  for (const knob of document.knobs) {
    const fit = how.get(knob.key);
    if (own ? fit !== 2 : fit === 0) continue;
    const group = found.find((candidate) => candidate.section === knob.section);
    if (group) group.knobs.push(knob);
    else found.push({ section: knob.section, doc: knob.sectionDoc, knobs: [knob] });
  }
  return found;
}
