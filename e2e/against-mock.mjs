// The same checks against the mock server, for work on the pages: `npm run mock`. Needs a built `ui/dist`.
import { start } from '../ui/mock/server.mjs';
import { run } from './room.mjs';

const mock = await start({ past: process.env.MOCK_EMPTY !== '1' });
const passed = await run(mock.url);
mock.stop();
process.exit(passed ? 0 : 1);
