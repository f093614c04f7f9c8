// An audit holds the ledgers of two runs at a time, as the bytes of their files: a heap of 48 MB is enough for any run.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serviceProgram } from '../support/service-programs.ts';

const HOLDERS = 300_000;
/** Megabytes. As objects, the records of one run alone would take more. */
const HEAP = 48;

test('two runs of 300,000 holders take less than 250 bytes for each', { timeout: 120_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    `--max-old-space-size=${HEAP}`,
    ...serviceProgram('audit-large-ledgers'),
    String(HOLDERS),
  ]);
  const { findings, bytes } = JSON.parse(stdout) as {
    readonly findings: readonly unknown[];
    readonly bytes: number;
  };
  expect(findings).toEqual([]);
  expect(bytes).toBeLessThan(250);
});
