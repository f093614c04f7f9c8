/** Cost of scanning a token's holders on the embedded chain, and how long the scan delays other calls. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { openLocalChain } from 'levy-local-chain';
import { addressOf, TOKEN_2022_PROGRAM, tokenAccountFigures } from 'levy-solana-wire';
import { createNodeChain } from '../../src/adapters/solana-rpc/chain.ts';
import type { Chain } from '../../src/kernel/ports/chain.ts';
import { alternate } from '../measuring/alternate.ts';
import { startServer } from '../measuring/child.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const MANY = 100_000;
const FEW = 1_000;
const ROUNDS = 3;
/** Maximum milliseconds of processor time for which one call may delay another. */
const LONGEST_STALL = 50;
const ACCOUNT_SIZE = 182;

export const scan: Line = () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'accounts.json');
    const [many, few] = [addressOf(bytesOf(1)), addressOf(bytesOf(2))];
    await writeAccounts(file, [
      [1, MANY],
      [2, FEW],
    ]);
    const local = await openLocalChain({
      dataDir: join(folder, 'chain'),
      accountFiles: [file],
    });
    const caller = await startServer(new URL('../measuring/impatient-caller-process.ts', import.meta.url), {
      url: local.url,
    });
    try {
      return await comparisons(local.url, many, few, async () => Number(await caller.ask('longest')));
    } finally {
      await caller.stop();
      await local.close();
    }
  });

async function comparisons(
  url: string,
  many: string,
  few: string,
  longest: () => Promise<number>,
): Promise<readonly Comparison[]> {
  const chain = createNodeChain({ url });
  const costs: number[] = [];
  const stalls: number[] = [];
  const quiet: number[] = [];
  const oneCall: number[] = [];
  const allowed: number[] = [];
  const { medians, ratio } = await alternate(ROUNDS, {
    async many() {
      await longest();
      const cost = await microsecondsAHolder(chain, many, MANY);
      stalls.push(await longest());
      costs.push(cost);
      return cost;
    },
    async few() {
      const times = MANY / FEW / 5;
      let total = 0;
      for (let time = 0; time < times; time += 1) total += await microsecondsAHolder(chain, few, FEW);
      return total / times;
    },
    async quiet() {
      await longest();
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      quiet.push(await longest());
      return 1;
    },
    async allowed() {
      allowed.push(wallTimeOf(LONGEST_STALL));
      return 1;
    },
    async oneCall() {
      await longest();
      await inOneCall(url, many);
      oneCall.push(await longest());
      return 1;
    },
  });
  const middle = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  return [
    {
      what: `a scan of ${written(MANY)} token accounts / of ${written(FEW)}, per account`,
      ratio: ratio('many', 'few'),
      target: { atMost: 1.2 },
      figures: `${written(medians.many)} us, ${written(medians.few)} us; a scan in ${written((medians.many * MANY) / 1e6)} s`,
    },
    {
      what: `the longest of other calls during that scan / ${LONGEST_STALL} ms of processor time`,
      ratio: middle(stalls) / middle(allowed),
      target: { atMost: 1 },
      figures: `${written(middle(stalls))} ms, ${written(middle(allowed))} ms; without a scan ${written(middle(quiet))} ms`,
    },
    {
      what: `the longest of other calls during one getProgramAccounts of all accounts / ${LONGEST_STALL} ms of processor time`,
      ratio: middle(oneCall) / middle(allowed),
      target: { atMost: 1 },
      figures: `${written(middle(oneCall))} ms, ${written(middle(allowed))} ms; without a scan ${written(middle(quiet))} ms`,
    },
  ];
}

/** Duration of this much processor time now. It is longer while other programs use the processor. */
function wallTimeOf(milliseconds: number): number {
  const start = performance.now();
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system >= milliseconds * 1_000) return performance.now() - start;
  }
}

async function microsecondsAHolder(chain: Chain, mint: string, holders: number): Promise<number> {
  const start = performance.now();
  let found = 0;
  let after: string | undefined;
  do {
    const page = await chain.tokenAccounts(mint, after === undefined ? {} : { after });
    for (const { account } of page.accounts) if (tokenAccountFigures(account.data)?.amount === 7n) found += 1;
    after = page.next;
  } while (after !== undefined);
  if (found !== holders) throw new Error(`the scan found ${found} of ${holders} accounts`);
  return ((performance.now() - start) * 1_000) / holders;
}

async function inOneCall(url: string, mint: string): Promise<void> {
  const filters = [{ memcmp: { offset: 0, bytes: mint } }];
  const params = [TOKEN_2022_PROGRAM, { encoding: 'base64', filters }];
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getProgramAccounts', params }),
  });
  let bytes = 0;
  for await (const piece of response.body ?? []) bytes += piece.length;
  if (bytes < MANY * ACCOUNT_SIZE) throw new Error('the answer is not whole');
}

/** Associated accounts of the mints, in the format of `solana account --output json`. */
async function writeAccounts(file: string, mints: readonly (readonly [number, number])[]): Promise<void> {
  const stream = createWriteStream(file);
  let text = '[';
  let isFirst = true;
  for (const [mint, count] of mints) {
    for (let number = 0; number < count; number += 1) {
      text += `${isFirst ? '' : ','}${accountText(mint, number)}`;
      isFirst = false;
      if (text.length < 100_000) continue;
      if (!stream.write(text)) await once(stream, 'drain');
      text = '';
    }
  }
  stream.end(`${text}]`);
  await once(stream, 'finish');
}

function accountText(mint: number, number: number): string {
  const data = Buffer.alloc(ACCOUNT_SIZE);
  data.set(bytesOf(mint));
  data.set(bytesOf(3, number), 32);
  data.writeBigUInt64LE(7n, 64);
  data.set([1], 108);
  data.set([2, 7, 0, 0, 0, 2, 0, 8, 0], 165);
  return JSON.stringify({
    pubkey: addressOf(bytesOf(3 + mint, number)),
    account: {
      lamports: 2_157_600,
      data: [data.toString('base64'), 'base64'],
      owner: TOKEN_2022_PROGRAM,
      executable: false,
    },
  });
}

/** 32 bytes that look random, like addresses. */
function bytesOf(kind: number, number = 0): Uint8Array {
  const bytes = new Uint8Array(32);
  let state = kind * 1_000_003 + number * 7_919 + 1;
  for (let index = 0; index < 24; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  new DataView(bytes.buffer).setUint32(28, number);
  return bytes;
}
