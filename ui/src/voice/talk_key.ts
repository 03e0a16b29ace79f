// The key that is held to talk: when it counts, and what it is called.

/** What of a key event matters here. */
export interface KeyPress {
  code: string;
  repeat: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  target: EventTarget | null;
}

/** Keys that move about or act on the page; none of them can be the one that is held. */
const TAKEN = new Set(['Tab', 'Enter', 'NumpadEnter', 'Escape', 'Space', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown', 'F5', 'MetaLeft', 'MetaRight', 'Unidentified', '']);

/** Whether this press is the one that talks: not while something is typed, not as part of another combination. */
export function talks(press: KeyPress, key: string): boolean {
  const combined = press.ctrlKey || press.metaKey || press.altKey;
  return press.code === key && (!combined || isModifier(key)) && !writesIn(press.target);
}

/** Whether a key can be chosen. */
export const canBeChosen = (code: string): boolean => !TAKEN.has(code);

const isModifier = (code: string): boolean => /^(Control|Alt|Shift)(Left|Right)$/.test(code);

/** Whether keys become text or a choice there. */
export function writesIn(target: EventTarget | null): boolean {
  const element = target as { tagName?: string; type?: string; isContentEditable?: boolean } | null;
  if (!element?.tagName) return false;
  if (element.isContentEditable || element.tagName === 'TEXTAREA' || element.tagName === 'SELECT') return true;
  return element.tagName === 'INPUT' && !['button', 'checkbox', 'radio', 'range', 'submit', 'reset'].includes(element.type ?? 'text');
}

/** `KeyV` → `V`, `ControlRight` → `right Ctrl`. */
export function keyName(code: string): string {
  const side = /^(Control|Alt|Shift)(Left|Right)$/.exec(code);
  if (side) return `${side[2]!.toLowerCase()} ${side[1] === 'Control' ? 'Ctrl' : side[1]}`;
  const plain = /^(?:Key|Digit)(.)$/.exec(code);
  if (plain) return plain[1]!;
  return ({ Backquote: '`', Minus: '-', Equal: '=', Backslash: '\\', Comma: ',', Period: '.', Slash: '/', Semicolon: ';', Quote: '’', BracketLeft: '[', BracketRight: ']' } as Record<string, string>)[code] ?? code.replace(/([a-z])([A-Z0-9])/g, '$1 $2');
}
