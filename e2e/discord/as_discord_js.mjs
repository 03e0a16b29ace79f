// discord.js against the double: cells of talk, and those of troubles.mjs and rarer.mjs.
import { strict as assert } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import { Events, MessageType, Routes, alice, bot, control, counts, guild, heard, made, refused, room, said, says, until, wanted } from "./clients.mjs";
import * as rarer from "./rarer.mjs";
import * as trouble from "./troubles.mjs";

// The library takes "Bot" off the beginning of a token, whatever follows.
async function login() {
  const ready = [bot, alice].map((client) => heard(client, Events.ClientReady));
  bot.on(Events.ClientReady, () => (counts.ready += 1));
  bot.on(Events.ShardReady, () => (counts.reconnected += 1));
  bot.on(Events.ShardResume, () => (counts.resumed += 1));
  await Promise.all([bot.login("Bot bot:denizen"), alice.login("user:alice"), ...ready]);
  assert.equal(bot.user.username, "denizen");
  assert.equal(bot.guilds.cache.size, Number(process.env.GUILDS));
  assert.equal(bot.user.bot, true);
  assert.equal(alice.user.bot, false);
  assert.equal((await bot.application.fetch()).id, bot.user.id);
}

async function badToken() {
  const client = made([]);
  await assert.rejects(client.login("nonsense"), /token/i);
  await client.destroy();
}

async function chat() {
  const [, got] = await says(alice, "hello, denizen");
  assert.equal(got.author.username, "alice");
  assert.equal(got.author.bot, false);
  assert.equal((await says(bot, "hello, alice"))[1].author.bot, true);
}

async function mentions() {
  const [, got] = await says(alice, `<@${bot.user.id}> are you there?`);
  assert.ok(got.mentions.has(bot.user));
}

async function replies() {
  const [, got] = await says(alice, "a question");
  const waiting = heard(alice, Events.MessageCreate, said("an answer"));
  await got.reply("an answer");
  const [answer] = await waiting;
  assert.equal(answer.type, MessageType.Reply);
  assert.equal(answer.reference.messageId, got.id);
  assert.equal((await answer.fetchReference()).content, "a question");
  assert.equal(answer.mentions.repliedUser.username, "alice");
}

async function edits() {
  const [mine, got] = await says(bot, "a first thought");
  const waiting = heard(alice, Events.MessageUpdate, (_, after) => after.id === got.id);
  await mine.edit("a second thought");
  const [before, after] = await waiting;
  assert.deepEqual([before.content, after.content], ["a first thought", "a second thought"]);
  assert.ok(after.editedAt);
}

async function deletes() {
  const [mine, got] = await says(bot, "soon gone");
  const waiting = heard(alice, Events.MessageDelete, (message) => message.id === got.id);
  await mine.delete();
  await waiting;
  await refused(() => room(bot).messages.fetch({ message: mine.id, force: true }), 10_008);
}

async function reactions() {
  const [, got] = await says(alice, "react to this");
  const waiting = heard(alice, Events.MessageReactionAdd);
  await got.react("👍");
  const [reaction, user] = await waiting;
  assert.deepEqual([reaction.emoji.name, user.id], ["👍", bot.user.id]);
  assert.deepEqual([...(await reaction.users.fetch()).keys()], [bot.user.id]);
  const emoji = await control("emoji", { name: "wave" });
  await until(() => guild(bot).emojis.cache.has(emoji.id), "the emoji");
  await got.react(emoji.id);
  const removing = heard(alice, Events.MessageReactionRemove);
  await got.reactions.cache.get("👍").users.remove(bot.user.id);
  await removing;
  const fetched = await room(bot).messages.fetch({ message: got.id, force: true });
  assert.deepEqual([...fetched.reactions.cache.keys()], [emoji.id]);
}

async function history() {
  for (const number of [0, 1, 2]) await control("post", { as: "bob", channel: "general", content: `line ${number}` });
  const got = await room(bot).messages.fetch({ limit: 3, cache: false });
  assert.deepEqual(got.map((message) => message.content), ["line 2", "line 1", "line 0"]);
  const after = await room(bot).messages.fetch({ after: got.last().id, limit: 10 });
  assert.equal(after.size, 2);
}

