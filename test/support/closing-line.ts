/** Ends a run of tests with one plain line that counts them, for machines to read. */
import type { Reporter, TestModule } from 'vitest/node';

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file or a suite that cannot be run has no tests that could fail, and no error goes uncounted.
    const broken = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const errors = broken.flatMap((one) => one.errors()).length + unhandledErrors.length;
    const line = `${count('passed')} passed, ${count('failed') + errors} failed, ${count('skipped')} skipped`;
    // After everything that the reporters before this one write.
    process.once('exit', () => process.stdout.write(`\n${line}\n`));
  }
}
