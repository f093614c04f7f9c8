/**
 * Every token's distribution, from the chain: all payments, all equations, and what the ledger files say. The books are
 * read from the log and the files; what the chain shows decides.
 */
import { seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import { ContentDamaged } from '../../ports/content-damaged.ts';
import type { Position } from '../../ports/event-store.ts';
import type { LogReader } from '../../ports/log-reader.ts';
import { type EventCodec, EventUndecodable, idOf, type Recorded } from '../../runtime/event-codec.ts';
import { type DistributionEvent, distribution } from '../../streams/distribution.ts';
import { type DistributionRunEvent, distributionRun } from '../../streams/distribution-run.ts';
import { auditBooks } from '../audit-token.ts';
import type { AuditedToken } from '../chain/audit-mints.ts';
import { type AuditNode, NodeUnavailable } from '../chain/audit-node.ts';
import { streamsOf } from '../chain/audit-tokens.ts';
import { createChainHistory, HistoryIncomplete } from '../chain-history.ts';
import { CHECKS } from '../checks.ts';
import { type Finding, findingsInto, type Place, recordedAt } from '../finding.ts';
import { createKeptByKind, kindOf } from '../kept-by-kind.ts';
import { LedgerFileInvalid, readAllotment } from '../ledger-files.ts';
import { bookedLink, bookedPot, outlineBooks } from '../read-books.ts';
import type { CheckNotes } from '../report.ts';
import type { BookedLink, BookedPot, LaterLinks, UnreadBooks } from '../run-books.ts';
import { damageIn } from './damaged-allotment.ts';

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
/** Findings of a kind; each is looked up in the log. */
const MOST_OF_A_TOKEN = 100;

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
  const recorded = closedRunsOf(await eventsOf<DistributionEvent>(audit, stream, OF_CLOSED_RUNS));
  const { open, closed } = recorded;
  if (open !== undefined)
    payments.couldNotLook(
      'the payments of a run are those of the ledger',
      'the run is open: it is audited when it is closed',
      {
        ...recordedAt(open),
        tokenId,
      },
    );
  if (open === undefined && closed.length === 0) return;
  const oldest = oldestSlot(recorded.steps);
  if (oldest !== undefined && oldest < firstSlot) {
    payments.couldNotLook(
      'the payments of a run are those of the ledger',
      `the node has no transactions before slot ${firstSlot}, and the first run of the token is of slot ${oldest}`,
      { tokenId },
    );
    return;
  }
  const stepsOf = (runId: string) =>
    eventsOf<DistributionRunEvent>(audit, `${distributionRun.category}-${runId}`);
  const { findings, tell } = findingsOfToken(tokenId, payments, node);
  try {
    const books = await outlineBooks({
      distribution: recorded.events,
      run: stepsOf,
      file: async (sha256) => {
        files.looked();
        return audit.file(sha256);
      },
      distributor: await distributorOf(recorded, stepsOf, node),
      markerOf,
    });
    const all = books ?? (open && nothingClosed(open.data));
    if (all === undefined) return;
    const later = () => linksOfOpenRuns(audit, stream, new Set(closed));
    await auditBooks({ ...counted(all, payments), later }, node, findings);
  } catch (error) {
    if (error instanceof LedgerFileInvalid || error instanceof ContentDamaged) {
      files.add({
        what: 'a ledger file is the one that the log names',
        expected: 'the recorded bytes',
        found: [error.message, ...(await damageOfFile(audit, recorded, stepsOf, error.message))].join('; '),
        ...(await placeOfFile(recorded, stepsOf, error.message)),
        tokenId,
      });
      payments.couldNotLook('the payments of a run are those of the ledger', error.message, { tokenId });
    } else if (error instanceof NodeUnavailable || error instanceof HistoryIncomplete) {
      payments.couldNotLook('the payments of a run are those of the ledger', error.message, { tokenId });
    } else throw error;
  }
  await tell((finding) => placeIn(recorded.steps, stepsOf, finding));
}

/** Of each kind as many as are kept of a token; those are looked up when they are told. */
function findingsOfToken(tokenId: string, payments: CheckNotes, node: AuditNode) {
  const found = createKeptByKind<Finding>(MOST_OF_A_TOKEN);
  return {
    findings: findingsInto((finding) =>
      found.add(finding, kindOf(CHECKS.payments, finding.what), runIn(finding) ?? ''),
    ),
    isEmpty: () => found.kept().length === 0,
    async tell(placeOf: (finding: Finding) => Place | Promise<Place>): Promise<void> {
      for (const finding of found.kept()) {
        const place = await placeOf(finding);
        payments.add({ ...place, ...finding, tokenId, ...(await blockTimeOf(finding, node)) });
      }
      for (const [kind, count] of found.notKept()) payments.more(kind, count);
    },
  };
}

