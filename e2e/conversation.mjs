// Two people talk, then one of them turns to Denizen.
import { must, until } from './tally.mjs';

const ANSWER_MS = 180_000;

/** Returns the ids of the chatter, the question and the reply, and the text of the question. */
export async function checkConversation(tally, { alice, bob, health, url }) {
  const run = Date.now().toString(36);
  const denizen = health.denizen.name;
  const found = { asked: `@${denizen} in one sentence, what is a kettle for? (${run})` };

  await tally.expect('what Bob writes reaches Alice', async () => {
    await clearTheAir(bob, url, run);
    await bob.say(`the kettle works again, by the way (${run})`);
    found.chatter = await alice.idOf(`the kettle works again, by the way (${run})`);
  });
  await tally.expect('what Alice writes reaches Bob, with markup as elements and not as HTML', async () => {
    await alice.say(`**good**, tea at \`four\` <img src=x> then (${run})`);
    const message = bob.said(`tea at four <img src=x> then (${run})`).first();
    await message.waitFor();
    must((await message.locator('strong', { hasText: 'good' }).count()) === 1, 'bold is not bold');
    must((await message.locator('.words img').count()) === 0, 'typed HTML became an element');
  });
  await tally.expect('chatter is not answered, and its mark says so', () => alice.fateBecomes(found.chatter, 'silent', 60_000));
  await tally.expect('Alice sees Bob typing, and sees him stop', async () => {
    await bob.type('hm');
    await alice.page.getByTestId('presence').getByText('Bob is typing').waitFor();
    await bob.type('');
    await alice.page.getByTestId('presence').getByText('Bob is typing').waitFor({ state: 'detached' });
  });
  await tally.expect('↑ edits the last own message', async () => {
    await bob.field.press('ArrowUp');
    await until(async () => (await bob.field.inputValue()).includes(run), 'the message did not come into the field');
    await bob.say(`the kettle works again, I repaired it (${run})`);
    await alice.said(`I repaired it (${run})`).getByText('edited', { exact: true }).waitFor();
  });
  await tally.expect('a message that could not be sent keeps its text, and is sent once when tried again', async () => {
    await bob.page.route('**/api/rooms/*/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await bob.say(`sent after all (${run})`);
    const again = bob.page.locator('[data-parcel="failed"]').getByRole('button', { name: 'Send again' });
    await again.waitFor();
    await bob.page.unroute('**/api/rooms/*/messages');
    await again.click();
    await alice.said(`sent after all (${run})`).first().waitFor();
    must((await bob.said(`sent after all (${run})`).count()) === 1, 'it is shown twice');
  });
  await alice.watchDrafts();
  await bob.watchDrafts();
  await tally.expect('Alice asks Denizen', async () => {
    await alice.say(found.asked);
    found.question = await bob.idOf(`what is a kettle for? (${run})`);
  });
  await tally.expect('Denizen answers in the room, for both', async () => {
    // By its why: in a used room Denizen may have something to say to others meanwhile.
    const reply = async () => {
      const { replies = [] } = await fetch(`${url}/api/why/${found.question}`).then((response) => response.json());
      const page = await fetch(`${url}/api/rooms/lounge/messages?limit=50`).then((response) => response.json());
      return page.messages.find((message) => replies.includes(message.id));
    };
    const message = await until(reply, async () => `no reply came; the mark says “${await alice.fate(found.question)}”`, ANSWER_MS);
    found.reply = message.id;
    found.ask = message.ask;
    for (const visitor of [alice, bob]) await visitor.page.locator(`[data-message="${message.id}"]`).waitFor();
  });
  await tally.expect('the answer was seen being written, and its draft is gone', async () => {
    for (const visitor of [alice, bob]) {
      must((await visitor.draftsSeen()).length > 0, `${visitor.name} never saw a draft`);
      must((await visitor.page.locator('[data-draft]').count()) === 0, `${visitor.name} still sees a draft`);
    }
  });
  await tally.expect('the mark of the question is lit', () => alice.fateBecomes(found.question, 'answered', 30_000));
  return found;
}

/** Denizen joins in unasked only while it is among the last few speakers: in a used room, talk it out of them first. */
async function clearTheAir(bob, url, run) {
  const { messages } = await fetch(`${url}/api/rooms/lounge/messages?limit=8`).then((response) => response.json());
  if (!messages.some((message) => message.author.kind === 'denizen')) return;
  for (let line = 1; line <= 8; line++) {
    await bob.say(`talking among ourselves, ${line} (${run})`);
    const id = await bob.idOf(`talking among ourselves, ${line} (${run})`);
    // Settled one by one, so that none of them shares a burst with what is checked afterwards.
    await until(async () => !['waiting', 'unknown'].includes(await bob.fate(id)), 'Denizen does not come to a decision', ANSWER_MS);
  }
}