async function pins() {
  const [mine] = await says(alice, "to be pinned");
  const role = await control("role", { name: "keeper", permissions: String(1 << 13) });
  await control("member", { user: "alice", roles: [role.id] });
  await mine.pin();
  const found = await room(bot).messages.fetchPins();
  assert.ok(found.items.some((pin) => pin.message.content === "to be pinned"));
  await mine.unpin();
}

async function typing() {
  const waiting = heard(bot, Events.TypingStart);
  await room(alice).sendTyping();
  const [started] = await waiting;
  assert.equal(started.user.id, alice.user.id);
}

async function threads() {
  const [mine] = await says(alice, "worth a thread");
  const creating = heard(bot, Events.ThreadCreate);
  const thread = await mine.startThread({ name: "a thread" });
  assert.equal((await creating)[0].id, mine.id);
  const waiting = heard(bot, Events.MessageCreate, said("in the thread"));
  await thread.send("in the thread");
  const [got] = await waiting;
  assert.equal(got.channel.parent.name, "general");
  await got.channel.join();
  await got.channel.send("me, too");
  assert.ok((await thread.members.fetch()).has(bot.user.id));
  const archiving = heard(bot, Events.ThreadUpdate, (_, after) => after.archived);
  await thread.setArchived(true);
  await archiving;
}

async function forums() {
  await control("channel", { name: "ideas", type: 15, available_tags: [{ name: "good" }] });
  const find = () => guild(alice).channels.cache.find((one) => one.name === "ideas");
  await until(find, "the forum");
  const waiting = heard(bot, Events.MessageCreate, said("the first idea"));
  const appliedTags = [find().availableTags[0].id];
  const post = await find().threads.create({ name: "an idea", message: { content: "the first idea" }, appliedTags });
  const [got] = await waiting;
  assert.deepEqual([got.id, got.channel.id, got.channel.parent.name], [post.id, post.id, "ideas"]);
}

async function directs() {
  const waiting = heard(bot, Events.MessageCreate, said("psst"));
  await control("post", { as: "bob", to: "denizen", content: "psst" });
  const [got] = await waiting;
  assert.equal(got.guildId, null);
  assert.ok(got.channel.isDMBased());
  await got.channel.send("yes?");
  const hermit = await control("user", { name: "hermit", dms_closed: true });
  await refused(() => bot.users.send(hermit.id, "hello?"), 50_007);
}

async function attachments() {
  const header = Buffer.from("89504e470d0a1a0a0000000d494844520000000300000002", "hex");
  const data = Buffer.concat([header, Buffer.from("rest")]);
  const [, got] = await says(bot, "a picture", { files: [{ attachment: data, name: "dot.png", description: "a dot" }] });
  const attachment = got.attachments.first();
  assert.deepEqual([attachment.name, attachment.width, attachment.height, attachment.description], ["dot.png", 3, 2, "a dot"]);
  assert.deepEqual(Buffer.from(await (await fetch(attachment.url)).arrayBuffer()), data);
}

async function permissions() {
  const rule = (bit) => [{ id: guild(bot).id, type: 0, allow: "0", deny: String(1 << bit) }];
  const closed = await control("channel", { name: "closed", permission_overwrites: rule(11) });
  const hidden = await control("channel", { name: "hidden", permission_overwrites: rule(10) });
  await until(() => bot.channels.cache.has(closed.id), "the channel");
  await refused(() => bot.channels.cache.get(closed.id).send("no"), 50_013);
  await refused(() => bot.rest.post(Routes.channelMessages(hidden.id), { body: { content: "no" } }), 50_001);
  assert.ok(!bot.channels.cache.get(closed.id).permissionsFor(bot.user).has("SendMessages"));
}

async function roles() {
  const creating = heard(bot, Events.GuildRoleCreate);
  const role = await control("role", { name: "regulars", color: 255 });
  assert.equal((await creating)[0].name, "regulars");
  const changing = heard(bot, Events.GuildMemberUpdate, (_, after) => after.user.username === "bob");
  await control("member", { user: "bob", roles: [role.id], nick: "Bobby" });
  const [, after] = await changing;
  assert.equal(after.nickname, "Bobby");
  assert.ok(after.roles.cache.has(role.id));
  assert.ok((await guild(bot).members.fetch()).size >= 4);
  assert.equal((await guild(bot).members.search({ query: "Bob" })).size, 1);
}

