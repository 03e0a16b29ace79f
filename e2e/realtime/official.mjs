// OpenAI's own client for Node.js has a conversation with the double: `node official.mjs ADDRESS`. It hears, calls a tool, answers, is
// stopped and told how much was heard. Prints how many frames it read.
import { connect } from 'node:net';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';

const [host, port] = process.argv[2].split(':');
const client = new OpenAI({ apiKey: 'sk-test', baseURL: `http://${host}:${port}/v1` });
// It speaks TLS whatever address it is given; the double has none.
const socket = new OpenAIRealtimeWS({ model: 'gpt-realtime-1.5', options: { createConnection: () => connect(Number(port), host) } }, client);
const tool = { type: 'function', name: 'look_up', description: 'Looks something up.', parameters: { type: 'object', properties: {} } };
const second = Buffer.alloc(48_000, 1).toString('base64');
let [frames, said, bytes, calls, answers, item, isStopped] = [0, '', 0, [], 0, '', false];

const fail = (why) => {
  console.error(why);
  process.exit(1);
};
setTimeout(() => fail('it took longer than 20 s'), 20_000).unref();
socket.on('error', (error) => fail(error.message));
socket.on('event', () => (frames += 1));
socket.on('session.created', () => {
  socket.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be kind.', tools: [tool], audio: { input: { turn_detection: null } } } });
  socket.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Ada says:' }] } });
  socket.send({ type: 'input_audio_buffer.append', audio: second });
  socket.send({ type: 'input_audio_buffer.commit' });
});
socket.on('conversation.item.input_audio_transcription.completed', () => socket.send({ type: 'response.create' }));
socket.on('response.function_call_arguments.done', ({ call_id, name, arguments: given }) => {
  calls.push(`${name} ${given}`);
  socket.send({ type: 'conversation.item.create', item: { type: 'function_call_output', call_id, output: 'Tea is a drink.' } });
});
socket.on('response.output_audio_transcript.delta', ({ delta, item_id }) => ([said, item] = [said + delta, item_id]));
socket.on('response.output_audio.delta', ({ delta, response_id }) => {
  bytes += Buffer.from(delta, 'base64').length;
  // The second answer is stopped in the midst.
  if (answers === 2 && !isStopped) socket.send({ type: 'response.cancel', response_id });
  isStopped ||= answers === 2;
});
socket.on('response.done', ({ response }) => {
  answers += 1;
  if (answers < 3) return socket.send({ type: 'response.create' });
  if (response.status !== 'cancelled') fail(`the last answer is ${response.status}`);
  socket.send({ type: 'conversation.item.truncate', item_id: item, content_index: 0, audio_end_ms: 100 });
});
socket.on('conversation.item.truncated', () => {
  if (calls.join() !== 'look_up {"what":"tea"}') fail(`it called ${calls}`);
  if (!said.startsWith('Tea is a drink.') || bytes < 40_000) fail(`it said ${said} in ${bytes} bytes`);
  console.log(frames);
  process.exit(0);
});
