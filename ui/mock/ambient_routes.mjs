// The mock's answers about thoughts of its own, its sources, and reactions.
import { candidates, reports } from './ambient_past.mjs';
import { runThought } from './ambient_run.mjs';
import { SCENE_NAMES } from './ambient_scenes.mjs';
import { ApiProblem } from './problem.mjs';

const READING_MS = 2_500;
const KINDS_MAX = 20;
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** `/api/ambient…`. */
export function ambientRoutes({ ambient }, request, what) {
  const on = `${request.method} ${what ?? ''}`.trim();
  if (on === 'GET') return { json: ambient.view() };
  if (on === 'POST think') {
    const { run, trial } = ambient.view();
    if (run || (trial && trial.endedAt === null)) throw new ApiProblem(409, 'thinking_already', 'It is thinking already. Wait until that is over.');
    ambient.scene = '';
    void runThought(ambient, { trial: true, turn: ambient.world.nextTurn() });
    return { status: 202, json: {} };
  }
  if (on === 'DELETE thought') {
    if (!ambient.view().thought) throw new ApiProblem(404, 'no_thought', 'No thought is held.');
    Object.assign(ambient, { thought: null, scene: ambient.scene === 'holding' ? 'waiting' : ambient.scene });
    ambient.note('ambient_thought_dropped', { reason: 'operator' });
    return { status: 204 };
  }
  if (on === 'GET status') return { json: status(ambient.world) };
  return nothing(request);
}

/** `/api/discovery…`. */
export async function discoveryRoutes({ ambient }, request, what) {
  const on = `${request.method} ${what ?? ''}`.trim();
  if (on === 'GET') return { json: { reports: ambient.reports } };
  if (on === 'POST preview') {
    if (ambient.reading) throw new ApiProblem(409, 'preview_under_way', 'The sources are being read already. Wait until that is over.');
    ambient.reading = true;
    await sleep(READING_MS);
    ambient.reading = false;
    const found = candidates(Date.now()).map((candidate) => ({ ...candidate, score: candidate.score - candidate.chance, chance: 0 })).sort((left, right) => right.score - left.score);
    return { json: { candidates: found, reports: reports() } };
  }
  if (on === 'POST check') {
    await sleep(600);
    const { family, name } = request.body ?? {};
    const bad = /gone|404|nothing/.test(name);
    return { json: bad ? { ok: false, words: `${name} answered 404: there is no feed there. Look up its address and try again.` } : { ok: true, words: `${family === 'rss' ? 'A feed' : 'It is there'}: 12 items, the newest “Six cooperative games that work with exactly three people”.` } };
  }
  if (on === 'DELETE sources') {
    const { family, name } = request.body ?? {};
    if (!ambient.own.some(({ source }) => source.family === family && source.name === name)) throw new ApiProblem(409, 'not_its_own', 'It is one of yours: take it out of its list in initiative.discovery.');
    ambient.own = ambient.own.filter(({ source }) => source.family !== family || source.name !== name);
    ambient.note('ambient_source_removed', { family, name });
    return { status: 204 };
  }
  return nothing(request);
}

/** Puts the ambient cycle into a named state; only the mock knows this. */
export function sceneRoute({ ambient }, request) {
  const name = request.body?.scene ?? '';
  if (name && !SCENE_NAMES.includes(name)) throw new ApiProblem(422, 'unknown_scene', `There are ${SCENE_NAMES.join(', ')}; an empty one shows what is so.`);
  ambient.scene = name;
  ambient.note('ambient_tick_decided', { scene: name });
  return { status: 204 };
}

/** Gives or takes back a reaction. */
export function react(world, request, room, message) {
  const { author = '', emoji = '' } = request.body ?? {};
  if (!author.trim()) throw new ApiProblem(422, 'bad_author', 'A name has 1 to 40 characters.');
  if (!emoji || [...emoji].length > 32 || /\s/.test(emoji)) throw new ApiProblem(422, 'bad_emoji', 'A reaction has 1 to 32 characters, without spaces.');
  const person = `local:${author.trim().toLowerCase()}`;
  const known = message.reactions ?? [];
  const others = known.map((one) => (one.emoji === emoji ? { ...one, people: one.people.filter((each) => each !== person) } : one));
  if (request.method === 'PUT') {
    const mine = others.find((one) => one.emoji === emoji);
    if (mine) mine.people.push(person);
    else if (known.length >= KINDS_MAX) throw new ApiProblem(409, 'too_many_reactions', `A message takes ${KINDS_MAX} different reactions at most.`);
    else others.push({ emoji, people: [person] });
  }
  message.reactions = others.filter(({ people }) => people.length);
  world.publish({ type: 'reactions', room, id: message.id, reactions: message.reactions });
  world.note('message_reaction_changed', { emoji, added: request.method === 'PUT' }, { room, messages: [message.id] });
  world.ambient.counted(message.id);
  return { status: 204 };
}

function status(world) {
  const search = world.knob('tools.searchProvider');
  return {
    tools: [
      { name: 'web_search', ready: search !== 'none', detail: search === 'none' ? 'No search service is chosen: set tools.searchProvider.' : `Searches with ${search}.`, tools: ['web_search'] },
      { name: 'web_scrape', ready: true, detail: 'Reads pages; private addresses are refused but for tools.allowedPrivateHosts.', tools: ['web_scrape'] },
      { name: 'browser_browse', ready: false, detail: 'No Chromium was found in the usual places. Install it, or name one in tools.browserPath.', tools: ['browser_browse'] },
      { name: 'office', ready: true, detail: 'An MCP server of yours, started from mcp.json.', tools: ['calendar_today', 'calendar_search'] },
    ],
    media: [
      { name: 'image', ready: false, detail: 'media.imageProvider is none.', tools: [] },
      { name: 'video', ready: false, detail: 'media.videoProvider is none.', tools: [] },
      { name: 'gif', ready: false, detail: 'media.gifProvider is none.', tools: [] },
    ],
  };
}

function nothing(request) {
  throw new ApiProblem(404, 'unknown_path', `There is nothing at ${request.url.pathname}.`);
}