async function commands() {
  const text = { name: "text", description: "What", type: 3, required: true };
  await bot.application.commands.set([
    { name: "echo", description: "Says it again", options: [text] },
    { name: "slow", description: "Takes its time" },
  ]);
  bot.on(Events.InteractionCreate, async (interaction) => {
    if (interaction.commandName === "echo") await interaction.reply(interaction.options.getString("text"));
    if (interaction.commandName !== "slow") return;
    await interaction.deferReply({ flags: 64 });
    await interaction.editReply("at last");
    await interaction.followUp({ content: "and more", flags: 64 });
  });
  const used = { as: "alice", application: "denizen", channel: "general" };
  const waiting = heard(alice, Events.MessageCreate, said("again"));
  await control("use", { ...used, command: "echo", options: { text: "again" } });
  const [answer] = await waiting;
  assert.equal(answer.interactionMetadata.user.username, "alice");
  const { token } = await control("use", { ...used, command: "slow" });
  let told;
  await until(async () => (told = await control("answer", { token })).messages.length === 2, "the answers");
  assert.deepEqual(told.messages.map((message) => message.content), ["at last", "and more"]);
  assert.ok(told.ephemeral);
}

async function buttons() {
  const components = [{ type: 1, components: [{ type: 2, style: 1, label: "Press", custom_id: "pressed" }] }];
  const [mine] = await says(bot, "a button", { components });
  const pressing = heard(bot, Events.InteractionCreate, (interaction) => interaction.isButton());
  const changing = heard(alice, Events.MessageUpdate, (_, after) => after.content === "pressed");
  await control("press", { as: "alice", channel: "general", message: mine.id, custom_id: "pressed" });
  await (await pressing)[0].update({ content: "pressed", components: [] });
  await changing;
}

async function voiceStates() {
  const lounge = await control("channel", { name: "lounge", type: 2 });
  await until(() => bot.channels.cache.has(lounge.id), "the channel");
  const waiting = heard(bot, Events.VoiceStateUpdate);
  await control("voice", { user: "bob", channel: lounge.id });
  const [, after] = await waiting;
  assert.deepEqual([after.member.user.username, after.channel.name], ["bob", "lounge"]);
  const own = heard(bot, Events.VoiceStateUpdate, (_, state) => state.id === bot.user.id);
  guild(bot).shard.send({ op: 4, d: { guild_id: guild(bot).id, channel_id: lounge.id, self_mute: false, self_deaf: false } });
  assert.equal((await own)[1].channelId, lounge.id);
}

const ordinary = {
  login, "a bad token": badToken, chat, mentions, replies, edits, deletes, reactions, history, pins, typing, threads, forums,
  "direct messages": directs, attachments, permissions, "roles and members": roles, "slash commands": commands, buttons,
  "voice states": voiceStates, "content intent": trouble.contentHidden, polls: rarer.polls,
  stickers: rarer.stickers, forwards: rarer.forwards, webhooks: rarer.webhooks, "system messages": rarer.systemMessages,
  "bulk deletes": rarer.manyDeleted, forms: rarer.forms, suggestions: rarer.suggestions,
  "comings and goings": rarer.comingsAndGoings,
  "resume after a drop": () => trouble.resumes("drop"),
  "resume after a reconnect": () => trouble.resumes("reconnect"), "resume after a close": () => trouble.resumes("close", { code: 4000 }),
  "resume a zombie": () => trouble.resumes("zombie"), "invalid session": trouble.invalidSession, "unknown events": trouble.malformed,
  "rate limit buckets": trouble.buckets, "too many requests": trouble.tooMany, "a bad gateway": trouble.brokenServer, shards: rarer.shards,
};
const large = { login, "a thousand guilds": rarer.aThousandGuilds };
const cells = process.env.GUILDS === "1000" ? large : ordinary;
bot.on(Events.Error, () => {});
for (const [cell, runs] of Object.entries(cells)) {
  if (wanted.length > 0 && !wanted.includes(cell) && cell !== "login") continue;
  const late = sleep(60_000, "late", { ref: false });
  const wrong = await Promise.race([runs().then(() => null, (error) => `${error.name}: ${error.message}`.slice(0, 300)), late]);
  console.log(JSON.stringify({ cell, wrong }));
}
await Promise.all([bot.destroy(), alice.destroy()]);
process.exit(0);
