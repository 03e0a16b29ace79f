// A long evening in the room: 200 turns by four people and Denizen, so that a real model folds them to the end.
// Prints the trace of every fold as Markdown. DENIZEN_URL names the room's server; TURNS how many turns.

const url = process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787';
const wanted = Number(process.env.TURNS ?? 200);
const people = ['Mara', 'Jonas', 'Priya', 'Tomas'];

// Each line is said once; what matters is that names, numbers, places and promises differ all along.
const topics = [
  (n) => `I booked the cabin in Harlan for the ${n % 27 + 1}th, ${n % 5 + 3} nights`,
  (n) => `my sister Elke lends us her van, it seats ${n % 4 + 5}`,
  (n) => `the ferry leaves at ${n % 12 + 6}:40 from pier ${n % 9 + 1}`,
  (n) => `I still owe Priya ${n * 3 + 10} euros for the tickets`,
  (n) => `can somebody bring the blue tent? mine has ${n % 3 + 2} holes`,
  (n) => `the trail to Lake Orin is ${n % 14 + 6} kilometres, I checked the map`,
  (n) => `I quit the choir in March, the new conductor was awful`,
  (n) => `let's vote: swimming or the old mill? I say the mill`,
  (n) => `I promised Elke we fill the tank before we return it`,
  (n) => `the forecast says rain on day ${n % 5 + 1}, pack the tarps`,
  (n) => `I found recipe number ${n % 40 + 1} in my grandmother's book, plum dumplings`,
  (n) => `haha yes`,
];
const questions = ['Denizen, what have we settled so far?', 'Denizen, who lends us the van?', 'Denizen, what do I still owe and to whom?', 'Denizen, which trail did we pick?'];

async function call(path, options) {
  const answer = await fetch(`${url}${path}`, options);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
}
const say = (author, text) =>
  call('/api/rooms/lounge/messages', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ author, text }) });
const session = () => call('/api/rooms/lounge/session');
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Waits until nothing is being answered or folded. */
async function quiet() {
  for (let idle = 0; idle < 3; ) {
    await pause(700);
    const [{ run }, { entries }] = [await session(), await call('/api/journal?newest=true&limit=200')];
    const opened = entries.filter((entry) => entry.name === 'text_turn_opened').at(-1)?.turn ?? 0;
    const ended = entries.filter((entry) => entry.name === 'text_turn_ended').at(-1)?.turn ?? 0;
    idle = run || ended < opened ? 0 : idle + 1;
  }
}

/** Every journal line, page by page. */
async function wholeJournal() {
  const lines = [];
  for (let after = 0; ; after = lines.at(-1).seq) {
    const { entries } = await call(`/api/journal?after=${after}&limit=200`);
    if (entries.length === 0) return lines;
    lines.push(...entries);
  }
}

for (let turn = 0; (await session()).turns < wanted; turn += 1) {
  const author = people[(turn * 7 + 3) % people.length];
  await say(author, turn % 10 === 9 ? questions[Math.floor(turn / 10) % questions.length] : topics[(turn * 5) % topics.length](turn));
  if (turn % 10 === 9) await quiet();
  process.stderr.write(`\r${turn + 1} messages`);
}
await quiet();

const final = await session();
const entries = await wholeJournal();
const folds = entries.filter((entry) => entry.name.startsWith('voice_context_'));
const start = entries[0]?.wall ?? 0;
console.log(`\n| after | event | fields |\n|---|---|---|`);
for (const { wall, name, data } of folds) {
  const fields = Object.entries(data).map(([key, value]) => `${key}=${value}`).join(' ');
  console.log(`| ${((wall - start) / 1000).toFixed(1)} s | \`${name}\` | ${fields} |`);
}
console.log(`\nturns ${final.turns}, cursor ${final.cursor}, word for word ${final.verbatim.length}, summary ${final.summary.length} characters:\n\n> ${final.summary}`);
const lost = final.turns - final.cursor - final.verbatim.length;
console.log(`\n${lost === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed'}`);
process.exit(lost === 0 && final.cursor > 0 ? 0 : 1);
