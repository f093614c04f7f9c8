// Reading the holders of a run: recorded once, and read again by a process that begins anew.
import { describe, expect, test } from 'vitest';
import { DISAGREEING_FOR } from '../../../../../src/distribution/collecting/judge-scan.ts';
import { NOT_LOOKED } from '../../../../../src/distribution/collecting/look-at-holders.ts';
import {
  decideScan,
  type HoldersFacts,
  lookForHolders,
} from '../../../../../src/distribution/run/steps/scan.ts';
import type { Chain } from '../../../../../src/kernel/ports/chain.ts';
import { HoldersScanned } from '../../../../../src/streams/distribution-run.ts';
import { waitFor } from '../../../../../src/streams/distribution-wait.ts';
import {
  holdersScanned,
  linksLanded,
  runId,
  scanDisagreed,
} from '../../../../support/distribution-examples.ts';
import { ids } from '../../../../support/domain-examples.ts';
import {
  courseTo,
  only,
  recordedBy,
  SCAN,
  SUMS,
  stepAt,
  taxedMint,
  viewOf,
} from '../../../../support/run-examples.ts';

const BEGUN = courseTo(linksLanded);
const FOUND: HoldersFacts = {
  outcome: 'found',
  found: { slots: [4_098n, 4_101n], accounts: 5, owners: 4, sums: SUMS },
};

describe('holders', () => {
  test('that were found are recorded, with the tax in their accounts and in the mint behind the scan', () => {
    const [before, behind] = SUMS.mint;
    const sums = { ...SUMS, mint: [before, { ...behind, withheld: '23', supply: '77' }] as typeof SUMS.mint };
    const facts = { ...FOUND, found: { ...FOUND.found, sums } };
    expect(decideScan(viewOf(BEGUN), facts)).toEqual({
      kind: 'record-of-run',
      events: [
        HoldersScanned({
          tokenId: ids.tokenId,
          runId,
          slots: ['4098', '4101'],
          accounts: 5,
          owners: 4,
          withheld: '900023',
          supply: '77',
          sums,
        }),
      ],
    });
  });

  test('that were read are kept until the ledger is written', async () => {
    const at = stepAt(BEGUN, {
      parts: {
        chain: only<Chain>('the chain', {
          epoch: async () => 702n,
          accounts: async () => [taxedMint({ supply: 1_000_000_000n, withheld: 1_000_000n })],
        }),
        witnessSaid: () => {},
      },
      memory: { scan: SCAN, looks: { ...NOT_LOOKED, sums: SUMS } },
    });
    expect(await lookForHolders(at)).toEqual({
      outcome: 'found',
      found: { slots: [4_098n, 4_101n], accounts: 0, owners: 0, sums: SUMS },
    });
    expect(at.memory.owners).toMatchObject({ slots: [4_098n, 4_101n], sums: SUMS });
    expect(at.memory.owners?.scanned.count).toBe(0);
  });

  test('that are recorded already are read again, and not recorded again', () => {
    const [event] = recordedBy(decideScan(viewOf(BEGUN), FOUND));
    if (event === undefined) throw new Error('the scan is recorded');
    expect(decideScan(viewOf([...BEGUN, event]), FOUND)).toEqual({ kind: 'again' });
    expect(decideScan(viewOf(courseTo(holdersScanned)), FOUND)).toEqual({ kind: 'again' });
  });

  test('whose accounts do not add up halt the token', () => {
    const reason = 'The accounts hold 3 base units more than the supply.';
    expect(decideScan(viewOf(BEGUN), { outcome: 'disagrees', reason })).toEqual({
      kind: 'halt',
      code: 'SCAN_DISAGREES',
      reason,
    });
  });

  describe('that do not add up', () => {
    const at = '2026-11-21T13:00:55.000Z';
    const waiting = {
      outcome: 'waiting',
      for: waitFor('scan-disagrees'),
      pause: 5_000,
      disagreedAt: Date.parse(at),
    } as const;
    const wait = { for: waiting.for, pause: 5_000 };

    test('are recorded once with the time of the first such list, and waited for', () => {
      const decision = decideScan(viewOf(BEGUN), waiting);
      expect(decision).toEqual({ kind: 'record-of-run', events: [scanDisagreed], waiting: wait });
      expect(decideScan(viewOf([...BEGUN, scanDisagreed]), waiting)).toEqual({ kind: 'wait', waiting: wait });
    });

    test('are recorded anew where they do not add up again later', () => {
      const later = { ...waiting, disagreedAt: Date.parse(at) + 3_600_000 };
      expect(decideScan(viewOf([...BEGUN, scanDisagreed]), later)).toMatchObject({
        events: [{ type: 'ScanDisagreed', data: { at: '2026-11-21T14:00:55.000Z' } }],
      });
      // One that was believed ends it.
      const believed = recordedBy(decideScan(viewOf([...BEGUN, scanDisagreed]), FOUND));
      expect(viewOf([...BEGUN, scanDisagreed, ...believed]).run.scanDisagreedAt).toBeUndefined();
    });

    test.each([
      [0, Date.parse(at)],
      [2 * DISAGREEING_FOR - 1, Date.parse(at)],
      [2 * DISAGREEING_FOR, undefined],
    ])('count from the recorded time in a process that begins again %d ms later', async (after, since) => {
      const now = new Date(Date.parse(at) + after);
      const step = stepAt([...BEGUN, scanDisagreed], {
        parts: {
          chain: only<Chain>('the chain', {}),
          witness: undefined,
          witnessSaid: () => {},
          clock: { now: () => now },
        },
        memory: { scan: undefined, looks: NOT_LOOKED },
      });
      expect(await lookForHolders(step)).toEqual({ outcome: 'reading' });
      expect(step.memory.looks.earlier).toEqual({ loose: 0, disagreements: 0, disagreedAt: since });
    });

    test('count from the time that the process knows itself', async () => {
      const earlier = { loose: 0, disagreements: 3, disagreedAt: 7 };
      const step = stepAt([...BEGUN, scanDisagreed], {
        parts: { chain: only<Chain>('the chain', {}), witness: undefined, witnessSaid: () => {} },
        memory: { scan: undefined, looks: { ...NOT_LOOKED, earlier } },
      });
      await lookForHolders(step);
      expect(step.memory.looks.earlier).toEqual(earlier);
    });
  });

  test('are read page by page', () => {
    expect(decideScan(viewOf(BEGUN), { outcome: 'reading' })).toEqual({ kind: 'again' });
  });

  test('are waited for as long as the look at them says', () => {
    const waiting = { outcome: 'waiting', for: waitFor('scan-disagrees'), pause: 1_234 } as const;
    expect(decideScan(viewOf(BEGUN), waiting)).toEqual({
      kind: 'wait',
      waiting: { for: waiting.for, pause: 1_234 },
    });
  });
});
