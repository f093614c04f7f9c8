// A node that does not answer one kind of call is no finding and ends no audit; an error of our own is not taken for its silence.
import { expect, test } from 'vitest';
import { type Chain, ChainBusy, ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { audit } from '../../../../src/proof/audit/audit.ts';
import { type AuditNode, createAuditNode } from '../../../../src/proof/audit/chain/audit-node.ts';
import {
  DraftIssued,
  SubmissionAccepted,
  SubmissionFinalized,
} from '../../../../src/streams/draft-events.ts';
import { FEATURED_LIST } from '../../../../src/streams/featured-list.ts';
import { streams } from '../../../../src/streams/index.ts';
import { logOf } from '../../../support/comparing.ts';
import { linksLanded, linksRecorded, runClosed, runOpened } from '../../../support/distribution-examples.ts';
import {
  acceptedSubmission,
  draftIssued,
  ids,
  issuedDraft,
  landedSubmission,
  submissionAccepted,
  submissionFailed,
  tokenCreated,
} from '../../../support/domain-examples.ts';
import { EMPTY_CHAIN } from '../../../support/empty-chain.ts';
import { launchStarted } from '../../../support/launch-examples.ts';
import { promotionStarted, purchase } from '../../../support/promotion-examples.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';

const { tokenId, transactionId, otherTransactionId } = ids;
const paid = DraftIssued({ ...issuedDraft, transactionId: otherTransactionId, subject: purchase });
const landed = { ...landedSubmission, transactionId: otherTransactionId };
const events = storedEvents([
  happening(transactionId, draftIssued),
  happening(transactionId, submissionAccepted),
  happening(transactionId, submissionFailed),
  happening(otherTransactionId, paid),
  happening(
    otherTransactionId,
    SubmissionAccepted({ ...acceptedSubmission, transactionId: otherTransactionId }),
  ),
  happening(otherTransactionId, SubmissionFinalized(landed)),
  happening(
    FEATURED_LIST,
    promotionStarted({ transactionId: otherTransactionId, signature: landed.signature }),
  ),
  happening(tokenId, tokenCreated),
  happening(tokenId, launchStarted),
  ...[runOpened, linksRecorded, linksLanded, runClosed].map((event) => happening(tokenId, event)),
]);

function audited(node: AuditNode) {
  const file = async () => undefined;
  return audit({ log: logOf(events), node, file }, { codec: createEventCodec(streams), streams });
}

const MESSAGE = 'the node at node.example does not answer';
const failing = (call: string, error: Error) => ({ ...EMPTY_CHAIN, [call]: () => Promise.reject(error) });

test.each([
  ['genesisHash', ['node: the node answers']],
  ['firstSlot', ['node: the node answers']],
  ['epoch', ['mints: a token has the recorded mint']],
  [
    'accounts',
    [
      'launches: the liquidity of a launch is locked',
      'mints: a token has the recorded mint',
      'payments: a recorded transaction is on the chain',
      'payments: the wallet signs only recorded links and collections of tax',
    ],
  ],
  [
    'statuses',
    ['failed-submissions: a failed submission had no effect', 'mints: a token has the recorded mint'],
  ],
  [
    'transaction',
    [
      'payments: a recorded transaction is on the chain',
      'promotions: a promotion was paid for',
      'submissions: a submission landed',
    ],
  ],
])('a node that does not answer %s could not be checked at for what needs it', async (call, checks) => {
  const { outcome, unchecked } = await audited(failing(call, new ChainUnavailable(MESSAGE)));
  expect(outcome).not.toBe('held');
  const told = unchecked.filter(({ why }) => why === MESSAGE);
  expect(told.map(({ check, what }) => `${check}: ${what}`).sort()).toEqual(checks);
});

test.each([
  'genesisHash',
  'firstSlot',
  'epoch',
  'accounts',
  'statuses',
  'transaction',
])('an error of our own in %s ends the audit', async (call) => {
  await expect(audited(failing(call, new TypeError('no such method')))).rejects.toThrow('no such method');
});

test('a node that limits the rate of calls is asked again', async () => {
  let calls = 0;
  const epoch = async () => {
    calls += 1;
    if (calls < 3) throw new ChainBusy('too many calls', 1);
    return 7n;
  };
  const node = createAuditNode('https://node.example/key', { ...EMPTY_CHAIN, epoch } as unknown as Chain);
  expect([await node.epoch(), calls, node.host]).toEqual([7n, 3, 'node.example']);
});
