// Look-ups by a real model: it is asked what stands only in older messages, calls the tool, and answers. DENIZEN_URL says where.
// Needs no browser. A small model does not call every time: the run counts, and asks for one whole loop at least.
import { must, Tally, until } from './tally.mjs';

const PATIENCE_MS = Number(process.env.TOOLS_PATIENCE_MS ?? 300_000);
const ROOM = 'lounge';
const FACTS = [
  ['the pizza place on Elm Street closes at nine', 'when does the pizza place on Elm Street close?', /nine|9/i],
  ['the key of the shed hangs behind the blue door', 'where does the key of the shed hang?', /blue/i],
  ['my dentist is called Doctor Marlowe', 'what is the name of my dentist?', /marlowe/i],
  ['the release train leaves on Thursday', 'on which day does the release train leave?', /thursday/i],
  ['the projector needs a lamp of 240 watts', 'how many watts does the lamp of the projector need?', /240/],
  ['the cat of my neighbour is called Pickles', 'what is the cat of Bob\'s neighbour called?', /pickles/i],
];
const CHATTER = ['morning', 'the kettle is on', 'somebody seen my cup?', 'it rains again', 'back in five', 'lunch at noon then'];

/** Runs every check against a server; true when all passed. */
export async function run(url) {
  const tally = new Tally();
  const call = async (path, body) => {
    const response = await fetch(`${url}${path}`, body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const read = await response.json();
    must(response.ok, `${path} answers ${response.status}: ${read.error?.message}`);
    return read;
  };
  const say = (author, text) => call(`/api/rooms/${ROOM}/messages`, { author, text });
  const tries = [];
  await tally.expect('facts are told, one by one', async () => {
    for (const [fact] of FACTS) await say('Bob', fact);
  });
  for (const [, question, wanted] of FACTS) {
    // A small model says again what it has said: the answer before is out of sight, too.
    for (const text of CHATTER) await say('Carol', text);
    const done = await tally.expect(`asked: ${question}`, () => ask({ call, say, question, wanted }));
    if (done) tries.push(done);
  }
  await tally.expect('every call that was begun was ended, and no call reached the room as words', async () => {
    for (const each of tries) {
      must(each.started === each.completed, `${each.started} tools were started and ${each.completed} ended`);
      must(!/tool_call|"arguments"/.test(each.reply), `the room was told “${each.reply}”`);
    }
  });
  const looked = tries.filter((each) => each.completed > 0);
  await tally.expect('the model looked something up and answered after it, at least once', async () => {
    must(looked.some((each) => each.followed && each.reply), `of ${tries.length} tries, ${looked.length} looked something up`);
  });
  const right = (some) => some.filter((each) => each.right).length;
  console.log(`of ${tries.length} tries: ${looked.length} looked something up (${tries.reduce((sum, each) => sum + each.completed, 0)} calls run, ${tries.reduce((sum, each) => sum + each.refused, 0)} refused), ${tries.filter((each) => each.reply).length} were answered, ${right(tries)} rightly (${right(looked)} of those that looked)`);
  return tally.close();
}

/** One question, and what the journal says came of it. */
async function ask({ call, say, question, wanted }) {
  const { next } = await call('/api/journal?newest=true&limit=1');
  await say('Alice', `Denizen, ${question} It was said here before.`);
  const lines = async () => (await call(`/api/journal?after=${next}&room=${ROOM}&limit=1000`)).entries;
  const ended = (entries) => entries.some((entry) => entry.name === 'text_turn_ended');
  await until(async () => ended(await lines()), 'the turn did not end', PATIENCE_MS);
  const entries = await lines();
  const count = (name) => entries.filter((entry) => entry.name === name).length;
  const sent = entries.filter((entry) => ['sent_reply', 'sent_message'].includes(entry.name)).map((entry) => entry.data.message);
  const { messages } = await call(`/api/rooms/${ROOM}/messages?limit=50`);
  const reply = messages.filter((message) => sent.includes(message.id)).map((message) => message.text).join(' ');
  const started = entries.filter((entry) => entry.name === 'tool_started').map((entry) => entry.data.tool);
  console.log(`        ${started.length > 0 ? `called ${started.join(', ')}` : 'called nothing'}; said: ${reply || '(nothing)'}`);
  return {
    started: started.length,
    completed: count('tool_completed'),
    refused: count('tool_refused'),
    followed: entries.some((entry) => entry.name === 'ask_started' && entry.data.purpose === 'text_reply_followup'),
    reply,
    right: wanted.test(reply),
  };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const url = (process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787').replace(/\/$/, '');
  process.exit((await run(url)) ? 0 : 1);
}
