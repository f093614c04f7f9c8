/** Drafts and nonce accounts in a log and read models in memory, under a clock that the test sets. */
import { createEventCodec, EventUndecodable } from '../../src/kernel/runtime/event-codec.ts';
import { createExecutor, type Executor } from '../../src/kernel/runtime/execute.ts';
import { nonceAccounts } from '../../src/projections/nonce-accounts.ts';
import { transactions } from '../../src/projections/transactions.ts';
import { draft } from '../../src/streams/draft.ts';
import type { DraftEvent } from '../../src/streams/draft-events.ts';
import { streams } from '../../src/streams/index.ts';
import { type NonceAccountEvent, nonceAccount } from '../../src/streams/nonce-account.ts';
import { causeOf } from './counter.ts';
import { openProjecting, untilAllLive } from './projecting.ts';

const BEGIN = '2026-05-04T10:00:00.000Z';

export async function draftsOnRecord() {
  const projecting = openProjecting({ isAwaited: true, projections: [transactions, nonceAccounts] });
  await projecting.projector.start();
  await untilAllLive(projecting);
  let now = Date.parse(BEGIN);
  const clock = { now: () => new Date(now) };
  const executor = createExecutor(projecting.store, createEventCodec(streams), clock);
  async function typesIn(stream: string): Promise<readonly string[]> {
    const types: string[] = [];
    for await (const { type } of projecting.store.read(stream)) types.push(type);
    return types;
  }
  return {
    executor,
    readModel: projecting.readModel,
    clock,
    later(milliseconds: number): void {
      now += milliseconds;
    },
    async record(transactionId: string, ...events: readonly DraftEvent[]): Promise<void> {
      await executor.execute(draft, transactionId, causeOf(), () => events);
    },
    async recordNonce(account: string, ...events: readonly NonceAccountEvent[]): Promise<void> {
      await executor.execute(nonceAccount, account, causeOf(), () => events);
    },
    /** The types of what the draft's stream holds. */
    eventsOf: (transactionId: string) => typesIn(`draft-${transactionId}`),
    typesIn,
    async nonceOf(account: string) {
      return (await executor.load(nonceAccount, account)).state;
    },
  };
}

/** The executor as it is while an event of this stream cannot be decoded. */
export function undecodableAt(executor: Executor, damaged: string): Executor {
  const requireReadable = (streamId: string) => {
    if (streamId !== damaged) return;
    throw new EventUndecodable({
      eventId: damaged,
      stream: `draft-${damaged}`,
      revision: 0,
      position: '1',
      eventType: 'DraftIssued',
      problem: 'damaged',
      isNewer: false,
    });
  };
  return {
    ...executor,
    async load(stream, streamId, options) {
      requireReadable(streamId);
      return executor.load(stream, streamId, options);
    },
    async check(stream, streamId, judge) {
      requireReadable(streamId);
      return executor.check(stream, streamId, judge);
    },
    async execute(stream, streamId, ...rest) {
      requireReadable(streamId);
      return executor.execute(stream, streamId, ...rest);
    },
  };
}
