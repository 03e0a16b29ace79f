import { describe, expect, it } from 'vitest';
import { changesOf, draftOf, namesThem, newGemOf, problemOf } from './draft';
import { gem } from './sample';

describe('an edited gem', () => {
  const tea = gem('tea', { topics: ['tea'], tags: ['preference', 'fact'], importance: 0.7 });
  it('sends nothing where nothing changed', () => expect(changesOf(tea, draftOf(tea))).toEqual({}));
  it('sends only what changed', () => {
    const draft = { ...draftOf(tea), content: '  No sugar. ', topics: 'tea, sugar,, tea', pinned: true };
    expect(changesOf(tea, draft)).toEqual({ content: 'No sugar.', topics: ['tea', 'sugar'], pinned: true });
  });
  it('says what keeps it from being saved', () => {
    expect(problemOf({ ...draftOf(tea), content: ' ' })).toContain('Write down');
    expect(problemOf({ ...draftOf(tea), content: 'x'.repeat(2_001) })).toContain('2,001');
    expect(problemOf({ ...draftOf(tea), tags: { decision: false, fact: false, preference: false, todo: false, code: false } })).toContain('tag');
    expect(problemOf({ ...draftOf(tea), topics: Array.from({ length: 13 }, (_, index) => `t${index}`).join() })).toContain('12 topics');
    expect(problemOf(draftOf(tea))).toBe('');
  });
});

describe('a gem by hand', () => {
  it('leaves out what was left empty', () => {
    expect(newGemOf({ ...draftOf(null), content: ' The roof leaks. ' }, { person: '', community: '', room: '' })).toEqual({ content: 'The roof leaks.', importance: 0.7, tags: ['fact'] });
  });
  it('says whom and where', () => {
    expect(newGemOf({ ...draftOf(null), content: 'x' }, { person: 'local:ada', community: 'local', room: 'lounge' })).toMatchObject({ person: 'local:ada', scope: { community: 'local', room: 'lounge' } });
  });
});

it.each([['Ada', true], [' ada ', true], ['Ad', false], ['', false]])('“%s” typed names Ada: %s', (typed, wanted) => expect(namesThem(typed, 'Ada')).toBe(wanted));
it('nobody is named by typing nothing', () => expect(namesThem('', '')).toBe(false));
