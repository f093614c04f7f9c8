/** `examples/recompute-run.mjs` looks by itself whether what a run pays can be spent, before it looks at anything else of the chain. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  LOADER_V2,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  UPGRADEABLE_LOADER,
} from 'levy-solana-wire';
import { expect, test } from 'vitest';
import type { LedgerRecord } from '../../src/distribution/ledger/ledger-record.ts';
import { makeAllotment, makeSettlement, ownerOf } from '../support/ledger-files.ts';
import { listening } from '../support/listening.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/recompute-run.mjs', import.meta.url));
const COURSE = { stretch: () => 61, lands: () => true, refuses: () => undefined };
const PAYEE = ownerOf(170);

interface Shown {
  readonly owner: string;
  readonly executable?: boolean;
}

const record = (index: number): LedgerRecord => ({
  ...({ kind: 'holder', reason: 'planned' } as const),
  ...{ owner: ownerOf(index), balance: 1_000n, basis: 1_000n },
  ...{ share: 36_000n, owedBefore: 0n, planned: 36_000n, paidBefore: 0n },
});
const leftOut = (reason: LedgerRecord['reason']): Partial<LedgerRecord> => ({
  reason,
  basis: 0n,
  share: 0n,
  planned: 0n,
});

async function recomputed(shown: Shown | null, ofPayee: Partial<LedgerRecord> = {}): Promise<string> {
  const allotment = makeAllotment(
    Array.from({ length: 250 }, (_, index) => ({ ...record(index), ...(index === 170 ? ofPayee : {}) })),
    { previousRoot: null },
  );
  const settlement = makeSettlement(allotment, COURSE);
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method, params } = JSON.parse(Buffer.concat(parts).toString());
    const accountAt = (address: string) => (address === PAYEE ? shown : { owner: SYSTEM_PROGRAM });
    response.end(
      JSON.stringify(
        method === 'getMultipleAccounts'
          ? { result: { context: { slot: 1 }, value: params[0].map(accountAt) } }
          : { error: { code: -1, message: 'nothing else is told' } },
      ),
    );
  });
  const folder = await temporaryFolder();
  const args = ['--rpc', `http://127.0.0.1:${await listening(server)}`];
  for (const [name, { bytes }] of Object.entries({ allotment, settlement })) {
    await writeFile(join(folder, name), bytes);
    args.push(`--${name}`, join(folder, name));
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], (_error, stdout, stderr) => resolve(`${stdout}${stderr}`));
  });
}

test.each<[string, Shown | null]>([
  ['a wallet', { owner: SYSTEM_PROGRAM }],
  ['nothing yet', null],
  ['a vault that was listed in', { owner: TOKEN_2022_PROGRAM }],
])('a payment to %s is right', async (_what, shown) => {
  expect(await recomputed(shown)).toContain('payees: 250, none of them a program or a sysvar');
});

test.each<[string, Shown]>([
  ['a program', { owner: LOADER_V2, executable: true }],
  ['the code of a program', { owner: UPGRADEABLE_LOADER }],
  ['a sysvar', { owner: SYSVAR_OWNER }],
  [
    'something executable of a loader to come',
    { owner: 'LoaderV511111111111111111111111111111111111', executable: true },
  ],
])('a payment to %s does not hold', async (_what, shown) => {
  expect(await recomputed(shown)).toContain(
    `DOES NOT HOLD: ${PAYEE} was to be paid, and nobody can spend it`,
  );
});

test.each<[string, Shown | null]>([
  ['a wallet', { owner: SYSTEM_PROGRAM }],
  ['no account', null],
  ['an account of another program', { owner: TOKEN_2022_PROGRAM }],
])('a holder without a share as a program does not hold where the chain shows %s', async (_what, shown) => {
  for (const reason of ['program', 'sysvar'] as const)
    expect(await recomputed(shown, leftOut(reason))).toContain(
      `DOES NOT HOLD: ${PAYEE} has no share as a ${reason}, and the chain shows`,
    );
});

test('who has no share is counted by reason, and whom the chain cannot show is named', async () => {
  const program = { owner: LOADER_V2, executable: true };
  expect(await recomputed(program, leftOut('program'))).toContain('without a share: 1 program');
  expect(await recomputed(null, leftOut('excluded'))).toContain(
    `without a share: 1 excluded\n  excluded: ${PAYEE} holds 1000`,
  );
});

test('a holder without a share needs a reason for it', async () => {
  expect(await recomputed(null, leftOut('below-least-share'))).toContain(
    `DOES NOT HOLD: ${PAYEE} holds 1000 and has no share, and the reason is below-least-share`,
  );
});
