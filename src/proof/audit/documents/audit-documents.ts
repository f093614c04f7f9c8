/** Compares every document of the read models with the log; a finding names the last event that the document includes. */
import type { RecordedEvent } from '../../../kernel/ports/event-store.ts';
import type { LogReader } from '../../../kernel/ports/log-reader.ts';
import { type CompareOptions, compareReadModels } from '../../replay/compare-read-models.ts';
import type { ReadModelDifference } from '../../replay/document-difference.ts';
import { type Place, placeOf } from '../finding.ts';
import { type CheckNotes, MAX_LISTED } from '../report.ts';

/** Returns the number of documents that were not compared, because they include events after their read model's checkpoint. */
export async function auditDocuments(
  options: Omit<CompareOptions, 'found'>,
  notes: CheckNotes,
): Promise<number> {
  const differences: ReadModelDifference[] = [];
  const { documents, ahead, notCompared } = await compareReadModels({
    ...options,
    found(difference) {
      if (differences.length < MAX_LISTED) differences.push(difference);
      else notes.more(1);
    },
  });
  notes.checked(documents);
  for (const { collection, reason } of notCompared) notes.unchecked(collection, reason);
  const events = await eventsAt(options.log, new Set(differences.map(lastPosition)));
  for (const difference of differences) {
    const { kind, collection, key, parts, log, readModel } = difference;
    notes.add({
      what: sentenceOf(kind, `the document ${key} of ${collection}`, parts),
      expected: JSON.stringify(log),
      found: JSON.stringify(readModel),
      document: { collection, key },
      ...placeIn(events.get(lastPosition(difference))),
    });
  }
  return ahead;
}

function sentenceOf(kind: ReadModelDifference['kind'], document: string, parts: readonly string[]): string {
  return kind === 'differs' ? `${document} differs in ${parts.join(', ')}` : `${document} is ${kind}`;
}

/** Position of the last event that the document includes; from the log's version of it if there is one. */
function lastPosition({ log, readModel }: ReadModelDifference): string {
  return (log ?? readModel)?.position ?? '';
}

/** Reads the log again only if there are differences to report. */
async function eventsAt(
  log: Pick<LogReader, 'events'>,
  positions: ReadonlySet<string>,
): Promise<ReadonlyMap<string, RecordedEvent>> {
  const found = new Map<string, RecordedEvent>();
  if (positions.size === 0) return found;
  for await (const event of log.events()) {
    if (positions.has(event.position)) found.set(event.position, event);
    if (found.size === positions.size) break;
  }
  return found;
}

/** Identifiers that the event contains. */
function placeIn(event: RecordedEvent | undefined): Place {
  if (event === undefined) return {};
  const { data, metadata } = event;
  // `TokenCreated` nests its identifiers in `token`.
  const named = { ...Object(data.token), ...data } as typeof data;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const fields = {
    account: text(named.mintAddress) ?? text(named.mint) ?? text(named.address),
    signature: text(named.signature),
    tokenId: text(named.tokenId),
    runId: text(named.runId),
  };
  const time = text(metadata.occurredAt);
  return {
    event: placeOf(event),
    ...(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Place),
    ...(time === undefined ? {} : { time }),
  };
}
