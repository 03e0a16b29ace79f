// What goes wrong, and discord.js goes on.
import { strict as assert } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import { Events, GatewayIntentBits, alice, bot, control, counts, heard, made, room, says, until } from "./clients.mjs";

export async function contentHidden() {
  const client = made([GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages]);
  await Promise.all([heard(client, Events.ClientReady), client.login("Bot bot:blind")]);
  const blank = heard(client, Events.MessageCreate);
  await control("post", { as: "bob", channel: "general", content: "a secret" });
  assert.equal((await blank)[0].content, "");
  const addressed = heard(client, Events.MessageCreate);
  await control("post", { as: "bob", channel: "general", content: `<@${client.user.id}> not for others` });
  assert.match((await addressed)[0].content, /not for others/);
  await client.destroy();
}

/** After a fault, what was said meanwhile is heard, once, and in the same session. */
export async function resumes(kind, more = {}) {
  const before = { ...counts };
  const got = [];
  const listener = (message) => got.push(message.content);
  bot.on(Events.MessageCreate, listener);
  await control("fault", { kind, user: "denizen", ...more });
  await control("post", { as: "bob", channel: "general", content: `said during ${kind}` });
  await until(() => counts.resumed > before.resumed && got.length > 0, "resuming");
  await sleep(500);
  bot.off(Events.MessageCreate, listener);
  assert.deepEqual(got, [`said during ${kind}`]);
  assert.deepEqual([counts.resumed, counts.reconnected], [before.resumed + 1, before.reconnected]);
}

export async function invalidSession() {
  const before = counts.reconnected;
  await control("gateway", { identify_spacing: 0 });
  await control("fault", { kind: "invalid_session", user: "denizen" });
  await until(() => counts.reconnected > before, "a new session");
  await says(alice, "after a new session");
}

export async function malformed() {
  for (const which of ["unknown_event", "unknown_op"]) await control("fault", { kind: "malformed", which, user: "denizen" });
  await says(alice, "after what nobody knows");
}

export async function buckets() {
  await control("limits", { rules: [{ route: "POST /channels/*/messages", limit: 3, window_ms: 500 }] });
  const since = (await control("requests")).at(-1).number;
  await Promise.all([...Array(10).keys()].map((number) => room(bot).send(`burst ${number}`)));
  const sent = await control("requests", { since, method: "POST", path: "/messages" });
  const told = sent.filter((request) => request.account === "denizen").map((request) => request.status);
  assert.equal(told.filter((status) => status === 200).length, 10);
  assert.ok(told.length <= 16, `${told}`);
}

export async function tooMany() {
  await control("fault", { kind: "rate_limit", route: "POST /channels/*/messages", times: 2, retry_after: 0.2, scope: "shared" });
  await says(bot, "after two refusals");
}

export async function brokenServer() {
  await control("fault", { kind: "status", status: 502, route: "POST /channels/*/messages", times: 1 });
  await says(bot, "after a bad gateway");
}
