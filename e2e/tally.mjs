// Runs named expectations one after another, goes on after a failure, and counts.
export class Tally {
  passed = 0;
  failed = 0;

  /** Runs one expectation; its result, or undefined when it failed. */
  async expect(name, body) {
    const began = Date.now();
    try {
      const result = await body();
      this.passed += 1;
      console.log(`ok      ${name} (${Date.now() - began} ms)`);
      return result;
    } catch (problem) {
      this.failed += 1;
      console.log(`FAILED  ${name}\n        ${String(problem.message ?? problem).split('\n').slice(0, Number(process.env.LINES ?? 6)).join('\n        ')}`);
      return undefined;
    }
  }

  close() {
    console.log(`${this.passed} passed, ${this.failed} failed`);
    return this.failed === 0;
  }
}

export function must(condition, otherwise) {
  if (!condition) throw new Error(otherwise);
}

/** Asks again and again until it is so. */
export async function until(question, otherwise, timeout = 15_000) {
  const end = Date.now() + timeout;
  for (;;) {
    const answer = await question();
    if (answer) return answer;
    must(Date.now() < end, `${typeof otherwise === 'function' ? await otherwise() : otherwise} (waited ${timeout / 1000} s)`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
