#!/usr/bin/env node
// Figures of the manual, written by a command and never by hand.
//
//   tools/figures.mjs record [COMMIT] < output-of-make-bench     keeps its sections in docs/results.txt
//   tools/figures.mjs write                                      writes the table of docs/benchmarks.md from them
//   tools/figures.mjs check                                      fails where the table is not what `write` would write
//
// docs/results.txt holds one section a bench, each with the commit, the day and the machine it comes from, so a part can be
// measured anew by itself. A row whose section is missing says so in the table; one whose section reads otherwise than
// expected is an error: whoever changes what a bench prints changes its row here.

import { readFileSync, writeFileSync, existsSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const resultsPath = join(root, "docs/results.txt");
const pagePath = join(root, "docs/benchmarks.md");
const begins = "<!-- make figures: everything up to the end is written anew -->";
const ends = "<!-- end of make figures -->";

/** What a row is made of: a section, and what is taken out of it by patterns whose groups come in their order. */
const rows = [
  ["a gate decision", "CPU time of a turn", [/^ +10 +([\d.]+) µs/m], (gate) => `${gate} µs, no model`],
  [
    "a whole text turn in the mind, with an instant model",
    "CPU time of a turn",
    [/^ +10 +\S+ µs +([\d.]+) µs/m, /^ +10000 +\S+ µs +([\d.]+) µs/m],
    (few, many) => `${ms(few)} ms of CPU after 10 messages, ${ms(many)} ms after 10,000`,
  ],
  [
    "a prompt down to wire bytes",
    "CPU time of a turn",
    [/^ +1000 +\S+ µs +\S+ µs +([\d.]+) µs/m, /^ +10000 +\S+ µs +\S+ µs +([\d.]+) µs +\S+ µs +([\d.]+×)/m],
    (few, many, naive) => `${ms(few)} ms at 1,000 messages, ${ms(many)} ms at 10,000 (every message in every prompt: ${naive})`,
  ],
  [
    "a step in a community of 1,000 rooms",
    "a step among many rooms",
    [/^ +1000 .*?\(([\d.]+)×\).*?\(([\d.]+)×\).*?\(([\d.]+)×\)/m],
    (...ratios) => `${Math.min(...ratios)} to ${Math.max(...ratios)} times one in a community of a single room`,
  ],
  [
    "a reply through the running program, in a room with 10 and with 10,000 messages, memory included",
    "a reply through the running program",
    [
      /^ +10 +([\d.]+) +([\d.]+) +([\d.]+) +\S+ +\S+ +([\d.]+) +\S+ +\S+ +([\d.]+) +([\d.]+)/m,
      /^ +10000 +([\d.]+) +([\d.]+) +([\d.]+) +\S+ +\S+ +([\d.]+) +\S+ +\S+ +([\d.]+) +([\d.]+)/m,
    ],
    (user, system, waits, written, sent, late, userFull, systemFull, waitsFull, writtenFull, sentFull, lateFull) =>
      `${sum(user, system)} and ${sum(userFull, systemFull)} ms of CPU, ${waits} and ${waitsFull} waits for the disk, ${round(written)} and ${round(writtenFull)} kB written; sent after ${sent} and ${sentFull} ms at p50, ${late} and ${lateFull} at p95`,
  ],
  [
    "a text turn beside its peers, the model on loopback",
    "beside its peers",
    [/beside (.*)/, /on loopback, ms of CPU +([\d.]+) +([\d.]+) .*? +([\d.]+) /],
    (peers, ours, pipecat, livekit) =>
      `${ours} ms of CPU, everything on disk, memory included; pipecat ${pipecat}, livekit-agents ${livekit}, which keep nothing (${peers})`,
  ],
  [
    "finding something among 6,000, start-up and memory beside its peers",
    "beside its peers",
    [
      /among 6,000, ms at p50 +([\d.]+) +- +- +([\d.]+)/,
      /can be asked, ms +([\d.]+) +([\d.]+) .*? +([\d.]+) .*? +([\d.]+) /,
      /memory then, MB +([\d.]+) +([\d.]+) .*? +([\d.]+) .*? +([\d.]+) /,
    ],
    (found, mem0Found, start, pipecatStart, livekitStart, mem0Start, held, pipecatHeld, livekitHeld, mem0Held) =>
      `${found} ms (mem0: ${mem0Found}); ${start} ms (pipecat ${pipecatStart}, livekit-agents ${livekitStart}, mem0 ${mem0Start}); ${held} MB (${pipecatHeld}, ${livekitHeld}, ${mem0Held})`,
  ],
  ["start-up to healthy", "a running process", [/healthy: (\d+) ms/], (took) => `${took} ms`],
  [
    "memory",
    "a running process",
    [/idle: ([\d.]+) MB/, /10000 messages: ([\d.]+) MB/],
    (idle, full) => `${round(idle)} MB idle, ${round(full)} MB after 10,000 messages`,
  ],
  [
    "messages accepted and on disk",
    "a running process",
    [/on disk: (\d+) a second/],
    (rate) => `${rate} a second, from 16 writers`,
  ],
  [
    "a connection that stays open",
    "connections",
    [/: ([\d.]+) kB each/, /new connection: ([\d.]+) ms; on a kept one: ([\d.]+) ms/],
    (each, fresh, kept) => `${each} kB; a request takes ${kept} ms on it, and ${fresh} ms on a new one`,
  ],
  [
    "finding a memory among 100,000",
    "finding a gem among many",
    [/search: ([\d.]+) ms p50/, /ratio: ([\d.]+)×/],
    (took, ratio) => `${took} ms (looking at each: ×${ratio})`,
  ],
  [
    "scoring a frame of a shared screen, 1280 by 720",
    "looking at a frame",
    [/grid and score\) +([\d.]+) µs/, /in f64 +\S+ µs +([\d.]+)×/, /scdet +\S+ µs +([\d.]+)×/],
    (ours, naive, scdet) => `${ours} µs (pixel by pixel in f64: ×${naive}; ffmpeg's scdet: ×${scdet})`,
  ],
  [
    "decoding and scoring one of H.264, baseline and high profile",
    "looking at a frame",
    [/baseline[^]*?score a frame +([\d.]+) µs[^]*?([\d.]+)× ours[^]*?high[^]*?score a frame +([\d.]+) µs[^]*?([\d.]+)× ours/],
    (low, lowPeer, high, highPeer) =>
      `${ms(low)} and ${ms(high)} ms (ffmpeg only decoding, on one thread: ×${lowPeer} and ×${highPeer})`,
  ],
  [
    "listening to eight people, one of whom speaks at a time",
    "listening to several people",
    [/at a time[^]*?8 speakers[^]*?clips +([\d.]+) ms a second.*?p95 +([\d.]+) µs[^]*?block .*?([\d.]+)× ours[^]*?only decoding +([\d.]+) ms/],
    (ours, late, naive, opus) =>
      `${ours} ms of CPU a second, of which ${opus} decode Opus (a network on every block of every track: ×${naive}); ${ms(late)} ms at p95 for the 20 ms of all eight`,
  ],
  [
    "the same while all eight speak",
    "listening to several people",
    [/all the time[^]*?8 speakers[^]*?clips +([\d.]+) ms a second.*?p95 +([\d.]+) µs/],
    (ours, late) => `${ours} ms of CPU a second, ${ms(late)} ms at p95`,
  ],
  [
    "falling silent when it is spoken over, 200 frames queued",
    "listening to several people",
    [/in the mind.*?p95 +([\d.]+) µs/, /still given.*?(\d+) frames at most/, /played out +\S+ ms, (\d+) frames/],
    (decided, frames, naive) => `${frames} frames go out (where what is queued is played out: ${naive}); decided in ${decided} µs at p95`,
  ],
  [
    "listening to eight people and falling silent in pipecat, which leaves decoding to others",
    "listening in pipecat",
    [/(pipecat \S+)/, /8 speakers: ([\d.]+) ms a second.*?p95 ([\d.]+) ms/, /queued: p50 ([\d.]+) ms.*?and (\d+) frames/],
    (peer, cpu, late, silence, frames) =>
      `${peer}: ${cpu} ms of CPU a second, ${late} ms at p95; ${frames} frame goes out, ${silence} ms`,
  ],
  [
    "from the end of speech to the first sound, with Moonshine and Piper on this machine",
    "answering aloud",
    [/endOfSpeechMs\) +p50 +(\d+) ms/, /in all +p50 +(\d+) ms +p95 +(\d+) ms\n +the ears/, /wrong \(([\d.]+) %\)/, /wrong(?:.*besides its name \(([\d.]+) %\))?/],
    (silence, half, late, wrong, besides) =>
      `${half} ms at p50 and ${late} at p95, of which ${silence} are the silence that ends a turn; the model answers at once. ${wrong} % of the words were understood wrongly${besides ? `, ${besides} % of those that are not its name` : ""}`,
  ],
  [
    "fifty conversations at a realtime service on one core, each 3 s heard and 3 s said a turn",
    "conversations at a realtime service",
    [
      /^ +50 denizen +([\d.]+) \/ ([\d.]+) +([\d.]+) \/ ([\d.]+) +([\d.]+) +([\d.]+)/m,
      /^ +50 plain +\S+ \/ \S+ +\S+ \/ ([\d.]+) +([\d.]+)/m,
    ],
    (_up, lateUp, down, lateDown, cpu, share, plainDown, plain) =>
      `${cpu} ms of CPU a turn, ${share} % of the core (a plain client that keeps nothing: ${plain} ms); a piece of sound comes after ${down} ms at p50 and ${lateDown} at p95 (plain: ${plainDown}), a clip is up after ${lateUp} ms at p95`,
  ],
  [
    "an hour of talk among four, of which a sixth is said to it",
    "an hour of talk",
    [
      /turns heard +(\d+)/,
      /calls of a model +(\d+) +(\d+)/,
      /extraction +(\d+)/,
      /voice_reply +(\d+)/,
      /decision +(\d+)/,
      /tokens read +(\d+) +(\d+)/,
      /dollars.*?\) +([\d.]+) +([\d.]+)/,
      /a processor +(\d+)/,
      /kilobytes on disk +(\d+)/,
    ],
    (turns, calls, naiveCalls, memory, answers, decisions, tokens, naiveTokens, dollars, naiveDollars, cpu, disk) =>
      `${turns} turns: ${calls} calls (${answers} answers, ${decisions} decisions, ${memory} for memory), ${tokens} tokens read, $${dollars}, ${(cpu / 3600).toFixed(2)} of a core, ${round(disk / 1000)} MB on disk (answering every turn: ${naiveCalls} calls, ${naiveTokens} tokens, $${naiveDollars})`,
  ],
  [
    "telling what is meant for it from what local ears heard, without a model",
    "telling who is meant from what is heard",
    [
      /for judging[^]*?voice gate, as it was said +([\d.]+) +([\d.]+)[^]*?as it was heard +([\d.]+) +([\d.]+)[^]*?spellings learnt +([\d.]+) +([\d.]+)/,
    ],
    (said, saidAll, heard, heardAll, learnt, learntAll) =>
      `precision ${heard}, recall ${heardAll}; ${learnt} and ${learntAll} once it has learnt how they write its name (by the very words: ${said} and ${saidAll}), on rooms and voices that nothing was tuned on`,
  ],
  [
    "what is noted of a shared screen",
    "what is noted of a screen",
    [/relative catches ([\d.]+) % with (\d+) calls an hour.*?every 2 s ([\d.]+)× \(([\d.]+) %\)/],
    (caught, calls, naive, naiveCaught) =>
      `${caught} % of what happens, with ${calls} calls an hour (a look every 2 s: ${naiveCaught} % with ×${naive})`,
  ],
  [
    "four simulated weeks with models that fail and restarts",
    "four weeks with thoughts of its own, models that fail and restarts",
    [/every standing property held/, /^user ([\d.]+)/m],
    (took) => `${took} s of CPU, every standing property held`,
  ],
];

