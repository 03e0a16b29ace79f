// The session page: what Denizen remembers of the conversation, and how.
import { must, until } from './tally.mjs';

/** After the chat: the page shows its turns, counts what comes, and says when the next fold is due. */
export async function checkSession(tally, { alice, bob, url, asked }) {
  const page = alice.page;
  const read = () => fetch(`${url}/api/rooms/lounge/session`).then((response) => response.json());

  await tally.expect('the session page shows every turn that is kept word for word, and none twice', async () => {
    await alice.room();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Session' }).click();
    await page.getByTestId('strip').waitFor();
    const session = await read();
    await page.getByTestId('verbatim').locator('summary').click();
    await page.getByTestId('verbatim').getByText(asked.replace(/^@\S+ /, '')).first().waitFor();
    const listed = await page.getByTestId('verbatim').locator('li:not(.border)').count();
    must(listed === session.verbatim.length, `${listed} are listed, ${session.verbatim.length} are kept`);
    must((await page.getByTestId('strip').getAttribute('data-cursor')) === String(session.cursor), 'the cursor is elsewhere');
  });
  await tally.expect('the strip accounts for every turn', async () => {
    const { verbatim, recentWindow } = await read();
    const keys = await page.locator('[data-key]').evaluateAll((found) => Object.fromEntries(found.map((key) => [key.dataset.key, Number(key.querySelector('strong').textContent.replaceAll(',', ''))])));
    const kept = (keys.recent ?? 0) + (keys.waiting ?? 0) + (keys.folding ?? 0);
    must(kept === verbatim.length, `it shows ${JSON.stringify(keys)}, ${verbatim.length} are kept`);
    must((keys.recent ?? 0) <= recentWindow, `${keys.recent} are protected`);
  });
  await tally.expect('the page says when the next fold comes', async () => {
    const line = page.getByTestId('next-fold');
    const when = await line.getAttribute('data-when');
    const { cursor, turns, verbatim, recentWindow, batchSize } = await read();
    const text = await line.innerText();
    if (when === 'later') must(text.includes(`at turn ${Math.max(cursor + recentWindow + batchSize + 1, turns + recentWindow + batchSize - verbatim.length).toLocaleString('en')}`), `it says “${text}” with the cursor at ${cursor}`);
    else must(['due', 'now'].includes(when), `it says “${text}”`);
  });
  await tally.expect('what is said meanwhile appears by itself', async () => {
    const before = (await read()).turns;
    const run = Date.now().toString(36);
    await bob.room();
    await bob.say(`one more for the session (${run})`);
    await page.getByTestId('verbatim').getByText(`one more for the session (${run})`).waitFor();
    must((await read()).turns > before, 'the turns were not counted');
  });
}
