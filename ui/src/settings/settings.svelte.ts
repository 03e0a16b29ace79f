// The settings form's state: the newest document, the person's unsaved edits on top, and what the server said about them.
// It outlives the page, so that looking something up in the journal does not cost an edit.
import { ApiError, api, problemText } from '../api/client';
import type { KnobValue, KnobView, SettingError, SettingsView } from '../api/contract';
import { live } from '../api/live.svelte';
import { accepted, changes, equal, rebased, withEdit, without, type Edits } from './edits';

export interface Conflict {
  /** The version that was being edited. */
  from: number;
  /** The newest, which the edits now stand on. */
  to: number;
  /** Knobs somebody else changed in between. */
  elsewhere: string[];
}

class SettingsForm {
  document = $state.raw<SettingsView | null>(null);
  edits = $state.raw<Edits>({});
  problems = $state.raw<Record<string, SettingError>>({});
  problem = $state('');
  saving = $state(false);
  /** The first knob the server refused, to be brought into view. */
  wrongKey = $state('');
  saved = $state('');
  news = $state('');
  conflict = $state.raw<Conflict | null>(null);
  /** The newest version anybody has told of. */
  #announced = 0;

  constructor() {
    live.listen((event) => {
      if (event.type !== 'settings') return;
      this.#announced = event.version;
      if (!this.saving) this.#catchUpIfBehind();
    });
    live.onReset(() => void (this.document && this.#catchUp()));
  }

  get count(): number {
    return Object.keys(this.edits).length;
  }

  get contested(): string[] {
    return Object.keys(this.edits).filter((key) => this.edits[key]!.contested);
  }

  load = async (): Promise<void> => {
    try {
      this.#stand(await api.settings());
      this.problem = '';
    } catch (refused) {
      this.problem = problemText(refused);
    }
  };

  change = (knob: KnobView, value: KnobValue | null): void => {
    this.edits = withEdit(this.edits, knob, value);
    this.#forgive(knob.key);
    this.saved = '';
  };

  undo = (key: string): void => {
    this.edits = without(this.edits, key);
    this.#forgive(key);
  };

  discard = (): void => {
    this.edits = {};
    this.problems = {};
    this.problem = '';
  };

  save = async (): Promise<void> => {
    const document = this.document;
    if (!document || this.saving || this.count === 0) return;
    if (this.contested.length) {
      this.conflict = { from: document.version, to: document.version, elsewhere: this.contested };
      return;
    }
    this.saving = true;
    this.problem = this.saved = this.news = this.wrongKey = '';
    try {
      const count = this.count;
      const fresh = await api.saveSettings(document.version, changes(this.edits));
      this.edits = {};
      this.problems = {};
      this.#stand(fresh);
      this.saved = `Saved ${count === 1 ? 'one change' : `${count} changes`}. In force now.`;
    } catch (refused) {
      await this.#refused(refused, document);
    }
    this.saving = false;
    // Somebody else may have saved while this was on its way.
    this.#catchUpIfBehind();
  };

  /** The person has looked at the conflict: `theirs` are given up, the rest stays as unsaved edits. */
  settle = (theirs: string[]): void => {
    if (!this.document) return;
    for (const key of theirs) this.undo(key);
    this.edits = accepted(this.edits, this.document);
    this.conflict = null;
  };

  async #refused(refused: unknown, before: SettingsView): Promise<void> {
    if (refused instanceof ApiError && refused.status === 409) {
      await this.load();
      const now = this.document;
      if (now && now !== before) this.conflict = { from: before.version, to: now.version, elsewhere: differing(before, now) };
    } else if (refused instanceof ApiError && refused.status === 422) {
      const details = refused.details as SettingError[];
      this.problems = Object.fromEntries(details.map((detail) => [detail.key, detail]));
      // The refused field may be far away from the button that was pressed.
      this.wrongKey = details[0]?.key ?? '';
      this.problem = details.length ? `Nothing was saved: ${details.length === 1 ? 'one value' : `${details.length} values`} cannot be used.` : refused.message;
    } else {
      this.problem = `Nothing was saved. ${problemText(refused)}`;
    }
  }

  #catchUpIfBehind(): void {
    if (this.document && this.#announced > this.document.version) void this.#catchUp();
  }

  /** Somebody else saved: show it at once, under the edits. */
  async #catchUp(): Promise<void> {
    const before = this.document;
    await this.load();
    if (!before || !this.document) return;
    const keys = differing(before, this.document);
    if (keys.length) this.news = `Changed elsewhere just now: ${keys.join(', ')}.`;
  }

  #stand(document: SettingsView): void {
    this.document = document;
    this.edits = rebased(this.edits, document);
  }

  #forgive(key: string): void {
    const { [key]: _, ...others } = this.problems;
    this.problems = others;
    if (Object.keys(others).length === 0) this.problem = '';
  }
}

function differing(before: SettingsView, after: SettingsView): string[] {
  const old = new Map(before.knobs.map((knob) => [knob.key, knob.value]));
  return after.knobs.filter((knob) => old.has(knob.key) && !equal(old.get(knob.key)!, knob.value)).map((knob) => knob.key);
}

export const form = new SettingsForm();