function ms(microseconds) {
  return (Number(microseconds) / 1000).toPrecision(2);
}

function sum(one, other) {
  return (Number(one) + Number(other)).toFixed(2);
}

function round(number) {
  return String(Math.round(Number(number)));
}

/** Sections by their titles; what stands before the first is dropped. */
function sections(text) {
  const found = new Map();
  for (const part of text.split(/^(?=== )/m)) {
    const title = /^== (.*)\n/.exec(part);
    if (title) found.set(title[1].trim(), part.slice(title[0].length).trim());
  }
  return found;
}

function kept() {
  return existsSync(resultsPath) ? sections(readFileSync(resultsPath, "utf8")) : new Map();
}

function record(commit) {
  const output = readFileSync(0, "utf8");
  if (output.includes("DEBUG BUILD")) fail("figures of a debug build say nothing: docs/results.txt is left as it is");
  const fresh = sections(output);
  if (fresh.size === 0) fail("no section such as `== a running process` was given on standard input");
  const all = kept();
  for (const [title, body] of fresh) all.set(title, `commit ${commit}\n${body}`);
  const text = [...all].map(([title, body]) => `== ${title}\n${body}\n`).join("\n");
  writeFileSync(resultsPath, text);
  console.log(`docs/results.txt: ${fresh.size} of ${all.size} sections are new`);
}

