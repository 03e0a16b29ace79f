// What is seen less often: polls, stickers, forwarded messages, webhooks, forms, outages, shards.
import { strict as assert } from "node:assert";
import { Events, MessageReferenceType, MessageType, alice, bot, control, guild, heard, made, room, said, says, until } from "./clients.mjs";

export async function polls() {
  const waiting = heard(bot, Events.MessageCreate, (message) => message.poll !== null);
  const poll = { question: { text: "Tea?" }, answers: [{ text: "yes" }, { text: "no" }], duration: 1, allowMultiselect: false };
  const mine = await room(alice).send({ poll });
  const [got] = await waiting;
  assert.equal(got.poll.question.text, "Tea?");
  assert.deepEqual(got.poll.answers.map((answer) => answer.text), ["yes", "no"]);
  const voting = heard(bot, Events.MessagePollVoteAdd);
  await control("vote", { as: "bob", channel: "general", message: mine.id, answer: 2 });
  assert.equal((await voting)[0].id, 2);
  assert.ok((await mine.poll.end()).poll.resultsFinalized);
}

export async function stickers() {
  const sticker = await control("sticker", { name: "wave" });
  const waiting = heard(bot, Events.MessageCreate, said("with a sticker"));
  await control("post", { as: "bob", channel: "general", content: "with a sticker", sticker_ids: [sticker.id] });
  assert.equal((await waiting)[0].stickers.first().name, "wave");
}

export async function forwards() {
  const [mine] = await says(alice, "to be handed on");
  const waiting = heard(bot, Events.MessageCreate, (message) => message.messageSnapshots.size > 0);
  await mine.forward(room(alice));
  const [got] = await waiting;
  assert.equal(got.messageSnapshots.first().content, "to be handed on");
  assert.equal(got.reference.type, MessageReferenceType.Forward);
}

export async function webhooks() {
  const waiting = heard(bot, Events.MessageCreate, said("built"));
  await control("post", { as: "bob", channel: "general", content: "built", webhook: "Builds" });
  const [got] = await waiting;
  assert.ok(got.webhookId);
  assert.equal(got.author.username, "Builds");
}

export async function systemMessages() {
  const waiting = heard(bot, Events.MessageCreate, (message) => message.type === MessageType.UserJoin);
  await control("post", { as: "bob", channel: "general", type: 7 });
  assert.ok((await waiting)[0].system);
}

export async function manyDeleted() {
  const ids = [];
  for (const number of [0, 1, 2]) ids.push((await control("post", { as: "bob", channel: "general", content: `spam ${number}` })).id);
  await until(() => ids.every((id) => room(bot).messages.cache.has(id)), "the messages");
  const waiting = heard(bot, Events.MessageBulkDelete);
  await control("delete", { channel: "general", messages: ids });
  assert.deepEqual(new Set((await waiting)[0].keys()), new Set(ids));
}

const used = { as: "alice", application: "denizen", channel: "general" };

async function shown(token) {
  let told;
  await until(async () => (told = (await control("answer", { token })).shown), "the answer");
  return told;
}

export async function forms() {
  await bot.application.commands.create({ name: "form", description: "Shows a form" });
  const waiting = heard(bot, Events.InteractionCreate, (interaction) => interaction.commandName === "form");
  const { token } = await control("use", { ...used, command: "form" });
  const field = { type: 4, custom_id: "word", label: "A word", style: 1 };
  const form = { title: "A form", custom_id: "the-form", components: [{ type: 1, components: [field] }] };
  await (await waiting)[0].showModal(form);
  assert.equal((await shown(token)).title, "A form");
  const submitting = heard(bot, Events.InteractionCreate, (interaction) => interaction.isModalSubmit());
  await control("submit", { ...used, custom_id: "the-form", fields: { word: "milk" } });
  const [sent] = await submitting;
  const answering = heard(alice, Events.MessageCreate, said("got milk"));
  await sent.reply(`got ${sent.fields.getTextInputValue("word")}`);
  await answering;
}

export async function suggestions() {
  const what = { name: "what", description: "What", type: 3, autocomplete: true };
  await bot.application.commands.create({ name: "pick", description: "Suggests", options: [what] });
  const waiting = heard(bot, Events.InteractionCreate, (interaction) => interaction.isAutocomplete());
  const options = [{ name: "what", type: 3, value: "blue", focused: true }];
  const { token } = await control("use", { ...used, command: "pick", options, autocomplete: true });
  const [interaction] = await waiting;
  await interaction.respond([{ name: `${interaction.options.getFocused()}berry`, value: "1" }]);
  assert.equal((await shown(token)).choices[0].name, "blueberry");
}

/** The bot comes into a guild, is put out of it, and sees it out of reach for a while. */
export async function comingsAndGoings() {
  const joining = heard(bot, Events.GuildCreate);
  const made = await control("guild", { name: "Elsewhere", members: ["denizen", "alice"], channels: [{ name: "attic" }] });
  const [joined] = await joining;
  assert.deepEqual(joined.channels.cache.map((channel) => channel.name), ["general", "attic"]);
  const gone = heard(bot, Events.GuildUnavailable);
  await control("outage", { guild: made.id });
  await gone;
  const back = heard(bot, Events.GuildAvailable);
  await control("outage", { guild: made.id, over: true });
  await back;
  const leaving = heard(bot, Events.GuildDelete);
  await control("member", { guild: made.id, user: "denizen", out: true });
  assert.equal((await leaving)[0].name, "Elsewhere");
  await control("user", { name: "passer-by" });
  const missing = heard(bot, Events.GuildMemberRemove);
  await control("member", { user: "passer-by", out: true });
  assert.equal((await missing)[0].user.username, "passer-by");
}

/** Two shards together see every guild once, and each hears its own. */
export async function shards() {
  await control("gateway", { shards: 2, identify_spacing: 0 });
  const client = made(undefined, { shards: "auto" });
  await Promise.all([heard(client, Events.ClientReady), client.login("Bot bot:sharded")]);
  assert.equal(client.ws.shards.size, 2);
  assert.deepEqual(new Set(client.guilds.cache.map((one) => one.shardId)), new Set([0, 1]));
  for (const one of client.guilds.cache.values()) {
    const waiting = heard(client, Events.MessageCreate, said(`in ${one.name}`));
    await control("post", { as: "bob", guild: one.id, channel: "general", content: `in ${one.name}` });
    assert.equal((await waiting)[0].guildId, one.id);
  }
  await client.destroy();
  await control("gateway", { shards: 1 });
}

export async function aThousandGuilds() {
  assert.ok(guild(bot));
  const last = [...bot.guilds.cache.keys()].sort().at(-1);
  const waiting = heard(bot, Events.MessageCreate, said("far away"));
  await control("post", { as: "bob", guild: last, channel: "general", content: "far away" });
  assert.equal((await waiting)[0].guildId, last);
}
