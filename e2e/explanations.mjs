// The operator asks why: the panel, the inspector and the journal.
import { must, until } from './tally.mjs';

export async function checkExplanations(tally, { alice, chatter, question, reply, asked }) {
  const page = alice.page;
  const panel = page.getByTestId('why-panel');

  await tally.expect('the why of chatter says that it was passed over, step by step', async () => {
    const { outcome, sentence } = await alice.openWhy(chatter);
    must(outcome === 'silent', `the verdict is ${outcome}: ${sentence}`);
    must(sentence.length > 15, `the sentence is too short: “${sentence}”`);
    must((await panel.locator('code', { hasText: 'text_message_received' }).count()) > 0, 'the chain does not begin with the message');
    must((await panel.getByText(`denizen why ${chatter}`).count()) === 1, 'the command is missing');
  });
  await tally.expect('Escape closes the panel', async () => {
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });
  await tally.expect('the why of Denizen’s own message says why it spoke', async () => {
    const { outcome } = await alice.openWhy(reply);
    must(outcome === 'own', `the verdict is ${outcome}`);
    await page.keyboard.press('Escape');
  });
  await tally.expect('the why of the question says that it was answered, and leads to the reply', async () => {
    const { outcome, sentence } = await alice.openWhy(question);
    must(outcome === 'answered', `the verdict is ${outcome}: ${sentence}`);
    must((await panel.locator('code', { hasText: 'ask_started' }).count()) > 0, 'no model call in the chain');
    await panel.getByRole('link', { name: 'show it' }).last().click();
    await page.locator(`[data-message="${reply}"]`).waitFor();
  });
  await tally.expect('the inspector shows the sections of the call', async () => {
    await panel.getByRole('link', { name: /^call \d+/ }).first().click();
    await page.getByRole('tab', { name: 'Sections' }).waitFor();
    must((await page.locator('[data-section]').count()) > 1, 'there are no sections');
  });
  await tally.expect('the raw request holds what Alice wrote', async () => {
    await page.getByRole('tab', { name: 'Raw request' }).click();
    const raw = await page.getByTestId('raw-request').innerText();
    must(raw.includes(asked.replace(/^@\S+ /, '')), `it is not in the ${raw.length} characters of the request`);
  });
  await tally.expect('the other tabs have something to say', async () => {
    for (const name of ['Conversation', 'Raw response', 'Answer', 'What changed']) {
      await page.getByRole('tab', { name }).click();
      await until(async () => (await page.getByRole('tabpanel').innerText()).trim().length > 10, `the tab ${name} is empty`);
    }
  });
  await tally.expect('the list of calls leads to the call', async () => {
    await alice.goto('#/asks');
    await page.getByTestId('asks').locator('tbody tr').first().getByRole('link').click();
    await page.getByRole('tab', { name: 'Sections' }).waitFor();
  });
  await tally.expect('the journal lists the end of the turn, and filters', async () => {
    await alice.goto('#/journal');
    const lines = page.getByTestId('journal').locator('[data-name]');
    await page.getByTestId('journal').locator('[data-name="text_turn_ended"]').first().waitFor();
    const all = await lines.count();
    await page.getByRole('combobox', { name: 'Event' }).selectOption('text_turn_ended');
    await until(async () => (await lines.count()) < all && (await page.locator('[data-name]:not([data-name="text_turn_ended"])').count()) === 0, 'other lines are still there');
  });
}
