// Whoever can never spend what a run pays is found by the account that the chain shows, or by the address.
import { LOADER_V4, SYSTEM_PROGRAM, SYSVAR_OWNER, TOKEN_PROGRAM } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { openAllotment } from '../../../../src/distribution/ledger/allotment-file.ts';
import type { LedgerRecord } from '../../../../src/distribution/ledger/ledger-record.ts';
import type { ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import { type Finding, findingsInto } from '../../../../src/proof/audit/finding.ts';
import { auditPayees } from '../../../../src/proof/audit/runs/audit-payees.ts';
import { makeAllotment, ownerOf } from '../../../support/ledger-files.ts';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const CONFIG = 'Config1111111111111111111111111111111111111';

const record = (owner: string, fields: Partial<LedgerRecord> = {}): LedgerRecord => ({
  kind: 'holder',
  owner,
  balance: 1n,
  basis: 1n,
  share: 1n,
  owedBefore: 0n,
  planned: 1n,
  paidBefore: 0n,
  reason: 'planned',
  ...fields,
});

async function audited(records: readonly LedgerRecord[], owners: Readonly<Record<string, string>>) {
  const { bytes } = makeAllotment(records);
  const allotment = await openAllotment(async (from, length) => bytes.subarray(from, from + length));
  const list: Finding[] = [];
  const findings = findingsInto((finding) => list.push(finding));
  const calls: number[] = [];
  await auditPayees(
    allotment,
    {
      async accountsAt(addresses, commitment, options) {
        expect([commitment, options]).toEqual(['finalized', { maxData: 0 }]);
        calls.push(addresses.length);
        const accountOf = (owner: string | undefined): ChainAccount | undefined =>
          owner === undefined ? undefined : { owner, lamports: 1n, data: new Uint8Array() };
        return { accounts: addresses.map((address) => accountOf(owners[address])) };
      },
    },
    findings,
    {},
  );
  for (const { what } of list) expect(what).toBe('every recipient can spend the payment');
  return { found: list.map(({ account, found }) => [account, found]), calls };
}

test.each([
  ['a wallet', ownerOf(1), SYSTEM_PROGRAM, undefined],
  ['a wallet that has gone', ownerOf(1), undefined, undefined],
  ['a vault that was listed in', ownerOf(1), TOKEN_PROGRAM, undefined],
  ['a program', ownerOf(1), LOADER_V4, `a program: ${LOADER_V4} owns it`],
  ['a sysvar that is not in the list', ownerOf(1), SYSVAR_OWNER, 'a sysvar'],
  ['a sysvar', CLOCK, SYSVAR_OWNER, 'an address of the runtime'],
  ['a program of the runtime that is not there', CONFIG, undefined, 'an address of the runtime'],
])('where %s was to be paid', async (_what, address, owner, found) => {
  const { found: all } = await audited([record(address)], owner === undefined ? {} : { [address]: owner });
  expect(all).toEqual(found === undefined ? [] : [[address, found]]);
});

test('who is not paid may be anything, and so may the distributor', async () => {
  const owners = { [ownerOf(1)]: LOADER_V4, [ownerOf(2)]: LOADER_V4 };
  const records = [
    record(ownerOf(1), { planned: 0n, share: 0n, basis: 0n, reason: 'program' }),
    record(ownerOf(2), { kind: 'costs', balance: 0n, basis: 0n }),
  ];
  expect(await audited(records, owners)).toEqual({ found: [], calls: [] });
});

test('thousands of payments are asked for a hundred at a time, and each is found', async () => {
  const all = Array.from({ length: 1_234 }, (_, index) => ownerOf(index));
  const owners = Object.fromEntries(all.map((address) => [address, LOADER_V4]));
  const { found, calls } = await audited(
    all.map((address) => record(address)),
    owners,
  );
  expect(calls.toSorted((one, other) => other - one)).toEqual([...Array(12).fill(100), 34]);
  expect(new Set(found.map(([address]) => address))).toEqual(new Set(all));
});
