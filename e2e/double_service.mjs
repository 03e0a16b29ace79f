// The local realtime services of the tests, as a process: told what to hear and to answer, and asked what it was sent.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class ServiceDouble {
  static async open(provider) {
    const double = new ServiceDouble();
    double.process = spawn(process.env.DOUBLE_BIN, provider === 'xai' ? ['--xai'] : [], { stdio: ['pipe', 'pipe', 'inherit'] });
    double.lines = createInterface({ input: double.process.stdout })[Symbol.asyncIterator]();
    double.address = (await double.lines.next()).value.trim();
    return double;
  }

  tell(wish) {
    this.process.stdin.write(`${wish}\n`);
  }

  /** Every frame that it was sent so far. */
  async received() {
    this.tell('received');
    const frames = [];
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done || value === 'end') return frames;
      frames.push(JSON.parse(value).frame);
    }
  }

  close() {
    this.process.kill();
  }
}
