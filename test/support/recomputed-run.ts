/** Recomputes a run as an outsider does: with `examples/recompute-run.mjs`, saved files and a node, in a folder with nothing else. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { ClosedRun, DistributionJourney } from './distribution-journey.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/recompute-run.mjs', import.meta.url));
export const HOLDS = 0;
export const DOES_NOT_HOLD = 1;

export interface Verdict {
  readonly code: number;
  readonly output: string;
}

/** `rpc` is the chain unless another node is named. */
export async function recompute(
  journey: DistributionJourney,
  number: number,
  { rpc = journey.chainUrl(), alter = (_name: string, bytes: Buffer) => bytes } = {},
): Promise<Verdict> {
  const folder = await temporaryFolder();
  const args = ['--rpc', rpc];
  const save = async (name: string, bytes: Uint8Array) => {
    const file = join(folder, name);
    await writeFile(file, alter(name, Buffer.from(bytes)));
    args.push(`--${name}`, file);
  };
  const fileOf = async (sha256: string) =>
    (await journey.client().call('GET', `/distribution/files/${sha256}`)).bytes;
  const run = await journey.closedRun(number);
  await save('run', Buffer.from(JSON.stringify({ run })));
  await save('allotment', await fileOf(run.ledger.sha256));
  await save('settlement', await fileOf(run.ledger.settlementSha256));
  if (number > 1) {
    const { ledger }: ClosedRun = await journey.closedRun(number - 1);
    await save('before-allotment', await fileOf(ledger.sha256));
    await save('before-settlement', await fileOf(ledger.settlementSha256));
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? HOLDS : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });
}

/** Each of the runs can be recomputed, and holds. */
export async function expectRecomputable(
  journey: DistributionJourney,
  numbers: readonly number[],
): Promise<void> {
  for (const number of numbers) {
    const { code, output } = await recompute(journey, number);
    expect(code, output).toBe(HOLDS);
  }
}