/** The run that a rule names. */
function runIn({ what }: Pick<Finding, 'what'>): string | undefined {
  return /^run ([0-9a-f-]{36}): /.exec(what)?.[1];
}

/** Says how many transactions of the ledgers were looked at. */
function counted(books: UnreadBooks, payments: CheckNotes): UnreadBooks {
  return {
    ...books,
    async read(index) {
      const run = await books.read(index);
      payments.looked(run.batches.length);
      return run;
    },
  };
}

function markerOf(wallet: string): string {
  return seededAddress(wallet, MARKER_SEED, TOKEN_PROGRAM);
}

/** The books of a token before its first run is closed. */
function nothingClosed(token: { readonly mint: string; readonly distributionWallet: string }): UnreadBooks {
  const { mint, distributionWallet: wallet } = token;
  return {
    mint,
    wallet,
    distributor: '',
    marker: markerOf(wallet),
    runs: [],
    links: [],
    inTill: 0n,
    inAccount: 0n,
    read: async (index) => {
      throw new RangeError(`there is no run ${index}`);
    },
  };
}

/** By the log as it is now: the service goes on while it is audited. */
async function linksOfOpenRuns(
  { log, codec }: DistributionsAudit,
  stream: string,
  closed: ReadonlySet<string>,
): Promise<LaterLinks> {
  const source = { log, codec };
  const events = await eventsOf<DistributionEvent>(source, stream, ['RunOpened', 'LinksRecorded']);
  const links = new Map<string, BookedLink>();
  const pots: BookedPot[] = [];
  for (const event of events) {
    if (event.type === 'LinksRecorded' && !closed.has(event.data.runId))
      for (const link of event.data.links) links.set(link.till, bookedLink(link));
    if (event.type !== 'RunOpened' || closed.has(event.data.runId)) continue;
    const steps = await eventsOf<DistributionRunEvent>(
      source,
      `${distributionRun.category}-${event.data.runId}`,
      ['RunAllotted'],
    );
    for (const step of steps) if (step.type === 'RunAllotted') pots.push(...step.data.pots.map(bookedPot));
  }
  return { links, pots };
}

/**
 * Tokens of which the log has no run must have no link on the chain: else the log was put back to before the first run,
 * or its runs were removed.
 */
export async function auditTokensWithoutRuns(
  audit: DistributionsAudit,
  tokens: readonly AuditedToken[],
  payments: CheckNotes,
): Promise<void> {
  const { log, node } = audit;
  const markers = tokens.map(({ state }) => markerOf(state.created.token.distributionWallet));
  const accounts = await node.accounts(markers, 'finalized');
  for (const [index, { state, created }] of tokens.entries()) {
    // Everybody can send lamports there; only the wallet can make a token account of it.
    if (accounts[index]?.owner !== TOKEN_PROGRAM) continue;
    const { tokenId, mintAddress: mint, distributionWallet } = state.created.token;
    const stream = `${distribution.category}-${tokenId}`;
    if (await hasRun(log, stream)) continue;
    const { findings, isEmpty, tell } = findingsOfToken(tokenId, payments, node);
    const place = { ...recordedAt(created), tokenId };
    try {
      const later = () => linksOfOpenRuns(audit, stream, new Set());
      await auditBooks({ ...nothingClosed({ mint, distributionWallet }), later }, node, findings);
    } catch (error) {
      if (!(error instanceof NodeUnavailable || error instanceof HistoryIncomplete)) throw error;
      payments.couldNotLook('the wallet signs only links that are recorded', error.message, place);
      continue;
    }
    await tell(() => place);
    if (isEmpty())
      payments.couldNotLook(
        'the wallet signs only links that are recorded',
        `the node has no transaction that made ${markers[index]}`,
        place,
      );
  }
}

/** By the log as it is now: a run may have begun since. */
async function hasRun(log: LogReader, stream: string): Promise<boolean> {
  for await (const { type } of log.stream(stream)) if (type === 'RunOpened') return true;
  return false;
}

