import { describe, expect, it } from 'vitest';
import { canBeChosen, keyName, talks, type KeyPress } from './talk_key';

const press = (more: Partial<KeyPress> = {}): KeyPress => ({ code: 'KeyV', repeat: false, ctrlKey: false, metaKey: false, altKey: false, target: null, ...more });
const at = (tagName: string, more: object = {}) => ({ tagName, ...more }) as unknown as EventTarget;

describe('the key that is held to talk', () => {
  it('talks wherever nothing is typed', () => {
    expect(talks(press(), 'KeyV')).toBe(true);
    expect(talks(press({ target: at('BUTTON') }), 'KeyV')).toBe(true);
    expect(talks(press({ target: at('INPUT', { type: 'range' }) }), 'KeyV')).toBe(true);
  });
  it.each([at('TEXTAREA'), at('INPUT', { type: 'text' }), at('INPUT'), at('SELECT'), at('DIV', { isContentEditable: true })])('is a letter while something is typed (%#)', (target) => expect(talks(press({ target }), 'KeyV')).toBe(false));
  it('is not part of another combination, such as that which pastes', () => {
    expect(talks(press({ ctrlKey: true }), 'KeyV')).toBe(false);
    expect(talks(press({ metaKey: true }), 'KeyV')).toBe(false);
    expect(talks(press({ code: 'ControlRight', ctrlKey: true }), 'ControlRight')).toBe(true);
  });
  it('is none of those that move about the page', () => {
    for (const code of ['Tab', 'Space', 'Enter', 'Escape', 'ArrowUp']) expect(canBeChosen(code)).toBe(false);
    for (const code of ['KeyV', 'ControlRight', 'F8', 'Backquote']) expect(canBeChosen(code)).toBe(true);
  });
  it.each([['KeyV', 'V'], ['Digit4', '4'], ['ControlRight', 'right Ctrl'], ['Backquote', '`'], ['F8', 'F8'], ['CapsLock', 'Caps Lock'], ['Numpad0', 'Numpad 0']])('%s is called %s', (code, name) => expect(keyName(code)).toBe(name));
});
