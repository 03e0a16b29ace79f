// A language model for the checks: speaks OpenAI's chat completions, and thinks what it is told to. And a small feed for it to read.
import { createServer } from 'node:http';

export const TITLE = 'Six cooperative games that work with exactly three people';

/** Serves both; `base` is the model's address, `feed` the feed's, `host` the one that has to be allowed. */
export async function openThinker() {
  const asked = [];
  const state = { action: 'post_now', thoughts: 0 };
  const server = createServer((request, response) => void serve(request, response).catch((problem) => response.destroy(problem)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${server.address().port}`;
  const page = `http://${host}/cooperative-games-for-three`;

  async function serve(request, response) {
    if (request.url === '/v1/models') return json(response, { object: 'list', data: [{ id: 'thinker', object: 'model' }] });
    if (request.url === '/v1/chat/completions') return answer(JSON.parse(await body(request)), response);
    if (request.url === '/feed.xml') return response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(rss(page));
    if (request.url === '/cooperative-games-for-three') return response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><title>${TITLE}</title><body><article><h1>${TITLE}</h1><p>None of them needs a fourth. Pandemic, Hanabi and The Crew are among them.</p></article></body></html>`);
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.');
  }

  function answer(question, response) {
    const looked = question.messages.some(({ role }) => role === 'tool');
    const scrape = question.tools?.find(({ function: tool }) => tool.name === 'web_scrape');
    const isThought = question.response_format?.json_schema?.name === 'thought' || /AMBIENT TEXT MODE/i.test(JSON.stringify(question.messages));
    asked.push({ isThought, tools: question.tools?.map(({ function: tool }) => tool.name) ?? [] });
    if (isThought && scrape && !looked) return say(response, question, null, [{ index: 0, id: 'call_1', type: 'function', function: { name: 'web_scrape', arguments: JSON.stringify({ url: page }) } }]);
    if (isThought) return say(response, question, JSON.stringify(thought()));
    say(response, question, question.response_format ? '{}' : 'Quite so.');
  }

  /** Never the same twice: what was said or shared before is not posted again. */
  function thought() {
    state.thoughts += 1;
    const { action } = state;
    const text = action === 'hold' ? `Something about the kettle, once they are done talking (${state.thoughts}).` : `If the three of you still look for a game for Thursday: these six work with exactly three (${state.thoughts}). ${page}`;
    return { action, text, channel: 'lounge', reply_to: null, media: null, reason: action === 'hold' ? 'they are in the middle of something' : 'it fits what they talk about' };
  }

  return { base: `http://${host}/v1`, feed: `http://${host}/feed.xml`, gone: `http://${host}/gone.xml`, host, page, state, asked, close: () => { server.closeAllConnections(); server.close(); } };
}

function say(response, question, content, calls) {
  const usage = { prompt_tokens: 1_200, completion_tokens: 90, total_tokens: 1_290 };
  const about = { id: 'chatcmpl-1', created: 0, model: 'thinker' };
  const finish_reason = calls ? 'tool_calls' : 'stop';
  if (!question.stream) return json(response, { ...about, object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content, ...(calls ? { tool_calls: calls } : {}) }, finish_reason }], usage });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (more) => response.write(`data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', ...more })}\n\n`);
  chunk({ choices: [{ index: 0, delta: calls ? { role: 'assistant', tool_calls: calls } : { role: 'assistant', content }, finish_reason: null }] });
  chunk({ choices: [{ index: 0, delta: {}, finish_reason }] });
  chunk({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}

const json = (response, value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

async function body(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

const rss = (page) => `<?xml version="1.0"?><rss version="2.0"><channel><title>Let us play</title><link>${new URL('/', page)}</link><description>Games</description>
<item><title>${TITLE}</title><link>${page}</link><guid>${page}</guid><description>None of them needs a fourth.</description><pubDate>${new Date(Date.now() - 3_600_000).toUTCString()}</pubDate></item>
</channel></rss>`;