function row([label, title, patterns, words], results) {
  const section = results.get(title);
  if (!section) return `| ${label} | not measured |`;
  const groups = patterns.flatMap((pattern) => {
    const match = pattern.exec(section);
    if (!match) fail(`docs/results.txt, section "${title}": nothing fits ${pattern}. Mend the row "${label}" of tools/figures.mjs.`);
    return match.slice(1);
  });
  return `| ${label} | ${words(...groups)} |`;
}

function table() {
  const results = kept();
  const from = [...results.values()].flatMap((body) => {
    const [, commit, day] = /^commit (\S+)[^]*?(\d{4}-\d{2}-\d{2})/.exec(body) ?? [];
    return commit ? [`${commit} of ${day}`] : [];
  });
  const machine = /build, .*?, (.*?), load/.exec([...results.values()].join("\n"))?.[1] ?? "an unknown machine";
  return [
    `| measured on ${machine}; commit ${[...new Set(from)].join(", ")} | |`,
    "|---|---|",
    ...rows.map((one) => row(one, results)),
  ].join("\n");
}

function page() {
  const text = readFileSync(pagePath, "utf8");
  const [start, end] = [text.indexOf(begins), text.indexOf(ends)];
  if (start < 0 || end < start) fail("docs/benchmarks.md lacks the marks between which figures are written");
  return { text, fresh: `${text.slice(0, start + begins.length)}\n${table()}\n${text.slice(end)}` };
}

function fail(why) {
  console.error(why);
  process.exit(1);
}

const [command, commit] = process.argv.slice(2);
if (command === "record") {
  record(commit ?? execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { cwd: root, encoding: "utf8" }).trim());
} else if (command === "write") {
  writeFileSync(pagePath, page().fresh);
} else if (command === "check") {
  const { text, fresh } = page();
  if (text !== fresh) fail("docs/benchmarks.md is not what docs/results.txt says: run `make figures`");
} else {
  fail("usage: tools/figures.mjs record [COMMIT] | write | check");
}
