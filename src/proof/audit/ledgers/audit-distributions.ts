/**
 * Every token's distribution, from the chain: all payments, all equations, and what the ledger files say. The books are
 * read from the log and the files; what the chain shows decides.
 */
import { seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import { ContentDamaged } from '../../../kernel/ports/errors.ts';
import type { Position } from '../../../kernel/ports/event-store.ts';
import type { LogReader } from '../../../kernel/ports/log-reader.ts';
import { type EventCodec, idOf } from '../../../kernel/runtime/event-codec.ts';
import { distribution } from '../../../streams/distribution.ts';
import { auditBooks } from '../audit-token.ts';
import type { AuditedToken } from '../chain/audit-mints.ts';
import type { AuditNode } from '../chain/audit-node.ts';
import { streamsOf } from '../chain/audit-tokens.ts';
import { NodeUnavailable } from '../chain/node-calls.ts';
import { HistoryIncomplete } from '../chain-history.ts';
import { type Findings, recordedAt } from '../finding.ts';
import { LedgerFileInvalid } from '../ledger-files.ts';
import { outlineBooks } from '../read-books.ts';
import type { CheckNotes } from '../report.ts';
import type { UnreadBooks } from '../run-books.ts';
import { damageOfFile, placeOfFile } from './damaged-file.ts';
import { findingsOfToken, placeIn } from './findings-of-token.ts';
import {
  distributorOf,
  hasRun,
  linksOfOpenRuns,
  oldestSlot,
  type RecordedRuns,
  recordedRuns,
  type StepsOf,
  stepsIn,
} from './recorded-runs.ts';

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
  notes: NotesOfDistributions,
): Promise<void> {
  const { log, after, until } = audit;
  for await (const stream of streamsOf(log, distribution.category, after, until))
    await auditDistribution(audit, stream, notes);
}

interface NotesOfDistributions {
  readonly payments: CheckNotes;
  readonly files: CheckNotes;
}

const THE_RULE = 'the payments of a run are those of the ledger';

async function auditDistribution(
  audit: DistributionsAudit,
  stream: string,
  notes: NotesOfDistributions,
): Promise<void> {
  const { node } = audit;
  const { payments } = notes;
  const tokenId = idOf(stream);
  const recorded = await recordedRuns(audit, stream);
  if (recorded.open !== undefined)
    payments.couldNotLook(THE_RULE, 'the run is open: it is audited when it is closed', {
      ...recordedAt(recorded.open),
      tokenId,
    });
  if (recorded.open === undefined && recorded.closed.length === 0) return;
  const tooOld = tooOldFor(recorded, audit);
  if (tooOld !== undefined) {
    payments.couldNotLook(THE_RULE, tooOld, { tokenId });
    return;
  }
  const stepsOf = stepsIn(audit);
  const { findings, tell } = findingsOfToken(tokenId, payments, node);
  try {
    await auditClosedRuns({ audit, stream, recorded, stepsOf, notes, findings });
  } catch (error) {
    if (error instanceof LedgerFileInvalid || error instanceof ContentDamaged)
      await tellDamage({ audit, tokenId, recorded, stepsOf, notes }, error.message);
    else if (!(error instanceof NodeUnavailable || error instanceof HistoryIncomplete)) throw error;
    payments.couldNotLook(THE_RULE, error.message, { tokenId });
  }
  await tell((finding) => placeIn(recorded.steps, stepsOf, finding));
}

/** Why the node cannot show the token's first run; undefined where it can. */
function tooOldFor(
  { steps }: RecordedRuns,
  { firstSlot }: Pick<DistributionsAudit, 'firstSlot'>,
): string | undefined {
  const oldest = oldestSlot(steps);
  if (oldest === undefined || oldest >= firstSlot) return undefined;
  return `the node has no transactions before slot ${firstSlot}, and the first run of the token is of slot ${oldest}`;
}

async function auditClosedRuns({
  audit,
  stream,
  recorded,
  stepsOf,
  notes: { payments, files },
  findings,
}: {
  readonly audit: DistributionsAudit;
  readonly stream: string;
  readonly recorded: RecordedRuns;
  readonly stepsOf: StepsOf;
  readonly notes: NotesOfDistributions;
  readonly findings: Findings;
}): Promise<void> {
  const { node, log, codec } = audit;
  const { open, closed } = recorded;
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
  const later = () => linksOfOpenRuns({ log, codec }, stream, new Set(closed));
  await auditBooks({ ...counted(all, payments), later }, node, findings);
}

async function tellDamage(
  {
    audit,
    tokenId,
    recorded,
    stepsOf,
    notes,
  }: {
    readonly audit: DistributionsAudit;
    readonly tokenId: string;
    readonly recorded: RecordedRuns;
    readonly stepsOf: StepsOf;
    readonly notes: NotesOfDistributions;
  },
  message: string,
): Promise<void> {
  notes.files.add({
    what: 'a ledger file is the one that the log names',
    expected: 'the recorded bytes',
    found: [message, ...(await damageOfFile(audit, recorded, stepsOf, message))].join('; '),
    ...(await placeOfFile(recorded, stepsOf, message)),
    tokenId,
  });
}

/** Says how many transactions of the ledgers were checked. */
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

/**
 * Tokens of which the log has no run must have no link on the chain: else the log was put back to before the first run,
 * or its runs were removed.
 */
export async function auditTokensWithoutRuns(
  audit: DistributionsAudit,
  tokens: readonly AuditedToken[],
  payments: CheckNotes,
): Promise<void> {
  const { log, codec, node } = audit;
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
      const later = () => linksOfOpenRuns({ log, codec }, stream, new Set());
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
