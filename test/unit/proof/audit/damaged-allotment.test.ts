import { describe, expect, test } from 'vitest';
import { readAllotment } from '../../../../src/proof/audit/ledger-files.ts';
import { damageIn, walletsThatDiffer } from '../../../../src/proof/audit/ledgers/damaged-allotment.ts';
import { addresses, ids } from '../../../support/domain-examples.ts';
import { type GeneratedRun, generateRuns } from '../../../support/generated-runs.ts';

const RECORD = 82;
const SHARE_AT = 50;
const token = { tokenId: ids.tokenId, mint: addresses.mint };

const bytesOf = ({ allotment }: GeneratedRun) => allotment.bytes;
const readOf = ({ allotment }: GeneratedRun) => readAllotment(allotment.sha256, allotment.bytes);
const beginOf = (bytes: Buffer) => 4 + bytes.readUInt32LE();

function recordedOf(run: GeneratedRun) {
  const { root, asset, records } = readOf(run);
  return { root, asset, records: records.length };
}

/** Adds to the share of the record at this place. */
function withShare(bytes: Buffer, index: number, more: bigint): Buffer {
  const changed = Buffer.from(bytes);
  const at = beginOf(bytes) + index * RECORD + SHARE_AT;
  changed.writeBigUInt64LE(bytes.readBigUInt64LE(at) + more, at);
  return changed;
}

function twoRuns(owners: number, seed = 3) {
  const [run, next] = generateRuns(seed, token, { owners, assets: ['sol', 'sol'] });
  if (run === undefined || next === undefined) throw new Error('two runs were made');
  return { run, next };
}

test('nobody is named whose sums the next run takes over, whatever both pay', () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const runs = generateRuns(seed, token, { owners: 40, assets: ['sol', 'token', 'token', 'sol'] });
    for (const [index, run] of runs.slice(0, -1).entries()) {
      const next = runs[index + 1];
      if (next === undefined) continue;
      const { records, asset } = readOf(run);
      expect(walletsThatDiffer([...records], asset, readOf(next))).toEqual([]);
    }
  }
});

describe('of an allotment in which a share was moved from one wallet to another', () => {
  test('both wallets are named by the next run', () => {
    const { run, next } = twoRuns(60);
    const { records } = readOf(run);
    const shares = [...records].flatMap(({ share }, index) => (share > 5n ? [index] : []));
    const [from = 0, to = 0] = [shares[1], shares[4]];
    const damaged = withShare(withShare(bytesOf(run), from, -5n), to, 5n);
    const told = damageIn(damaged, recordedOf(run), readOf(next));
    const wallets = [records.at(from)?.owner, records.at(to)?.owner].join(', ');
    expect(told).toBe(
      `at least one of its records 0 to ${records.length - 1} was changed, all others are the recorded ones; the next run shows other sums of the wallets ${wallets}`,
    );
  });

  test('the group is named that it is in, and no other', () => {
    const { run } = twoRuns(3_600);
    const { records } = readOf(run);
    expect(records.length).toBeGreaterThan(2_100);
    expect(damageIn(withShare(bytesOf(run), 1_023, 1n), recordedOf(run), undefined)).toBe(
      'at least one of its records 1023 to 2046 was changed, all others are the recorded ones; the next run does not tell whose',
    );
    const last = damageIn(withShare(bytesOf(run), records.length - 1, 1n), recordedOf(run), undefined);
    expect(last).toContain(`records 2047 to ${records.length - 1} was`);
    expect(damageIn(withShare(bytesOf(run), 1_022, 1n), recordedOf(run), undefined)).toContain('0 to 1022');
  });
});

test('a changed header is one of the first group', () => {
  const { run, next } = twoRuns(30);
  const changed = Buffer.from(bytesOf(run));
  changed[20] = (changed[20] ?? 0) ^ 1;
  expect(damageIn(changed, recordedOf(run), readOf(next))).toContain('the next run does not tell whose');
});

test.each([
  ['is cut off', (bytes: Buffer) => bytes.subarray(0, -1), 'and its header and'],
  ['is empty', () => Buffer.alloc(0), 'it has 0 bytes'],
  [
    'has other hashes of groups',
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -72), Buffer.alloc(72)]),
    'the hashes of its groups are not those of the recorded root',
  ],
  [
    'has other counts beside the hashes',
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(7)]),
    'what differs are the owners and counts beside the hashes of its groups',
  ],
])('an allotment that %s is told as such', (_what, damage, expected) => {
  const { run, next } = twoRuns(30);
  expect(damageIn(damage(bytesOf(run)), recordedOf(run), readOf(next))).toContain(expected);
});
