// A day of ticks, some posts and sources, so that the page of its thoughts has something to show.
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const SITE = 'https://letsplay.example';
export const ITEMS = [
  { source: { family: 'rss', name: `${SITE}/feed.xml` }, url: `${SITE}/cooperative-games-for-three`, title: 'Six cooperative games that work with exactly three people', summary: 'None of them needs a fourth.', popularity: 0.8, nsfw: false },
  { source: { family: 'hacker_news', name: 'top' }, url: 'https://kettle.example/teardown', title: 'Teardown: why cheap kettles fail after two years', summary: '', points: 412, comments: 188, popularity: 0.97, nsfw: false },
  { source: { family: 'reddit', name: 'boardgames' }, url: 'https://www.reddit.com/r/boardgames/comments/abc', title: 'What is the one expansion you would never play without?', summary: '', points: 1_240, comments: 530, popularity: 0.9, nsfw: false },
  { source: { family: 'youtube', name: 'UCsBjURrPoezykLs9EqgamOA' }, url: 'https://www.youtube.com/watch?v=example', title: 'Rust in 100 seconds, again, but slower', summary: '', popularity: 0.5, nsfw: false },
  { source: { family: 'rss', name: 'https://canal.example/news.atom' }, url: 'https://canal.example/2026/new-cafe', title: 'A new café opens on the canal', summary: 'With room for a large table.', popularity: 0.3, nsfw: false },
];

export function candidates(now) {
  const parts = [[0.82, 0.95, 0.7, 0.8, 0.08], [0.5, 0.6, 0.9, 0.97, -0.05], [0.66, 0.72, 0.35, 0.9, 0.02], [0.4, 0.5, 0.8, 0.5, 0.1], [0.2, 0.31, 0.95, 0.3, -0.11]];
  return ITEMS.map((item, index) => {
    const [source, topic, freshness, popularity, chance] = parts[index];
    return { item: { ...item, publishedAt: now - (index * 5 + 1) * HOUR }, score: 0.3 * source + 0.4 * topic + 0.2 * freshness + 0.1 * popularity + chance, source, topic, freshness, popularity, chance };
  }).sort((left, right) => right.score - left.score);
}

export const reports = () => [
  { source: { family: 'hacker_news', name: 'top' }, items: 30, fresh: 10, unchanged: false },
  { source: { family: 'reddit', name: 'boardgames' }, items: 25, fresh: 8, unchanged: true },
  { source: { family: 'rss', name: `${SITE}/feed.xml` }, items: 12, fresh: 2, unchanged: false },
  { source: { family: 'rss', name: 'https://gone.example/rss' }, items: 0, fresh: 0, unchanged: false, failure: 'gone.example answered 404: there is no feed there any more. Take it out of initiative.discovery.rssFeeds, or correct its address.' },
];

