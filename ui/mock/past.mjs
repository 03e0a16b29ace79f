// A few days of history, so that the pages have something to show from the first moment.
import { hear, settled } from './denizen.mjs';

const DAY = 86_400_000;
const PAST = [
  [-2 * DAY, 'Bob', 'the kettle is broken again'],
  [-2 * DAY + 40_000, 'Alice', 'then we use the small one'],
  [-2 * DAY + 65_000, 'Alice', 'it only makes two cups though'],
  [-DAY, 'Mira', 'morning! did anyone move the **release** to Thursday?'],
  [-DAY + 30_000, 'Bob', 'yes, see https://example.org/plan — `main` is frozen until then'],
  [-DAY + 300_000, 'Mira', '@Denizen how do I find out why you did not answer me yesterday?'],
  [-3_600_000, 'Alice', 'lunch?'],
  [-3_590_000, 'Bob', 'in ten. the usual place, or that new one by the *canal*?'],
  [-3_560_000, 'Mira', 'canal!'],
  [-3_500_000, 'Alice', '@Denizen are you able to follow three people at once?'],
  [-1_800_000, 'Bob', '@Denizen please fail this one, for the record'],
  [-600_000, 'Bob', 'right, back to work'],
];

export async function livePast(world) {
  for (let index = 0; index < 60; index++) {
    const name = ['Alice', 'Bob', 'Mira'][index % 3];
    await say(world, -3 * DAY + index * 90_000, name, `older talk, line ${index + 1} of 60`);
  }
  for (const [ago, name, text] of PAST) await say(world, ago, name, text);
}

async function say(world, ago, name, text) {
  const author = { id: `local:${name.toLowerCase()}`, name, kind: 'person' };
  const mentions = text.includes('@Denizen') ? [world.denizen.id] : [];
  const message = world.add({ id: `past-${world.messages.length + 1}`, room: 'lounge', author, text, at: Date.now() + ago, mentions }, true);
  const from = world.messages.length;
  hear(world, message, 0);
  await settled();
  for (const reply of world.messages.slice(from)) reply.at = message.at + 4_000;
  for (const entry of world.journal) if (entry.messages?.includes(message.id) && entry.wall > message.at + 60_000) entry.wall = message.at + 3_000;
  for (const record of world.asks.values()) if (record.startedAt > Date.now() - 5_000) record.startedAt = message.at + 1_500;
}
