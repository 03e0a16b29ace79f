// Lists in the settings, changed on top of what others save meanwhile.
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../api/client';

let version = 1;
let value: string[] = [];
let conflicts = 0;
let saves: unknown[] = [];
let refusal: ApiError | null = null;

vi.mock('./settings.svelte', () => ({ form: { saving: false, document: null, load: async () => undefined } }));
vi.mock('../api/client', async (original) => ({
  ...(await original<typeof import('../api/client')>()),
  api: {
    settings: async () => ({ version, knobs: [{ key: 'a.list', value: [...value] }, { key: 'a.number', value: 3 }] }),
    saveSettings: async (given: number, changes: Record<string, string[]>) => {
      if (refusal) throw refusal;
      if (conflicts > 0) {
        conflicts -= 1;
        version += 1;
        value = [...value, `theirs-${version}`];
      }
      if (given !== version) throw new ApiError('stale', 409, 'stale_settings');
      saves.push(changes);
      value = changes['a.list']!;
    },
  },
}));
const { addToList, takeFromList } = await import('./list_change');

beforeEach(() => ([version, value, conflicts, saves, refusal] = [1, ['one'], 0, [], null]));

it('adds to what is there', async () => {
  expect(await addToList('a.list', 'two')).toBe(true);
  expect(value).toEqual(['one', 'two']);
});
it('saves nothing where it is so already, however it is written', async () => {
  expect(await addToList('a.list', 'ONE')).toBe(false);
  expect(await takeFromList('a.list', 'other')).toBe(false);
  expect(saves).toEqual([]);
});
it('takes out one and leaves the rest', async () => {
  value = ['one', 'two'];
  expect(await takeFromList('a.list', 'one')).toBe(true);
  expect(value).toEqual(['two']);
});
it('keeps what somebody else saved in between', async () => {
  conflicts = 2;
  expect(await addToList('a.list', 'mine')).toBe(true);
  expect(value).toEqual(['one', 'theirs-2', 'theirs-3', 'mine']);
});
it('gives up where it is always too late', async () => {
  conflicts = 99;
  await expect(addToList('a.list', 'mine')).rejects.toThrow('stale');
});
it('says what is wrong with a value, and what to do', async () => {
  refusal = new ApiError('Some values cannot be used.', 422, 'invalid_settings', [{ key: 'a.list', problem: 'it has too many items', remedy: 'Take one out' }]);
  await expect(addToList('a.list', 'mine')).rejects.toThrow('it has too many items. Take one out');
});
it('names a list that is none', async () => await expect(addToList('a.number', 'x')).rejects.toThrow('no list “a.number”'));
