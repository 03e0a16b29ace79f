// A language model for talks: speaks OpenAI's chat completions, answers at once, and never thinks that it is meant unless it is called.
import { createServer } from 'node:http';

export const SHORT = 'The sky is blue today.';
/** Long enough to be spoken over. */
export const LONG = 'Once upon a time there was a kettle. It stood on a shelf in a small kitchen near the sea. Every morning it sang a little song. The fishermen heard it and knew that it was time for tea. One day the kettle grew silent. Nobody knew why, and everybody missed it. So they went to look for the reason together.';

export async function openAnswerer() {
  const asked = [];
  const server = createServer((request, response) => void serve(request, response).catch((problem) => response.destroy(problem)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function serve(request, response) {
    if (request.url === '/v1/models') return json(response, { object: 'list', data: [{ id: 'answerer', object: 'model' }] });
    if (request.url !== '/v1/chat/completions') return response.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.');
    let text = '';
    for await (const chunk of request) text += chunk;
    const question = JSON.parse(text);
    const words = JSON.stringify(question.messages.at(-1).content);
    const decides = (question.max_tokens ?? question.max_completion_tokens ?? 1_000) <= 16;
    asked.push({ decides, words });
    write(response, question, decides ? 'NO' : /story/i.test(words.slice(-1_500)) ? LONG : SHORT);
  }
  return { base: `http://127.0.0.1:${server.address().port}/v1`, asked, close: () => { server.closeAllConnections(); server.close(); } };
}

function write(response, question, content) {
  const usage = { prompt_tokens: 900, completion_tokens: 30, total_tokens: 930 };
  const about = { id: 'chatcmpl-1', created: 0, model: 'answerer' };
  if (!question.stream) return json(response, { ...about, object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (more) => response.write(`data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', ...more })}\n\n`);
  for (const piece of content.match(/\S+\s*/g)) chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: piece }, finish_reason: null }] });
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  chunk({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}

const json = (response, value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
