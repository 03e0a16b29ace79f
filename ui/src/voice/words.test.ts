import { describe, expect, it } from 'vitest';
import { engine, person, view } from './sample';
import { comings, notes, personWords, serviceWords, understands, whoIsThere } from './words';

describe('who is there', () => {
  const people = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve'].map((name) => person(name));
  it.each([[0, 'Nobody talks here yet.'], [1, 'Ada is in voice.'], [2, 'Ada and Bob are in voice.'], [4, 'Ada, Bob, Cleo and Dan are in voice.'], [5, 'Ada, Bob, Cleo and 2 more are in voice.']])('%i: %s', (count, words) => expect(whoIsThere(people.slice(0, count))).toBe(words));
  it('comings and goings are told', () => {
    expect(comings([people[0]!], [people[0]!, people[1]!])).toBe('Bob came into voice.');
    expect(comings([people[0]!, people[1]!], [people[1]!])).toBe('Ada left voice.');
    expect(comings(people, people)).toBe('');
  });
  it('each with what can be seen of them', () => expect(personWords(person('Ada', { speaking: true, muted: true, listened: false }), true, 'Iris')).toBe('Ada (you), speaks, is muted, is not listened to by Iris'));
});

describe('what is missing', () => {
  it('is nothing where all works', () => expect(notes(view(), 'Iris')).toEqual([]));
  it('ears: what is typed is answered, and the remedy is the server’s own', () => {
    const [note] = notes(view({ ears: engine({ works: false, remedy: 'denizen models install ears' }) }), 'Iris');
    expect(note?.text).toMatch(/Type to it instead.*denizen models install ears/);
  });
  it('with neither ears nor a voice nothing is answered aloud', () => expect(notes(view({ ears: engine({ works: false }), mouth: engine({ works: false }) }), 'Iris')[0]?.text).toMatch(/^Type to it instead: it answers in the text\. /));
  it('ears that are being loaded are not missing', () => {
    const found = notes(view({ ears: engine({ works: false, loading: true, remedy: 'It is being loaded.' }) }), 'Iris');
    expect(found.map(({ kind, title }) => `${kind}: ${title}`)).toEqual(['loading: Iris gets its ears ready']);
  });
  it('ears that fail, and a voice that another stands in for, are told', () => {
    const found = notes(view({ ears: engine({ failing: true, remedy: 'Ask the operator.' }), mouth: engine({ remedy: 'Another voice stands in.' }) }), 'Iris');
    expect(found.map(({ title, text }) => `${title}: ${text}`)).toEqual(['Iris does not understand what is said just now: Its ears fail. Type to it meanwhile; people hear each other all the same. Ask the operator.', 'Iris has trouble with its voice: Another voice stands in.']);
  });
  it('ears that are not the chosen ones hear all the same', () => {
    const makeshift = view({ ears: engine({ remedy: 'Others stand in.' }) });
    expect([notes(makeshift, 'Iris')[0]?.title, understands(makeshift)]).toEqual(['Iris could hear better', true]);
  });
  it.each([[{}, true], [{ failing: true }, false], [{ works: false }, false], [{ works: false, loading: true }, true]])('with ears %o what is said is understood: %s', (ears, understood) => expect(understands(view({ ears: engine(ears) }))).toBe(understood));
  it('a voice', () => expect(notes(view({ mouth: engine({ works: false, remedy: 'Set voice.sttPipeline.ttsProvider.' }) }), 'Iris')[0]?.text).toContain('ttsProvider'));
  it('all of it, with why, and then nothing else is said', () => {
    const off = notes(view({ enabled: false, why: 'voice.enabled is false.', ears: engine({ works: false }) }), 'Iris');
    expect(off.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(['off: voice.enabled is false.']);
  });
});

describe('who thinks', () => {
  it('with a service that only hears and speaks Denizen does', () => expect(serviceWords({ service: 'openai:gpt-realtime-1.5', strategy: 'brain' }, 'Denizen')).toBe('openai:gpt-realtime-1.5 hears and speaks; Denizen thinks.'));
  it('a service that thinks for itself does', () => expect(serviceWords({ service: 'openai:gpt-realtime-1.5', strategy: 'native', knows: 'known to the service: 2 recordings' }, 'Denizen')).toContain('Denizen only decides whether it answers'));
});
