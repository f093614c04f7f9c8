/** Recomputes a run as an outsider does: with `examples/recompute-run.mjs`, saved files and a node, in a folder with nothing else. */
import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { folderForTheFile } from './after-the-file.ts';
import type { ClosedRun, DistributionJourney } from './distribution-journey.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const HOW_TO = fileURLToPath(new URL('../../docs/how-to/integrate/recompute-a-run.md', import.meta.url));
/** Named in the how-to. */
const PUBLIC_NODE = 'https://api.mainnet-beta.solana.com';
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
  const folder = await folderForTheFile();
  const args = ['--rpc', rpc];
  const save = async (name: string, bytes: Uint8Array) => {
    const file = join(folder, name);
    await writeFile(file, alter(name, Buffer.from(bytes)));
    args.push(`--${name}`, file);
  };
  const fileOf = async (sha256: string) => (await journey.client().call('GET', `/files/${sha256}`)).bytes;
  const page = await journey.closedRun(number);
  await save('run', Buffer.from(JSON.stringify({ run: page })));
  await save('allotment', await fileOf(page.ledger.sha256));
  await save('settlement', await fileOf(page.ledger.settlementSha256));
  if (number > 1) {
    const { ledger }: ClosedRun = await journey.closedRun(number - 1);
    await save('before-allotment', await fileOf(ledger.sha256));
    await save('before-settlement', await fileOf(ledger.settlementSha256));
  }
  return run(process.execPath, [join(EXAMPLES, 'recompute-run.mjs'), ...args], { cwd: folder });
}

function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Verdict> {
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? HOLDS : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });
}

/** Does with the token's two latest runs what the how-to says, word by word, in a folder that has nothing but the examples. */
export async function followHowTo(journey: DistributionJourney): Promise<Verdict> {
  const folder = await folderForTheFile();
  for (const script of ['recompute-run.mjs', 'verify-payment.mjs'])
    await copyFile(join(EXAMPLES, script), join(folder, script));
  const text = await readFile(HOW_TO, 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
  const commands = blocks.join('').replaceAll(PUBLIC_NODE, journey.chainUrl());
  const env = { PATH: process.env.PATH, LEVY: journey.client().url, TOKEN_ID: journey.tokenId };
  return run('bash', ['-euo', 'pipefail', '-c', commands], { cwd: folder, env });
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
