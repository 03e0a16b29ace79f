// discord.js as a bot and as a person, pointed at the double.
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { strict as assert } from "node:assert";

const discord = createRequire(`${process.env.DISCORD_JS}/`)("discord.js");
export const { Client, Events, GatewayIntentBits, MessageReferenceType, MessageType, Partials, Routes } = discord;
export const [address, ...wanted] = process.argv.slice(2);
const everything = Object.values(GatewayIntentBits).filter((bit) => typeof bit === "number");
const partials = [Partials.Channel, Partials.Message, Partials.Reaction];
export const made = (intents = everything, more = {}) => new Client({ intents, partials, rest: { api: `http://${address}/api` }, ...more });
export const [bot, alice] = [made(), made()];
export const counts = { ready: 0, resumed: 0, reconnected: 0 };

export async function control(verb, wish = {}) {
  const answer = await fetch(`http://${address}/control/${verb}`, { method: "POST", body: JSON.stringify(wish) });
  const told = await answer.json();
  if (!answer.ok) throw new Error(`${verb}: ${told.error}`);
  return told;
}

/** What the event brings, once the check holds. */
export function heard(client, event, check = () => true, milliseconds = 20_000) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      client.off(event, listener);
      reject(new Error(`${event} did not come`));
    }, milliseconds);
    const listener = (...brought) => {
      if (!check(...brought)) return;
      clearTimeout(late);
      client.off(event, listener);
      resolve(brought);
    };
    client.on(event, listener);
  });
}

export async function until(holds, what) {
  for (let times = 0; times < 300; times += 1) {
    if (await holds()) return;
    await sleep(100);
  }
  throw new Error(`${what} did not come about`);
}

export const guild = (client) => client.guilds.cache.find((one) => one.name === "Guild 1");
export const room = (client) => guild(client).channels.cache.find((one) => one.name === "general");
export const said = (text) => (message) => message.content === text;

/** Somebody says something, and the other client hears it. */
export async function says(client, text, more = {}) {
  const waiting = heard(client === alice ? bot : alice, Events.MessageCreate, said(text));
  const [sent, [got]] = await Promise.all([room(client).send({ content: text, ...more }), waiting]);
  return [sent, got];
}

export async function refused(doing, code) {
  try {
    await doing();
  } catch (error) {
    assert.equal(error.code, code, error.message);
    return;
  }
  throw new Error(`not refused with ${code}`);
}
