/** Audits a log as `levy audit` does, and finds the submissions that have no outcome in it yet. */
import { createNodeChain } from '../../src/adapters/solana-rpc/chain.ts';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import type { Document } from '../../src/kernel/ports/read-model.ts';
import type { Projection } from '../../src/kernel/runtime/define-projection.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { foldEvents } from '../../src/kernel/runtime/fold-events.ts';
import { transactions } from '../../src/projections/transactions.ts';
import { audit } from '../../src/proof/audit/audit.ts';
import { createAuditNode } from '../../src/proof/audit/chain/audit-node.ts';
import type { AuditReport } from '../../src/proof/audit/report.ts';
import { streams } from '../../src/streams/index.ts';
import { logOf } from './comparing.ts';

const codec = createEventCodec(streams);

/** Without the address of a node, nothing is compared with the chain. */
export async function findingsInLog(
  events: readonly RecordedEvent[],
  chainUrl?: string,
): Promise<AuditReport['findings']> {
  const node =
    chainUrl === undefined ? {} : { node: createAuditNode(chainUrl, createNodeChain({ url: chainUrl })) };
  return (await audit({ log: logOf(events), ...node }, { codec, streams })).findings;
}

/** The documents of a projection, by their keys. */
export function folded<Doc extends Document>(
  projection: Projection<Doc>,
  events: readonly RecordedEvent[],
): ReadonlyMap<string, Doc> {
  const documents = new Map<string, Doc>();
  const recorded = events.map((event) => codec.decode(event));
  for (const { key, document } of foldEvents(projection, new Map(), recorded)) {
    // They are what the projection's own handlers made.
    if (document === undefined) documents.delete(key);
    else documents.set(key, document as Doc);
  }
  return documents;
}

/** Ids of the submissions whose outcome, or whose result, is not recorded. */
export function submissionsUnderWay(events: readonly RecordedEvent[]): readonly string[] {
  return [...folded(transactions, events).values()]
    .filter(
      ({ status, recorded }) =>
        status === 'submitted' || status === 'confirmed' || (status === 'finalized' && !recorded),
    )
    .map(({ transactionId }) => transactionId);
}
