import { describe, expect, it } from 'vitest';
import { Names } from './inlines';
import { markup, plainText, type Inline } from './markup';
import { completed, completion } from './mentions';

function drawn(parts: Inline[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'link') return `<${part.text} ${part.href}>`;
      if (part.kind === 'code' || part.kind === 'mention') return `<${part.kind} ${part.text}>`;
      return `<${part.kind} ${drawn(part.parts)}>`;
    })
    .join('');
}
function line(text: string, names: string[] = []): string {
  const [block, ...others] = markup(text, new Names(names));
  expect(others).toEqual([]);
  return block?.kind === 'paragraph' ? drawn(block.parts) : JSON.stringify(block);
}

describe('markup within a line', () => {
  it.each([
    ['plain words', 'plain words'],
    ['**bold** and *soft* and ~~gone~~', '<bold bold> and <italic soft> and <strike gone>'],
    ['a `**b**` c', 'a <code **b**> c'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
    ['_soft_', '<italic soft>'],
    ['**a** and **b**', '<bold a> and <bold b>'],
    ['**bold with *soft* inside**', '<bold bold with <italic soft> inside>'],
    ['see https://example.org/a_b_c.', 'see <https://example.org/a_b_c https://example.org/a_b_c>.'],
    ['[the plan](https://example.org/plan)', '<the plan https://example.org/plan>'],
    ['<b>no</b> <img src=x onerror=alert(1)>', '<b>no</b> <img src=x onerror=alert(1)>'],
    ['half **open and `half', 'half **open and `half'],
  ])('%s', (text, wanted) => expect(line(text)).toBe(wanted));

  it('makes no link of anything but http and https', () => {
    expect(line('[click](javascript:alert(1)) javascript:alert(1) data:text/html,x')).not.toContain('<');
  });
  it('marks known names after an @, and nobody else', () => {
    expect(line('@Denizen ask @bob, not bob@bob.org or @Bobby', ['Bob', 'Denizen'])).toBe('<mention @Denizen> ask <mention @bob>, not bob@bob.org or @Bobby');
  });
});

describe('blocks', () => {
  it('tells paragraphs, lists, quotes and fences apart', () => {
    const kinds = markup('hello\nagain\n\n- one\n- two\n3. three\n> said\n```sh\n- not a list\n\n```\nend').map((block) => block.kind);
    expect(kinds).toEqual(['paragraph', 'list', 'list', 'quote', 'fence', 'paragraph']);
  });
  it('takes an open fence to the end, as it is while it is being written', () => {
    expect(markup('```js\nlet a')).toEqual([{ kind: 'fence', language: 'js', text: 'let a' }]);
  });
});

describe('the words alone', () => {
  it('are what is left without marks, in one line', () => {
    expect(plainText('A **plan**:\n\n|Who|What|\n|-|-|\n|Ana|`it`|\n```sh\nmake\n```\n- one\n- [two](https://a.b)')).toBe('A plan: Who What · Ana it make one · two');
  });
});

describe('a table', () => {
  const shown = (text: string) => markup(text).map((block) => (block.kind === 'table' ? [block.head, ...block.rows].map((row) => row.map((cell) => drawn(cell.parts))) : block.kind));
  it('is a line of names, a line of dashes, and what follows with a bar in it', () => {
    expect(shown('before\n| Who | When |\n|---|:-:|\n| **Ana** | 12:00 |\n| Bob |\n\nafter')).toEqual(['paragraph', [['Who', 'When'], ['<bold Ana>', '12:00'], ['Bob']], 'paragraph']);
  });
  it('needs no bars at its edges, and keeps those in code and behind a backslash', () => {
    expect(shown('a | b\n--|--\n`x|y` | c\\|d')).toEqual([[['a', 'b'], ['<code x|y>', 'c|d']]]);
  });
  it('knows how its columns are set', () => {
    const [table] = markup('a|b|c\n:-|:-:|-:\n1|2|3');
    expect(table?.kind === 'table' && table.head.map((cell) => cell.align)).toEqual(['start', 'center', 'end']);
  });
  it('is none with other dashes than columns, or with more columns than anybody could read', () => {
    expect(shown('a | b\n---\nc')).toEqual(['paragraph']);
    expect(shown(`${'a|'.repeat(40)}a\n${'-|'.repeat(40)}-`)).toEqual(['paragraph']);
    expect(shown('this | that')).toEqual(['paragraph']);
  });
  it('has no more cells than were written', () => {
    const [table] = markup(`a|b\n-|-\n${'|\n'.repeat(500)}`);
    expect(table?.kind === 'table' && table.rows.flat().length).toBeLessThanOrEqual(500);
  });
});

describe('completing a mention', () => {
  it('offers names that begin so, only right after an @', () => {
    expect(completion('hi @de', 6, ['Denizen', 'Bob'])).toEqual({ at: 3, names: ['Denizen'] });
    expect(completion('hi de', 5, ['Denizen'])).toBeNull();
    expect(completion('me@de', 5, ['Denizen'])).toBeNull();
  });
  it('has nothing to offer for a finished name', () => {
    expect(completion('@Denizen', 8, ['Denizen', 'Bob'])).toBeNull();
  });
  it('puts the name in place and the caret behind it', () => {
    expect(completed('hi @de there', 6, 3, 'Denizen')).toEqual({ text: 'hi @Denizen there', caret: 12 });
  });
});
