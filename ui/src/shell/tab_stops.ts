// Of a long list only one item is a stop for the Tab key, with what is in it; the arrow keys go from item to item.
import { getContext, setContext } from 'svelte';

const KEY = Symbol('tab stop');

/** What is inside is reached by Tab only while `active` says so. */
export function tabStopsWhile(active: () => boolean): void {
  setContext(KEY, () => (active() ? undefined : -1));
}

/** The `tabindex` of a control: none of its own, unless it is inside an item that is passed over. */
export function tabStop(): () => number | undefined {
  return getContext<(() => number | undefined) | undefined>(KEY) ?? (() => undefined);
}
