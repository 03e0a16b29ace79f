import { expect, it } from 'vitest';
import type { JournalName } from '../api/contract';
import { concernsMemory } from './store.svelte';

it.each<[JournalName, boolean]>([['memory_gems_stored', true], ['memory_extraction_started', true], ['memory_forgotten', true], ['memory_extraction_skipped', false], ['sent_reply', false]])('a journal line %s has memory read anew: %s', (name, wanted) =>
  expect(concernsMemory({ name })).toBe(wanted),
);
