import { describe, expect, it, vi } from 'vitest';
import type { Gem } from '../api/contract';
import { fitting, Listing, type Paged } from './listing.svelte';
import { gem } from './sample';

/** Pages of two, `next` is where the next begins. */
const pages = (all: Gem[]) => vi.fn(async (after: string | undefined): Promise<Paged<Gem>> => {
  const from = Number(after ?? 0);
  return { items: all.slice(from, from + 2), ...(from + 2 < all.length ? { next: String(from + 2) } : {}) };
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => gem(String(index)));
const ids = (listing: Listing<Gem>) => listing.items?.map((each) => each.gem_id).join(' ');
const made = (read: (after: string | undefined) => Promise<Paged<Gem>>) => new Listing<Gem>(read, (each) => each.gem_id);

describe('a list read page by page', () => {
  it('goes on where it stopped, until there is no more', async () => {
    const listing = made(pages(numbered(5)));
    await listing.load();
    expect([ids(listing), listing.next]).toEqual(['0 1', '2']);
    await listing.more();
    await listing.more();
    expect([ids(listing), listing.next]).toEqual(['0 1 2 3 4', null]);
    await listing.more();
    expect(ids(listing)).toBe('0 1 2 3 4');
  });
  it('is read anew as far as one had come, with what is new on top', async () => {
    const all = numbered(6);
    const listing = made(async (after) => pages(all)(after));
    await listing.load();
    await listing.more();
    all.unshift(gem('new'));
    all.splice(2, 1);
    await listing.load();
    expect(ids(listing)).toBe('new 0 2 3');
  });
  it('shows nothing twice when pages overlap', async () => {
    const listing = made(async (after) => ({ items: after ? [gem('b'), gem('c')] : [gem('a'), gem('b')], ...(after ? {} : { next: 'b' }) }));
    await listing.load();
    await listing.more();
    expect(ids(listing)).toBe('a b c');
  });
  it('walks on while nothing fits, but not for ever', async () => {
    const read = pages(numbered(40));
    const listing = made(read);
    await listing.load();
    await listing.more((each) => each.gem_id === '5');
    expect(ids(listing)?.split(' ').length).toBe(6);
    read.mockClear();
    await listing.more(() => false);
    expect(read).toHaveBeenCalledTimes(4);
    expect(listing.next).not.toBeNull();
  });
  it('does not take the answer to an older question', async () => {
    const answers: ((page: Paged<Gem>) => void)[] = [];
    const listing = made(() => new Promise((resolve) => answers.push(resolve)));
    const [older, newer] = [listing.load(), listing.load({ blank: true })];
    answers[1]?.({ items: [gem('new')] });
    answers[0]?.({ items: [gem('old')] });
    await Promise.all([older, newer]);
    expect([ids(listing), listing.busy]).toEqual(['new', false]);
  });
  it('keeps what it has when a page cannot be read, and says so', async () => {
    let broken = false;
    const listing = made(async (after) => {
      if (broken) throw new Error('Denizen cannot be reached.');
      return pages(numbered(5))(after);
    });
    await listing.load();
    broken = true;
    await listing.more();
    expect([ids(listing), listing.problem, listing.busy]).toEqual(['0 1', 'Denizen cannot be reached.', false]);
    broken = false;
    await listing.more();
    expect([ids(listing), listing.problem]).toEqual(['0 1 2 3', '']);
  });
});

it('what the server cannot be asked for is sifted here', () => {
  const all = [gem('a'), gem('b', { tags: ['todo'] }), gem('c', { superseded_by: 'a' })];
  const kept = (...how: Parameters<typeof fitting>) => all.filter(fitting(...how)).map((each) => each.gem_id).join('');
  expect([kept('', 'all'), kept('todo', 'all'), kept('', 'superseded'), kept('fact', 'current')]).toEqual(['abc', 'b', 'c', 'a']);
});
