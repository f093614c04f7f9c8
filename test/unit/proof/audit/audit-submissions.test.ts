// Each submission with the chain: what the log says of it and the node does not show is found, and a silent node is no finding.
import { compileLegacyMessage, unsignedTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import type { LandedTransaction, SignatureStatus } from '../../../../src/kernel/ports/chain.ts';
import type { AuditNode } from '../../../../src/proof/audit/chain/audit-node.ts';
import { auditSubmissions } from '../../../../src/proof/audit/chain/audit-submissions.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { draft } from '../../../../src/streams/draft.ts';
import { reportOf } from '../../../support/audit-report.ts';
import {
  addresses,
  draftIssued,
  ids,
  signatures,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
} from '../../../support/domain-examples.ts';
import { EMPTY_CHAIN } from '../../../support/empty-chain.ts';
import { happening, recordedEvents } from '../../../support/recorded-events.ts';

const { bytes: message } = compileLegacyMessage({
  payer: addresses.creator,
  instructions: [{ program: addresses.mint, accounts: [], data: Uint8Array.of(1) }],
  recentBlockhash: addresses.nonceValue,
});
const wire = unsignedTransaction(message);
const issued = {
  ...draftIssued,
  data: { ...draftIssued.data, message: Buffer.from(message).toString('base64') },
};

const SHOWN: LandedTransaction = {
  slot: 417,
  wire,
  fee: 5_000n,
  error: undefined,
  logs: [],
};
function nodeWith(shown: Partial<Pick<AuditNode, 'transaction' | 'statuses'>>): AuditNode {
  return { ...EMPTY_CHAIN, ...shown };
}

async function audited(
  events: Parameters<typeof happening>[1][],
  shown: Parameters<typeof nodeWith>[0],
  firstSlot = 0n,
) {
  const notebook = createNotebook();
  const audit = auditSubmissions(nodeWith(shown), firstSlot, notebook);
  let before = draft.initial;
  for (const event of recordedEvents(events.map((one) => happening(ids.transactionId, one)))) {
    const after = draft.evolve(before, event as never);
    const states = { before: before as never } as never;
    await audit.visit({ event, before, after, states });
    before = after;
  }
  await audit.end();
  return reportOf(notebook);
}

describe('a submission that is recorded as final', () => {
  const final = [issued, submissionAccepted, submissionConfirmed, submissionFinalized];
  const shownAs = (change: Partial<LandedTransaction>) => ({
    transaction: async () => ({ ...SHOWN, ...change }),
  });

  test('is right when the chain shows it as it was issued', async () => {
    const asked: string[] = [];
    const { outcome, checks } = await audited(final, {
      transaction: async (signature) => {
        asked.push(signature);
        return SHOWN;
      },
    });
    expect(outcome).toBe('held');
    expect(asked).toEqual([submissionFinalized.data.signature]);
    expect(checks).toMatchObject([
      { check: 'submissions', checked: 1 },
      { check: 'failed-submissions', checked: 0 },
    ]);
  });

  const { bytes: another } = compileLegacyMessage({
    payer: addresses.creator,
    instructions: [{ program: addresses.mint, accounts: [], data: Uint8Array.of(2) }],
    recentBlockhash: addresses.nonceValue,
  });

  test.each<[string, Partial<LandedTransaction>, string, string]>([
    ['it failed', { error: '{"Custom":1}' }, 'a submission that landed had no error', '{"Custom":1}'],
    ['it is of another slot', { slot: 418 }, 'a submission landed in the recorded slot', '418'],
    [
      'it is another message',
      { wire: unsignedTransaction(another) },
      'the landed message is the issued one',
      'instruction',
    ],
    [
      'it cannot be read',
      { wire: Uint8Array.of(7) },
      'the landed message is the issued one',
      'ends too early',
    ],
  ])('is found when the chain shows that %s', async (_how, change, what, found) => {
    const { findings } = await audited(final, shownAs(change));
    expect(findings).toMatchObject([
      {
        check: 'submissions',
        what,
        found: expect.stringContaining(found),
        signature: submissionFinalized.data.signature,
      },
    ]);
  });

  test('is found when no draft of it was issued', async () => {
    const { findings } = await audited([submissionFinalized], shownAs({}));
    expect(findings).toMatchObject([{ what: 'the landed message was issued', found: 'none' }]);
  });

  test('is found when the chain does not have it, though the node has transactions of that slot', async () => {
    const { findings } = await audited(final, {}, 417n);
    expect(findings).toMatchObject([
      { check: 'submissions', what: 'a submission landed', expected: 'a final transaction of slot 417' },
    ]);
  });

  test('could not be checked at when the node has no transactions of that slot any more', async () => {
    const { findings, unchecked } = await audited(final, {}, 418n);
    expect(findings).toEqual([]);
    expect(unchecked).toMatchObject([{ check: 'submissions', what: 'a submission landed' }]);
  });

  test('is checked up with others before too many wait', async () => {
    const asked: string[] = [];
    const transaction = async (signature: string) => void asked.push(signature);
    const audit = auditSubmissions(nodeWith({ transaction }), 0n, createNotebook());
    const [event] = recordedEvents([happening(ids.transactionId, submissionFinalized)]);
    if (event === undefined) throw new Error('no event');
    for (let visits = 0; visits < 300; visits += 1)
      await audit.visit({ event, before: draft.initial, after: draft.initial, states: {} as never });
    expect(asked).toHaveLength(256);
    await audit.end();
    expect(asked).toHaveLength(300);
  });
});

describe('a submission that is recorded as failed', () => {
  const failed = [issued, submissionAccepted, submissionFailed];
  const withStatus = (status: SignatureStatus | undefined) => ({ statuses: async () => [status] });
  const LANDED: SignatureStatus = { slot: 420, error: undefined, commitment: 'finalized' };

  test('is found when it took effect', async () => {
    const { findings } = await audited(failed, withStatus(LANDED));
    expect(findings).toMatchObject([
      {
        check: 'failed-submissions',
        what: 'a failed submission had no effect',
        found: 'a transaction of slot 420 that succeeded',
        signature: signatures.first,
      },
    ]);
  });

  test.each<[string, SignatureStatus | undefined]>([
    ['the chain does not have it', undefined],
    ['it failed on the chain', { ...LANDED, error: '{"Custom":1}' }],
    ['it may still be taken back', { ...LANDED, commitment: 'confirmed' }],
  ])('is right when %s', async (_how, status) => {
    const { outcome, checks } = await audited(failed, withStatus(status));
    expect(outcome).toBe('held');
    expect(checks[1]).toMatchObject({ check: 'failed-submissions', checked: 1 });
  });

  test('that was never accepted has nothing to look for', async () => {
    const { checks } = await audited([issued, submissionFailed], withStatus(LANDED));
    expect(checks[1]).toMatchObject({ checked: 0, outcome: 'held' });
  });
});
