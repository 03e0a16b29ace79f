// Adds to or takes from a setting that is a list, on top of whatever somebody else saves meanwhile.
import { ApiError, api } from '../api/client';
import { form } from './settings.svelte';

const TRIES_MAX = 4;

/** Saves `change` of the newest list; false where it is so already. Others' changes in between are kept: the list is read again and changed again. */
export async function changeList(key: string, change: (items: string[]) => string[]): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const document = await api.settings();
    const knob = document.knobs.find((candidate) => candidate.key === key);
    if (!knob || !Array.isArray(knob.value)) throw new Error(`There is no list “${key}” among the settings of this Denizen.`);
    const wanted = change(knob.value);
    if (wanted.length === knob.value.length && wanted.every((item, index) => item === (knob.value as string[])[index])) return false;
    // What is heard of one's own change is no news to the form.
    form.saving = true;
    try {
      await api.saveSettings(document.version, { [key]: wanted });
      if (form.document) await form.load();
      return true;
    } catch (refused) {
      if (!(refused instanceof ApiError && refused.status === 409 && tries < TRIES_MAX)) throw explained(refused);
    } finally {
      form.saving = false;
    }
  }
}

export const addToList = (key: string, item: string): Promise<boolean> => changeList(key, (items) => (items.some((one) => one.toLowerCase() === item.toLowerCase()) ? items : [...items, item]));
export const takeFromList = (key: string, item: string): Promise<boolean> => changeList(key, (items) => items.filter((one) => one.toLowerCase() !== item.toLowerCase()));

/** A refused value says what is wrong with it and what to do. */
function explained(refused: unknown): unknown {
  const detail = refused instanceof ApiError ? (refused.details[0] as { problem?: string; remedy?: string } | undefined) : undefined;
  return detail?.problem ? new Error(`${detail.problem}. ${detail.remedy ?? ''}`.trim()) : refused;
}
