// What was typed or pasted into a list, item by item. Pure.

/** Commas separate, but not within an address, which may have some of its own. */
export function listItems(text: string): string[] {
  return text.split(/,(?=\s)|,(?=[a-z][a-z+.-]*:\/\/)|(?<!:\/\/[^\s,]*),/i).map((item) => item.trim()).filter(Boolean);
}

/** Whether a comma ends the item that is being typed. */
export const commaEnds = (text: string): boolean => !/:\/\//.test(text);
