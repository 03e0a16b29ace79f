// Somebody on Discord whose client is discord.js: `person.mjs ADDRESS TOKEN`, then a deed as a line of JSON on standard input.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const { Client, Events, GatewayIntentBits } = createRequire(`${process.env.DISCORD_JS}/`)("discord.js");
const [address, token] = process.argv.slice(2);
const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent];
const client = new Client({ intents, rest: { api: `http://${address}/api` } });
client.on(Events.Error, () => {});
const tell = (told) => console.log(JSON.stringify(told));

const deeds = {
  say: async (room, { text, reply }) => (await room.send({ content: text, ...(reply && { reply: { messageReference: reply } }) })).id,
  edit: (room, { message, text }) => room.messages.edit(message, text).then(() => null),
  delete: (room, { message }) => room.messages.delete(message).then(() => null),
  type: (room) => room.sendTyping().then(() => null),
};

await Promise.all([client.login(token), new Promise((resolve) => client.once(Events.ClientReady, resolve))]);
tell({});
for await (const line of createInterface({ input: process.stdin })) {
  const wish = JSON.parse(line);
  try {
    tell({ id: await deeds[wish.do](await client.channels.fetch(wish.channel), wish) });
  } catch (problem) {
    tell({ wrong: String(problem) });
  }
}
await client.destroy();
process.exit(0);
