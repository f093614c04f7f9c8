/**
 * Ledger files that are edited, cut off or taken away while the engine needs them: nothing of them is used, nobody is paid by
 * them, and once they were put back every run ends to the lamport as it would have without.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeDurably } from '../../../src/adapters/file/durable-file.ts';
import { causeOf } from '../../../src/kernel/runtime/execute.ts';
import {
  type DistributionEvent,
  DistributionResumed,
  type DistributionState,
  distribution,
} from '../../../src/streams/distribution.ts';
import { ids } from '../../support/domain-examples.ts';
import { type EngineRun, type EngineRunOptions, runEngine } from '../../support/faulty-chain/engine-run.ts';
import { CALM } from '../../support/faulty-chain/weather.ts';

const { tokenId } = ids;
const SEED = 5;
const CALL: EngineRunOptions = { weather: CALM, assets: ['sol', 'sol'] };
const RECORD = 82;
const SHARE_AT = 50;
/** Steps for which a file stays away. */
const AWAY = 20;

type Change = (bytes: Buffer) => Buffer | undefined;

/** Moves 1,000 base units from one wallet to another, so that the sums stay equal. */
function moveShare(bytes: Buffer): Buffer {
  const moved = Buffer.from(bytes);
  const first = 4 + bytes.readUInt32LE();
  const records = JSON.parse(bytes.subarray(4, first).toString()).records as number;
  const shares = Array.from({ length: records }, (_, index) => first + index * RECORD + SHARE_AT).filter(
    (at) => bytes.readBigUInt64LE(at) > 1_000n,
  );
  const [from = 0, to = 0] = shares;
  moved.writeBigUInt64LE(bytes.readBigUInt64LE(from) - 1_000n, from);
  moved.writeBigUInt64LE(bytes.readBigUInt64LE(to) + 1_000n, to);
  return moved;
}

const changeLast: Change = (bytes) =>
  Buffer.concat([bytes.subarray(0, -1), Buffer.of((bytes.at(-1) ?? 0) ^ 1)]);
const cutOff: Change = (bytes) => bytes.subarray(0, -1);
const takeAway: Change = () => undefined;

/** Changes a file of the first run as soon as the second is open; puts it back after its halt, or some steps later. */
function meddling(which: 'ledger' | 'settlement', change: Change) {
  let right: Buffer | undefined;
  let isFound = false;
  let path = '';
  let steps = 0;
  const operator: EngineRunOptions['operator'] = async ({ state, executor, ledgers }) => {
    const name = state.runs === 2 ? state.carried[which] : null;
    if (name !== null && !isFound) {
      // Several processes call this at once: the second must not take the changed bytes for the right ones.
      isFound = true;
      path = join(ledgers, 'blobs', name.slice(0, 2), name);
      right = await readFile(path);
      const changed = change(right);
      // Replaces the file as an editor does, or writes into it in place.
      if (changed === undefined) await rm(path);
      else if (which === 'ledger') await writeFile(path, changed);
      else await replaceFile(path, changed);
    }
    if (right === undefined) return 'go on';
    if (change === takeAway) {
      steps += 1;
      if (steps === AWAY) await replaceFile(path, right);
      return 'go on';
    }
    if (state.halted?.code !== 'LEDGER_CORRUPT') return 'go on';
    await replaceFile(path, right);
    await resume(executor);
    return 'done';
  };
  return operator;
}

/** In one step: another process that puts the file back as well must not cut it off under the engine that reads it. */
const replaceFile = (path: string, bytes: Buffer) =>
  writeDurably(path, bytes, { mode: 0o600, replace: true });

function resume(executor: Parameters<NonNullable<EngineRunOptions['operator']>>[0]['executor']) {
  return executor.execute(distribution, tokenId, causeOf('test'), (current: DistributionState) =>
    current.halted === undefined ? [] : [DistributionResumed({ tokenId, reason: 'The file was put back.' })],
  );
}

const halts = ({ distribution: events }: EngineRun) =>
  events.flatMap((event) => (event.type === 'DistributionHalted' ? [event.data] : []));

/** Amounts that each run collected, paid and carried over. */
function outcomes({ distribution: events }: EngineRun) {
  return events.flatMap((event: DistributionEvent) =>
    event.type === 'RunClosed' ? [{ amounts: event.data.amounts, paid: event.data.walletsPaid }] : [],
  );
}

const undisturbed = runEngine(SEED, CALL);

test.each([
  ['an allotment in which a share was moved from one wallet to another', 'ledger', moveShare],
  ['an allotment whose last byte was changed', 'ledger', changeLast],
  ['an allotment that was cut off', 'ledger', cutOff],
  ['a settlement whose last byte was changed', 'settlement', changeLast],
  ['a settlement that was cut off', 'settlement', cutOff],
] as const)('%s halts the token, and its runs go on when it was put back', async (_what, which, change) => {
  const run = await runEngine(SEED, { ...CALL, operator: meddling(which, change) });
  const name = run.distribution.flatMap((event) =>
    event.type === 'RunClosed' ? [event.data.carried[which]] : [],
  )[0];
  expect(halts(run)).toEqual([
    {
      tokenId,
      runId: expect.any(String),
      code: 'LEDGER_CORRUPT',
      reason: `The content of the ledger file ${name} does not match its name, so it was not used. Restore the file from a backup, then resume.`,
    },
  ]);
  expect({ ...run, halted: undefined }).toMatchObject({ closed: 2, findings: [], paidTwice: [] });
  expect(outcomes(run)).toEqual(outcomes(await undisturbed));
});

test.each([
  'ledger',
  'settlement',
] as const)('a %s that is taken away is waited for, without a halt', async (which) => {
  const run = await runEngine(SEED, { ...CALL, operator: meddling(which, takeAway) });
  expect(halts(run)).toEqual([]);
  expect(run).toMatchObject({ closed: 2, findings: [], paidTwice: [] });
  expect(outcomes(run)).toEqual(outcomes(await undisturbed));
});
