import { expect, it } from 'vitest';
import { idOf } from './words';

it.each([['The book club', 'the-book-club'], ['  Café № 9 ', 'cafe-no-9'], ['---', ''], ['本', ''], ['x'.repeat(60), 'x'.repeat(40)]])('%j stands in addresses as %j', (name, wanted) => expect(idOf(name)).toBe(wanted));