export function pastOf(now) {
  const receipt = (from, until, ticks, gate, words, more = {}) => ({ firstAt: now - from, lastAt: now - until, ticks, ran: false, gate, words, roll: null, below: null, action: null, turn: null, ...more });
  const ran = (ago, action, words, turn, more = {}) => receipt(ago, ago, 1, null, words, { ran: true, action, turn, ...more });
  const posted = (turn, ago, text, more) => ({ turn, room: 'lounge', messages: [`thought-${turn}`], text, at: now - ago, links: [], media: null, reactions: 0, replies: 0, ...more });
  return {
    receipts: [
      receipt(52 * MINUTE, MINUTE, 52, 'no_channels', 'no channel may be posted to: name one in permissions.replies.discoveryChannelIds that is neither blocked nor left out'),
      receipt(80 * MINUTE, 53 * MINUTE, 27, 'gap', 'it looked for a fresh thought not long ago (initiative.text.minMinutesBetweenPosts)'),
      ran(81 * MINUTE, 'drop', 'looked for a fresh thought', 9003, { roll: 7, below: 20 }),
      receipt(115 * MINUTE, 82 * MINUTE, 33, 'eagerness', 'chance was against it (initiative.text.eagerness)', { roll: 43, below: 20 }),
      receipt(130 * MINUTE, 116 * MINUTE, 14, 'attention_active', 'somebody is talking with it, and that comes first (attention.activeSeconds)'),
      receipt(190 * MINUTE, 131 * MINUTE, 60, 'eagerness', 'chance was against it (initiative.text.eagerness)', { roll: 88, below: 20 }),
      receipt(9 * HOUR, 191 * MINUTE, 349, 'gap', 'it looked for a fresh thought not long ago (initiative.text.minMinutesBetweenPosts)'),
      ran(9 * HOUR + MINUTE, 'post_now', 'looked at the thought it holds', 9002),
      ran(9 * HOUR + 2 * MINUTE, 'hold', 'looked for a fresh thought', 9001, { roll: 3, below: 20 }),
      receipt(10 * HOUR, 9 * HOUR + 3 * MINUTE, 57, 'eagerness', 'chance was against it (initiative.text.eagerness)', { roll: 51, below: 20 }),
      ran(10 * HOUR + 4 * MINUTE, 'failed', 'looked for a fresh thought', 9000, { roll: 11, below: 20 }),
      receipt(13 * HOUR, 10 * HOUR + 5 * MINUTE, 175, 'daily_cap', 'as many posts of its own as are allowed in 24 hours were made (initiative.text.maxPostsPerDay)'),
      receipt(15 * HOUR, 13 * HOUR + MINUTE, 119, 'budget_calls', 'as many model calls as are allowed in 24 hours were made (initiative.budget.maxCallsPerDay)'),
      receipt(23 * HOUR, 15 * HOUR + MINUTE, 479, 'gap', 'it looked for a fresh thought not long ago (initiative.text.minMinutesBetweenPosts)'),
    ],
    posts: [
      posted(9002, 9 * HOUR + MINUTE, `If the three of you still look for a game: [six cooperative ones](${SITE}/cooperative-games-for-three) that do not need a fourth. ${SITE}/cooperative-games-for-three`, { links: [{ url: `${SITE}/cooperative-games-for-three`, source: { family: 'rss', name: `${SITE}/feed.xml` } }], reactions: 2, replies: 1 }),
      posted(8870, 26 * HOUR, 'Thinking about the kettle: descaling it once a month would have given it another year. https://kettle.example/teardown', { links: [{ url: 'https://kettle.example/teardown', source: { family: 'hacker_news', name: 'top' } }], media: 'image' }),
    ],
    own: [{ source: { family: 'rss', name: 'https://canal.example/news.atom' }, own: true, addedAt: now - 30 * HOUR, reason: 'they keep talking about the place by the canal' }],
    tallies: new Map([
      ['rss:https://canal.example/news.atom', { shown: 9, shared: 0, reactions: 0, replies: 0 }],
      ['hacker_news:top', { shown: 44, shared: 1, reactions: 0, replies: 0 }],
      ['reddit:boardgames', { shown: 31, shared: 2, reactions: 5, replies: 3 }],
      [`rss:${SITE}/feed.xml`, { shown: 12, shared: 1, reactions: 2, replies: 1 }],
    ]),
    reports: reports(),
    candidates: candidates(now),
    usage: [9 * HOUR, 9 * HOUR + MINUTE, 81 * MINUTE].flatMap((ago) => [1, 2].map(() => ({ at: now - ago, tokens: 1_710, cost: 2_090 }))),
    lastConsidered: now - 7 * HOUR,
  };
}

/** The message of the newest post, so that the page can lead to it. */
export function pastMessages(world, ambient) {
  for (const post of [...ambient.posts].reverse()) {
    world.add({ id: post.messages[0], room: post.room, author: { ...world.denizen, kind: 'denizen' }, text: post.text, at: post.at, turn: post.turn, ...(post.reactions ? { reactions: [{ emoji: '🎲', people: ['local:mira', 'local:bob'] }] } : {}) }, true);
    world.note('initiative_post', { messages: post.messages, characters: post.text.length }, { room: post.room, turn: post.turn, messages: post.messages }, post.at);
  }
  // They were said in between.
  world.messages.sort((left, right) => left.at - right.at);
  world.messages.forEach((message, index) => (message.seq = index + 1));
}
