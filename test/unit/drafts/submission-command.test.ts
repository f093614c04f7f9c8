// The command that takes a signed draft: what is asked of the chain, in which order, what is recorded, and what is answered.
import { Type } from '@sinclair/typebox';
import { Keypair, Transaction } from '@solana/web3.js';
import { compileLegacyMessage, unsignedTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { creationInstructions } from '../../../src/chain/creation-transaction.ts';
import { defineSubmission } from '../../../src/drafts/define-submission.ts';
import type { PurposeBehaviour } from '../../../src/drafts/purposes/purpose-behaviour.ts';
import type { DraftServices } from '../../../src/drafts/services.ts';
import type { Simulation } from '../../../src/kernel/ports/chain.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { createCommandRunner } from '../../../src/kernel/runtime/run-command.ts';
import { draft } from '../../../src/streams/draft.ts';
import {
  DraftCancelled,
  type DraftEvent,
  DraftExpired,
  DraftIssued,
  DraftSuperseded,
  type IssuedDraft,
  SubmissionAccepted,
} from '../../../src/streams/draft-events.ts';
import { streams } from '../../../src/streams/index.ts';
import { rejection } from '../../../src/streams/rejections.ts';
import { HISTORY_SEARCHED } from '../../../src/views/transaction-view.ts';
import { blockhashDraft } from '../../support/blockhash-examples.ts';
import { causeOf, clock } from '../../support/counter.ts';
import {
  acceptedSubmission,
  addresses,
  ids,
  issuedDraft,
  landedSubmission,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
  token,
  tokenCreated,
} from '../../support/domain-examples.ts';
import { temporaryEventStore } from '../../support/temporary-event-store.ts';
import { buildCreation, creationInput, creator, keyring, mint } from '../chain/creation-input.ts';

const { transactionId } = ids;
const SLOT = 417n;
const ERROR = '{"InstructionError":[2,{"Custom":1}]}';
const SETTLE_DEADLINE = 120_000;
const SUBMIT_WAIT = 20_000;

const onNonce: IssuedDraft = {
  ...issuedDraft,
  creator: creator.address,
  message: Buffer.from(buildCreation(creationInput).message).toString('base64'),
};
const onBlockhash: IssuedDraft = {
  ...blockhashDraft,
  creator: creator.address,
  message: Buffer.from(
    compileLegacyMessage({
      payer: creator.address,
      instructions: creationInstructions(creationInput),
      recentBlockhash: addresses.nonceValue,
    }).bytes,
  ).toString('base64'),
};
const signed = ({ message }: Pick<IssuedDraft, 'message'>) => {
  const transaction = Transaction.from(unsignedTransaction(Buffer.from(message, 'base64')));
  transaction.partialSign(Keypair.fromSecretKey(creator.secretKey));
  return transaction.serialize({ requireAllSignatures: false }).toString('base64');
};

const recorded = { ...tokenCreated, position: '999', metadata: { occurredAt: '2026-05-04T10:00:05.000Z' } };
const landed = {
  kind: 'recorded',
  draft: { transactionId, creator: creator.address, subject: token, landed: landedSubmission },
  event: recorded,
};
const failedOf = (code: 'CHAIN_REJECTED' | 'TRANSACTION_EXPIRED') => ({
  kind: 'failed',
  draft: {
    issued: onNonce,
    failed: { transactionId, code, message: 'as the chain said', logs: ['a line'] },
  },
});

interface Given {
  readonly issued?: IssuedDraft;
  readonly isThere?: boolean;
  readonly rest?: readonly DraftEvent[];
  readonly simulation?: Partial<Simulation>;
  /** Recorded of the draft while the chain simulates. */
  readonly meanwhile?: readonly DraftEvent[];
  readonly settlement?: object;
  readonly hasSettler?: DraftServices['hasSettler'];
  readonly purpose?: Partial<PurposeBehaviour>;
  /** In the path of the call. */
  readonly mintAddress?: string;
  readonly actor?: string;
}

/** Submits the draft once; tells in order what was asked of others. */
async function submitting(given: Given = {}) {
  const { issued = onNonce, isThere = true, rest = [], meanwhile = [], settlement = landed } = given;
  const executor = createExecutor(await temporaryEventStore(), createEventCodec(streams), clock);
  const record = (events: readonly DraftEvent[]) =>
    executor.execute(draft, transactionId, causeOf(), () => events);
  if (isThere) await record([DraftIssued(issued), ...rest]);
  const asked: string[] = [];
  const purpose = {
    kind: 'token-creation',
    signers: () => [mint],
    claim: async () => void asked.push('claim'),
    record: async () => {},
    recorded: async () => undefined,
    ...given.purpose,
  } as PurposeBehaviour;
  const command = defineSubmission({
    name: 'SubmitExample',
    summary: '',
    description: '',
    route: { url: '/submit', limit: 'submit' },
    params: Type.Object({ mintAddress: Type.Optional(Type.String()) }),
    purpose,
    rejections: ['TRANSACTION_EXPIRED', 'WALLET_ALREADY_USED'],
    output: Type.Object({ signature: Type.String() }),
    answer: ({ landed: { signature } }) => ({ signature }),
  });
  const services = {
    executor,
    clock,
    keyring,
    policy: { settleDeadlineMs: SETTLE_DEADLINE, submitWaitMs: SUBMIT_WAIT },
    chain: {
      async simulate() {
        asked.push('simulate');
        if (meanwhile.length > 0) await record(meanwhile);
        return { slot: SLOT, error: undefined, logs: [], unitsConsumed: 1, ...given.simulation };
      },
    },
    hasSettler: given.hasSettler ?? (async () => true),
    settlements: {
      async wait(_id: string, _purpose: object, milliseconds: number) {
        asked.push(`wait ${milliseconds}`);
        return settlement;
      },
    },
  } as unknown as DraftServices;
  const { mintAddress, actor = creator.address } = given;
  const answer = command
    .run(
      createCommandRunner(executor, services),
      {
        params: mintAddress === undefined ? {} : { mintAddress },
        query: {},
        body: { transactionId, signedTransaction: signed(issued) },
      },
      { actor, requestId: 'request' },
    )
    .then(
      (value) => ({ value, refusal: undefined }),
      (refusal) => ({ value: undefined, refusal }),
    );
  const { value, refusal } = await answer;
  const { events } = await executor.load(draft, transactionId);
  const accepted = events.flatMap(({ type, data }) =>
    type === 'SubmissionAccepted' ? [data as typeof acceptedSubmission] : [],
  );
  return { asked, value, refusal, accepted, command };
}

const accepted = SubmissionAccepted(acceptedSubmission);

describe('a signed draft', () => {
  test.each([
    ['a durable nonce, by the nonce authority too', onNonce],
    ['a recent blockhash, without the nonce authority', onBlockhash],
  ])('is simulated, claimed for, signed and recorded before it is waited for: on %s', async (_kind, issued) => {
    const at = await submitting({ issued });
    expect(at.asked).toEqual(['simulate', 'claim', `wait ${SUBMIT_WAIT}`]);
    const [{ signedTransaction = '', ...rest } = {}] = at.accepted;
    expect(Transaction.from(Buffer.from(signedTransaction, 'base64')).verifySignatures()).toBe(true);
    expect(rest).toMatchObject({
      transactionId,
      afterSlot: SLOT.toString(),
      deadline: new Date(clock.now().getTime() + SETTLE_DEADLINE).toISOString(),
    });
  });

  test('that is under way is neither simulated nor claimed for again, however it was signed then', async () => {
    const at = await submitting({ rest: [accepted] });
    expect(at.asked).toEqual([`wait ${SUBMIT_WAIT}`]);
    expect(at.accepted).toEqual([acceptedSubmission]);
    expect(at.value).toMatchObject({ output: { signature: landedSubmission.signature } });
  });
});

describe('nothing is asked of the chain, and nothing recorded, for', () => {
  test.each<[string, Given, string]>([
    ['a draft that is not there', { isThere: false }, 'TRANSACTION_NOT_FOUND'],
    ['a draft of another wallet', { actor: addresses.otherCreator }, 'NOT_TRANSACTION_OWNER'],
    ['a draft that is for something else', { purpose: { kind: 'launch' } }, 'TRANSACTION_NOT_FOUND'],
    [
      'a draft for another token than the one in the path',
      { mintAddress: addresses.creator },
      'TRANSACTION_NOT_FOUND',
    ],
    [
      'a draft that its creator cancelled',
      { rest: [DraftCancelled({ transactionId })] },
      'TRANSACTION_CANCELLED',
    ],
  ])('%s', async (_what, given, code) => {
    const { asked, refusal, accepted: recordedOf } = await submitting(given);
    expect(refusal).toMatchObject({ code });
    expect([asked, recordedOf]).toEqual([[], []]);
  });
});

describe('a draft that the chain would refuse', () => {
  const simulation = { error: ERROR, logs: ['first', 'second'] };

  test('is refused in the chain’s words with every line of its log, claims nothing, and stays open', async () => {
    const at = await submitting({ simulation });
    expect(at.refusal).toMatchObject({
      code: 'CHAIN_REJECTED',
      details: [
        { path: ['error'], message: ERROR },
        { path: ['logs', '0'], message: 'first' },
        { path: ['logs', '1'], message: 'second' },
      ],
    });
    expect([at.asked, at.accepted]).toEqual([['simulate'], []]);
  });

  test('because the same call was accepted meanwhile is answered with that one’s outcome, whatever it is', async () => {
    for (const rest of [[], [submissionConfirmed], [submissionFinalized], [submissionFailed]]) {
      const at = await submitting({ simulation, meanwhile: [accepted, ...rest] });
      expect(at.refusal).toBeUndefined();
      expect(at.asked).toEqual(['simulate', `wait ${SUBMIT_WAIT}`]);
      expect(at.accepted).toEqual([acceptedSubmission]);
    }
  });

  test.each([
    ['TRANSACTION_CANCELLED', DraftCancelled({ transactionId })],
    ['TRANSACTION_EXPIRED', DraftExpired({ transactionId })],
    ['TRANSACTION_SUPERSEDED', DraftSuperseded({ transactionId, by: ids.otherTransactionId })],
  ] as const)('because the draft has ended meanwhile is told that: %s', async (code, end) => {
    for (const issued of [onNonce, onBlockhash]) {
      const at = await submitting({ issued, simulation, meanwhile: [end] });
      expect(at.refusal).toMatchObject({ code });
    }
  });
});

test('a draft whose claim is refused is not recorded', async () => {
  const at = await submitting({
    purpose: {
      claim: async () => {
        throw rejection('WALLET_ALREADY_USED', 'It is taken.');
      },
    },
  });
  expect(at.refusal).toMatchObject({ code: 'WALLET_ALREADY_USED' });
  expect([at.asked, at.accepted]).toEqual([['simulate'], []]);
});

describe('the answer about a submission', () => {
  test('that the chain has refused is the purpose’s reason, else the chain’s own words', async () => {
    const settlement = failedOf('CHAIN_REJECTED');
    const plain = await submitting({ settlement });
    expect(plain.refusal).toMatchObject({
      code: 'CHAIN_REJECTED',
      message: 'as the chain said',
      details: [{ path: ['logs', '0'], message: 'a line' }],
    });
    const known = await submitting({
      settlement,
      purpose: { refusal: async () => rejection('LAUNCH_ALREADY_EXISTS', 'It was launched.') },
    });
    expect(known.refusal).toMatchObject({ code: 'LAUNCH_ALREADY_EXISTS' });
  });

  test.each([
    false,
    true,
  ])('whose outcome is open says when to ask again, and whether a flooded history is searched: %s', async (isSearched) => {
    const { refusal } = await submitting({ settlement: { kind: 'pending', isSearched } });
    expect(refusal).toMatchObject({ code: 'CONFIRMATION_PENDING', retryAfterSeconds: 2 });
    expect(refusal.message.startsWith(HISTORY_SEARCHED)).toBe(isSearched);
  });
});

test('an open outcome names the missing settler, unless nobody can say whether there is one', async () => {
  const settlement = { kind: 'pending', isSearched: false } as const;
  const without = await submitting({ settlement, hasSettler: async () => false });
  expect(without.refusal).toMatchObject({
    code: 'CONFIRMATION_PENDING',
    message: expect.stringMatching(/^No process of the service is sending submissions/),
  });
  const hasSettler = () => Promise.reject(new Error('the store does not answer'));
  const unknown = await submitting({ settlement, hasSettler });
  expect(unknown.refusal.message).toMatch(/^The outcome is pending/);
});
