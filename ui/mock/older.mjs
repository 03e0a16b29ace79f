// The mock's import of older settings: keys with a new name, of the old pairs those that the old mode had in force, the rest by name or refused.
import { check } from './limits.mjs';
import { ApiProblem } from './problem.mjs';

const SECTION = 'voice.streamWatch';
/** Which of a pair was in force in which mode, and what it is called now. */
const PAIRS = {
  directMaxEntries: ['direct', 'maxNoteEntries'],
  brainContextMaxEntries: ['context_brain', 'maxNoteEntries'],
  directChangeThreshold: ['direct', 'changeThreshold'],
  directMinIntervalSeconds: ['direct', 'commentaryIntervalSeconds'],
  brainContextMinIntervalSeconds: ['context_brain', 'noteIntervalSeconds'],
};

export function migrate(world, request) {
  const { document = {}, leaveOut = [] } = request.body ?? {};
  const dry = request.url.searchParams.get('dryRun') === 'true';
  const match = /^"(\d+)"$/.exec(request.headers['if-match'] ?? '');
  if (!dry && Number(match?.[1]) !== world.settingsVersion) throw new ApiProblem(409, 'stale_settings', 'The settings were changed meanwhile. Look at what the import would do once more.');
  const found = { notes: [], problems: [], wanted: {} };
  const given = leaves(document).filter(([key]) => !leaveOut.includes(key));
  const mode = given.find(([key]) => key === `${SECTION}.brainContextMode`)?.[1] ?? 'direct';
  for (const [key, value] of given) carry(world, key, value, mode, found);
  const changes = Object.entries(found.wanted).map(([key, to]) => ({ key, from: world.knob(key), to })).filter(({ from, to }) => from !== to);
  const saved = !dry && found.problems.length === 0;
  if (saved) world.save(Object.fromEntries(changes.map(({ key, to }) => [key, to])));
  return { json: { version: world.settingsVersion, saved, notes: found.notes, changes, problems: found.problems } };
}

function carry(world, key, value, mode, { notes, problems, wanted }) {
  const pair = key.startsWith(`${SECTION}.`) ? PAIRS[key.slice(SECTION.length + 1)] : undefined;
  const renamed = world.knobs.find((knob) => knob.former.includes(key));
  if (key === `${SECTION}.brainContextMode`) notes.push({ oldKey: key, newKeys: [], remark: 'there is one way of watching now' });
  else if (pair && pair[0] !== mode) notes.push({ oldKey: key, newKeys: [], remark: `not in force: brainContextMode was ${mode}` });
  else if (pair) {
    const name = `${SECTION}.${pair[1]}`;
    const { min, max } = world.knobs.find((knob) => knob.key === name).limits;
    wanted[name] = Math.min(max, Math.max(min, value));
    notes.push({ oldKey: key, newKeys: [name], remark: wanted[name] === value ? 'the key has a new name' : `${value} became ${wanted[name]}, the nearest that is allowed` });
  } else if (renamed) {
    wanted[renamed.key] = value;
    notes.push({ oldKey: key, newKeys: [renamed.key], remark: 'the key has a new name' });
  } else {
    const wrong = check(world.knobs.find((knob) => knob.key === key), key, value);
    problems.push(...wrong);
    if (!wrong.length) wanted[key] = value;
  }
}

function leaves(document, path = []) {
  return Object.entries(document).flatMap(([key, value]) => (value && typeof value === 'object' && !Array.isArray(value) ? leaves(value, [...path, key]) : [[[...path, key].join('.'), value]]));
}
