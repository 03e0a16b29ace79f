import { expect, it } from 'vitest';
import { commaEnds, listItems } from './list_items';

it.each([
  ['one', ['one']], ['one, two,three', ['one', 'two', 'three']], [' , one,, ', ['one']], ['', []],
  ['https://a.example/feed?tags=tea,milk', ['https://a.example/feed?tags=tea,milk']],
  ['https://a.example/x,y, https://b.example/z', ['https://a.example/x,y', 'https://b.example/z']],
  ['https://a.example/x,https://b.example/y', ['https://a.example/x', 'https://b.example/y']],
  ['tea,https://a.example/x', ['tea', 'https://a.example/x']],
])('%j is %j', (text, wanted) => expect(listItems(text)).toEqual(wanted));
it('a comma ends a word, and is a part of an address', () => expect([commaEnds('tea'), commaEnds('https://a.example/x')]).toEqual([true, false]));
