/** Log of whole flows (wallet, image, draft, submission until final, token), as the service records them. */
import { createHash } from 'node:crypto';
import type { EventStore, EventToAppend, ExpectedRevision } from '../../src/kernel/ports/event-store.ts';
import { createEventCodec, type EventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import {
  DistributionWalletClaimed,
  DistributionWalletGenerated,
} from '../../src/streams/distribution-wallet.ts';
import {
  DraftIssued,
  SubmissionAccepted,
  SubmissionConfirmed,
  SubmissionFinalized,
} from '../../src/streams/draft-events.ts';
import { ImageStored } from '../../src/streams/image-upload.ts';
import { categoryOfType, type LevyEvent, streams } from '../../src/streams/index.ts';
import { NonceAccountOpened, NonceLeased, NonceRenewed } from '../../src/streams/nonce-account.ts';
import { TokenCreated } from '../../src/streams/token.ts';
import { addressFor, creationOf } from './many-tokens.ts';

export const EVENTS_A_FLOW = 10;

const NONCE_ACCOUNTS = 200;
const FLOWS_AT_ONCE = 50;
const BEGUN = Date.parse('2026-01-01T00:00:00.000Z');

/** Flows of one second are interleaved, like those of several creators. */
export async function writeFlows(store: Pick<EventStore, 'append'>, flows: number): Promise<void> {
  const codec = createEventCodec(streams);
  const nonces = Array.from({ length: NONCE_ACCOUNTS }, (_, index) => addressFor(2e9 + index));
  const revisions = new Map<string, number>();
  const write = async (entries: readonly Entry[]) => {
    await Promise.all(entries.map((entry) => append(store, codec, revisions, entry)));
  };
  await write(
    nonces.map((account, index) => ({
      streamId: account,
      event: NonceAccountOpened({ account, index, value: addressFor(3e9 + index) }),
      at: BEGUN,
    })),
  );
  for (let first = 0; first < flows; first += FLOWS_AT_ONCE) {
    const numbers = Array.from(
      { length: Math.min(FLOWS_AT_ONCE, flows - first) },
      (_, index) => first + index,
    );
    const steps = numbers.map((number) => stepsOf(number, nonces[number % NONCE_ACCOUNTS] ?? ''));
    for (let step = 0; step < EVENTS_A_FLOW; step += 1) {
      await write(steps.flatMap((each) => each[step] ?? []));
    }
  }
}

interface Entry {
  readonly streamId: string;
  readonly event: LevyEvent;
  readonly at: number;
}

async function append(
  store: Pick<EventStore, 'append'>,
  codec: EventCodec,
  revisions: Map<string, number>,
  { streamId, event, at }: Entry,
): Promise<void> {
  const category = categoryOfType.get(event.type) ?? '';
  const stream = `${category}-${streamId}`;
  const known = revisions.get(stream);
  const expected: ExpectedRevision = known ?? 'none';
  const commandId = deriveId('flow', stream, String(expected));
  const stored: EventToAppend = codec.encode(category, deriveId('event', commandId), event, {
    commandId,
    inputHash: createHash('sha256').update(commandId).digest('hex'),
    correlationId: commandId,
    causationId: commandId,
    actor: addressFor(1e9),
    occurredAt: new Date(at).toISOString(),
  });
  // Only these streams grow later. The others are short and very numerous.
  if (category === 'nonce' || category === 'draft' || category === 'wallet') {
    if (event.type === 'SubmissionFinalized' || event.type === 'DistributionWalletClaimed')
      revisions.delete(stream);
    else revisions.set(stream, (known ?? -1) + 1);
  }
  const result = await store.append(stream, expected, [stored]);
  if (result.outcome !== 'appended') throw new Error(`${stream} has another revision than ${expected}`);
}

function stepsOf(number: number, account: string): readonly Entry[] {
  const creation = creationOf(number);
  const imageCid = `bafkrei${number.toString(36).padStart(52, 'a')}`;
  const token = { ...creation.data.token, imageCid };
  const created = TokenCreated({ ...creation.data, token });
  const { creator, transactionId } = created.data;
  const { walletId, tokenId, distributionWallet } = token;
  const at = BEGUN + number * 1_000;
  const landed = { transactionId, signature: created.data.signature, slot: String(1e8 + number) };
  const value = addressFor(4e9 + number);
  const entries: readonly (readonly [string, LevyEvent])[] = [
    [walletId, DistributionWalletGenerated({ walletId, address: distributionWallet })],
    [deriveId('upload', walletId), ImageStored({ cid: imageCid, uploader: creator, byteLength: 40_000 })],
    [account, NonceLeased({ account, transactionId, value })],
    [
      transactionId,
      DraftIssued({
        transactionId,
        creator,
        message: 'A'.repeat(1_060),
        lifetime: { kind: 'durable-nonce', nonceAccount: account, nonceValue: value },
        cost: '5015000',
        expiresAt: new Date(at + 300_000).toISOString(),
        subject: token,
      }),
    ],
    [walletId, DistributionWalletClaimed({ walletId, transactionId, creator })],
    [
      transactionId,
      SubmissionAccepted({
        transactionId,
        signature: created.data.signature,
        signedTransaction: 'A'.repeat(1_330),
        deadline: new Date(at + 120_000).toISOString(),
      }),
    ],
    [transactionId, SubmissionConfirmed(landed)],
    [tokenId, created],
    [transactionId, SubmissionFinalized(landed)],
    [account, NonceRenewed({ account, transactionId, value })],
  ];
  return entries.map(([streamId, event]) => ({ streamId, event, at }));
}
