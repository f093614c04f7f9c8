/** Which event names a damaged ledger file, and which of the file's records are wrong. */
import { ContentDamaged } from '../../../kernel/ports/errors.ts';
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import type { DistributionEvent } from '../../../streams/distribution.ts';
import type { DistributionRunEvent } from '../../../streams/distribution-run.ts';
import { type Place, recordedAt } from '../finding.ts';
import { LedgerFileInvalid, readAllotment } from '../ledger-files.ts';
import { damageIn } from './damaged-allotment.ts';
import type { RecordedRuns, StepsOf } from './recorded-runs.ts';

/** The event that names the file of the message, and where the run's ledger was announced on the chain. */
export async function placeOfFile(
  { events, closed }: Pick<RecordedRuns, 'events' | 'closed'>,
  stepsOf: StepsOf,
  message: string,
): Promise<Place> {
  const sha256 = /[0-9a-f]{64}/.exec(message)?.[0];
  if (sha256 === undefined) return {};
  const names = ({ data }: Recorded) => JSON.stringify(data).includes(sha256);
  for (const runId of closed) {
    const steps = await stepsOf(runId);
    const closing = events.find((event) => event.type === 'RunClosed' && event.data.runId === runId);
    const naming = [...steps, ...(closing === undefined ? [] : [closing])].find(names);
    if (naming === undefined) continue;
    const allotted = steps.findLast((event) => event.type === 'RunAllotted');
    const opening = events.find(
      (event) => event.type === 'LinksLanded' && event.data.runId === runId && event.data.purpose === 'open',
    );
    const [account, signature] = [
      allotted?.type === 'RunAllotted' ? allotted.data.pots[0]?.address : undefined,
      opening?.type === 'LinksLanded' ? opening.data.links[0]?.signature : undefined,
    ];
    return {
      ...recordedAt(naming),
      runId,
      ...(account === undefined ? {} : { account }),
      ...(signature === undefined ? {} : { signature }),
    };
  }
  return {};
}

/** Which records of the allotment that the message names are wrong, as far as the log and the next run show it. */
export async function damageOfFile(
  { file }: { readonly file: (sha256: string) => Promise<Uint8Array | undefined> },
  { steps }: { readonly steps: readonly Recorded<DistributionEvent>[] },
  stepsOf: StepsOf,
  message: string,
): Promise<readonly string[]> {
  const sha256 = /[0-9a-f]{64}/.exec(message)?.[0];
  const allotted: AllottedEvent[] = [];
  for (const { type, data } of steps) {
    if (type !== 'RunOpened') continue;
    const found = (await stepsOf(data.runId)).findLast((event) => event.type === 'RunAllotted');
    if (found?.type === 'RunAllotted') allotted.push(found.data);
  }
  const index = allotted.findIndex(({ ledger }) => ledger === sha256);
  const [own, next] = [allotted[index], allotted[index + 1]];
  if (own === undefined) return [];
  const bytes = await unlessDamaged(() => file(own.ledger));
  if (bytes === undefined) return [];
  const following =
    next && (await unlessDamaged(async () => readAllotment(next.ledger, await file(next.ledger))));
  return [damageIn(bytes, own, following)];
}

type AllottedEvent = Extract<DistributionRunEvent, { type: 'RunAllotted' }>['data'];

async function unlessDamaged<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LedgerFileInvalid || error instanceof ContentDamaged) return undefined;
    throw error;
  }
}
