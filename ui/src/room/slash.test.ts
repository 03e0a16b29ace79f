import { describe, expect, it } from 'vitest';
import { COMMANDS, slashCommands } from './slash';

const offered = (text: string) => slashCommands(text).map((command) => command.text);

describe('commands', () => {
  it('are offered where a message begins with a slash, by what was typed of them', () => {
    expect(offered('/')).toEqual(COMMANDS.map((command) => command.text));
    expect(offered('/For')).toEqual(['/forget that', '/forget me']);
    expect(offered('/forget m')).toEqual(['/forget me']);
  });
  it('are not offered within a message, nor once one is written out', () => {
    expect(offered('either/or')).toEqual([]);
    expect(offered('/forget me')).toEqual([]);
    expect(offered('/no such thing')).toEqual([]);
    expect(offered('/\nmore')).toEqual([]);
  });
});
