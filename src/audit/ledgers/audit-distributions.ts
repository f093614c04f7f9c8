/**
 * Every token's distribution, from the chain: all payments, all equations, and what the ledger files say. The books are
 * read from the log and the files; what the chain shows decides.
 */
import { seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import type { Position } from '../../ports/event-store.ts';
import type { LogReader } from '../../ports/log-reader.ts';
import { type EventCodec, EventUndecodable, idOf, type Recorded } from '../../runtime/event-codec.ts';
import { type DistributionEvent, distribution } from '../../streams/distribution.ts';
import { type DistributionRunEvent, distributionRun } from '../../streams/distribution-run.ts';
import { auditToken } from '../audit-token.ts';
import { type AuditNode, NodeUnavailable } from '../chain/audit-node.ts';
import { streamsOf } from '../chain/audit-tokens.ts';
import { HistoryIncomplete } from '../chain-history.ts';
import { type Finding, type Place, recordedAt } from '../finding.ts';
import { LedgerFileInvalid } from '../ledger-files.ts';
import { readBooks } from '../read-books.ts';
import type { CheckNotes } from '../report.ts';

export interface DistributionsAudit {
  readonly log: LogReader;
  readonly codec: EventCodec;
  readonly node: AuditNode;
  readonly firstSlot: bigint;
  readonly file: (sha256: string) => Promise<Uint8Array | undefined>;
  /** Only tokens of which a step of a run was recorded behind it. */
  readonly after: Position;
  readonly until: Position;
}

const MARKER_SEED = 'levy:till-marker';

export async function auditDistributions(
  audit: DistributionsAudit,
  notes: { readonly payments: CheckNotes; readonly files: CheckNotes },
): Promise<void> {
  const { log, after, until } = audit;
  for await (const stream of streamsOf(log, distribution.category, after, until))
    await auditDistribution(audit, stream, notes);
}

async function auditDistribution(
  audit: DistributionsAudit,
  stream: string,
  { payments, files }: { readonly payments: CheckNotes; readonly files: CheckNotes },
): Promise<void> {
  const { node, firstSlot } = audit;
  const tokenId = idOf(stream);
  const recorded = await closedRunsOf(await eventsOf<DistributionEvent>(audit, stream));
  const runs = recorded.closed.length;
  if (recorded.open !== undefined)
    payments.couldNotLook(
      'the payments of a run are those of the ledger',
      'the run is open: it is audited when it is closed',
      {
        ...recordedAt(recorded.open),
        tokenId,
      },
    );
  if (runs === 0) return;
  const steps = new Map<string, readonly Recorded<DistributionRunEvent>[]>();
  for (const runId of recorded.closed)
    steps.set(runId, await eventsOf<DistributionRunEvent>(audit, `${distributionRun.category}-${runId}`));
  const all: readonly Recorded[] = [...recorded.events, ...[...steps.values()].flat()];
  const placed = (finding: Pick<Finding, 'what' | 'account' | 'signature'>): Place => placeIn(all, finding);

  const oldest = oldestSlot(recorded.events);
  if (oldest !== undefined && oldest < firstSlot) {
    payments.couldNotLook(
      'the payments of a run are those of the ledger',
      `the node has no transactions before slot ${firstSlot}, and the first run of the token is of slot ${oldest}`,
      { tokenId },
    );
    return;
  }
  try {
    files.looked(2 * runs);
    const books = await readBooks({
      distribution: recorded.events,
      run: async (runId) => steps.get(runId) ?? [],
      file: audit.file,
      distributor: distributorIn([...steps.values()].flat()),
      markerOf: (wallet) => seededAddress(wallet, MARKER_SEED, TOKEN_PROGRAM),
    });
    if (books === undefined) return;
    payments.looked(books.runs.reduce((sum, run) => sum + run.batches.length, 0));
    for (const finding of await auditToken(books, node))
      payments.add({ ...placed(finding), ...finding, tokenId, ...(await blockTimeOf(finding, node)) });
  } catch (error) {
    if (error instanceof LedgerFileInvalid) {
      files.add({
        what: 'a ledger file is the one that the log names',
        expected: 'the recorded bytes',
        found: error.message,
        ...placeOfFile(all, error.message),
        tokenId,
      });
    } else if (error instanceof NodeUnavailable || error instanceof HistoryIncomplete) {
      payments.couldNotLook('the payments of a run are those of the ledger', error.message, { tokenId });
    } else throw error;
  }
}

/** What belongs to closed runs; the chain may be ahead of an open one. */
async function closedRunsOf(events: readonly Recorded<DistributionEvent>[]) {
  const closed = events.flatMap((event) => (event.type === 'RunClosed' ? [event.data.runId] : []));
  const known = new Set(closed);
  const open = events.findLast((event) => event.type === 'RunOpened' && !known.has(event.data.runId));
  return {
    closed,
    open,
    events: events.filter(({ data }) => 'runId' in data && data.runId !== null && known.has(data.runId)),
  };
}

async function eventsOf<Event extends DistributionEvent | DistributionRunEvent>(
  { log, codec, until }: DistributionsAudit,
  stream: string,
): Promise<readonly Recorded<Event>[]> {
  const events: Recorded[] = [];
  for await (const stored of log.stream(stream)) {
    if (stored.position > until) break;
    try {
      events.push(codec.decode(stored));
    } catch (error) {
      // Told when the log was read.
      if (!(error instanceof EventUndecodable)) throw error;
    }
  }
  // The codec has checked them against the schemas of their stream.
  return events as readonly unknown[] as readonly Recorded<Event>[];
}

/** Who may pay out of pots of SOL, and lends their rents. */
function distributorIn(events: readonly DistributionRunEvent[]): string {
  for (const event of events)
    if (event.type === 'RunAllotted')
      for (const { asset, delegate } of event.data.pots) if (asset === 'sol') return delegate;
  return '';
}

function oldestSlot(events: readonly DistributionEvent[]): bigint | undefined {
  const first = events.find((event) => event.type === 'LinksLanded');
  return first?.type === 'LinksLanded' ? BigInt(first.data.slot) : undefined;
}

/** The event that names the signature, else the account, else the allotment of the run that the rule names. */
function placeIn(
  events: readonly Recorded[],
  { what, account, signature }: Pick<Finding, 'what' | 'account' | 'signature'>,
): Place {
  const runId = /^run ([0-9a-f-]{36}): /.exec(what)?.[1];
  const own = runId === undefined ? events : events.filter(({ data }) => data.runId === runId);
  const naming = (text: string | undefined) =>
    text === undefined ? undefined : own.findLast(({ data }) => JSON.stringify(data).includes(text));
  const found =
    naming(signature) ??
    naming(account) ??
    own.findLast(({ type }) => type === 'RunAllotted' || type === 'RunClosed');
  return { ...(found === undefined ? {} : recordedAt(found)), ...(runId === undefined ? {} : { runId }) };
}

/** The event that names the file of which the message tells. */
function placeOfFile(events: readonly Recorded[], message: string): Place {
  const sha256 = /[0-9a-f]{64}/.exec(message)?.[0];
  const found =
    sha256 === undefined ? undefined : events.find(({ data }) => JSON.stringify(data).includes(sha256));
  if (found === undefined) return {};
  return {
    ...recordedAt(found),
    ...(typeof found.data.runId === 'string' ? { runId: found.data.runId } : {}),
  };
}

async function blockTimeOf({ signature }: Finding, node: AuditNode): Promise<Place> {
  if (signature === undefined) return {};
  try {
    const time = (await node.transaction(signature))?.blockTime;
    return time === undefined ? {} : { time, timeOf: 'block' };
  } catch {
    // A finding with a signature that the node refuses is a finding all the same.
    return {};
  }
}