/** What belongs to closed runs; the chain may be ahead of an open one. */
function closedRunsOf(events: readonly Recorded<DistributionEvent>[]) {
  const closed = events.flatMap((event) => (event.type === 'RunClosed' ? [event.data.runId] : []));
  const known = new Set(closed);
  const open = events
    .filter((event) => event.type === 'RunOpened')
    .findLast(({ data }) => !known.has(data.runId));
  return {
    closed,
    open,
    steps: events,
    events: events.filter(({ data }) => 'runId' in data && data.runId !== null && known.has(data.runId)),
  };
}

/** What is kept of a token's stream for as long as it is audited; the steps of a run are read when they are needed. */
const OF_CLOSED_RUNS = ['RunOpened', 'LinksLanded', 'RunClosed'];

async function eventsOf<Event extends DistributionEvent | DistributionRunEvent>(
  {
    log,
    codec,
    until,
  }: Pick<DistributionsAudit, 'log' | 'codec'> & { readonly until?: Position | undefined },
  stream: string,
  types?: readonly string[],
): Promise<readonly Recorded<Event>[]> {
  const events: Recorded[] = [];
  for await (const stored of log.stream(stream)) {
    if (until !== undefined && stored.position > until) break;
    if (types !== undefined && !types.includes(stored.type)) continue;
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

type StepsOf = (runId: string) => Promise<readonly Recorded<DistributionRunEvent>[]>;

/** Who may pay out of pots of SOL, and lends their rents. Where all is paid in the token itself, only the chain says. */
async function distributorOf(
  { closed, events }: ReturnType<typeof closedRunsOf>,
  stepsOf: StepsOf,
  node: AuditNode,
): Promise<string> {
  for (const runId of closed)
    for (const event of await stepsOf(runId))
      if (event.type === 'RunAllotted')
        for (const { asset, delegate } of event.data.pots) if (asset === 'sol') return delegate;
  const landed = events.find((event) => event.type === 'LinksLanded');
  const [link] = landed?.type === 'LinksLanded' ? landed.data.links : [];
  if (link === undefined) return '';
  // The wallet signed it with this payer, so nobody else can have sent it.
  const sent = await createChainHistory(node).transaction(link.signature);
  if (sent === undefined)
    throw new HistoryIncomplete(`the node does not show ${link.signature}, the first link of the token`);
  return sent.payer;
}

function oldestSlot(events: readonly DistributionEvent[]): bigint | undefined {
  const first = events.find((event) => event.type === 'LinksLanded');
  return first?.type === 'LinksLanded' ? BigInt(first.data.slot) : undefined;
}

/** The event that names the signature, else the account, else the allotment of the run that the rule names, else the last. */
async function placeIn(
  ofToken: readonly Recorded[],
  stepsOf: StepsOf,
  { what, account, signature }: Pick<Finding, 'what' | 'account' | 'signature'>,
): Promise<Place> {
  const runId = runIn({ what });
  const own: readonly Recorded[] =
    runId === undefined
      ? ofToken
      : [...ofToken.filter(({ data }) => data.runId === runId), ...(await stepsOf(runId))];
  const naming = (text: string | undefined) =>
    text === undefined ? undefined : own.findLast(({ data }) => JSON.stringify(data).includes(text));
  const found =
    naming(signature) ??
    naming(account) ??
    own.findLast(({ type }) => type === 'RunAllotted' || type === 'RunClosed') ??
    own.at(-1);
  return { ...(found === undefined ? {} : recordedAt(found)), ...(runId === undefined ? {} : { runId }) };
}

/** The event that names the file of which the message tells, and where the chain was told of the run's ledger. */
async function placeOfFile(
  {
    events,
    closed,
  }: { readonly events: readonly Recorded<DistributionEvent>[]; readonly closed: readonly string[] },
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
    const allotted = steps.find((event) => event.type === 'RunAllotted');
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

/** Which records of the allotment of which the message tells are wrong, as far as the log and the next run show it. */
async function damageOfFile(
  { file }: Pick<DistributionsAudit, 'file'>,
  { steps }: { readonly steps: readonly Recorded<DistributionEvent>[] },
  stepsOf: StepsOf,
  message: string,
): Promise<readonly string[]> {
  const sha256 = /[0-9a-f]{64}/.exec(message)?.[0];
  const allotted: AllottedEvent[] = [];
  for (const { type, data } of steps) {
    if (type !== 'RunOpened') continue;
    const found = (await stepsOf(data.runId)).find((event) => event.type === 'RunAllotted');
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
