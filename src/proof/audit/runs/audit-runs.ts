/** Audits the runs of every token: re-executes them from the log and the ledger files, and compares them with the chain. */
import { TOKEN_PROGRAM } from 'levy-solana-wire';
import { markerOf } from '../../../distribution/once/till-chain.ts';
import type { Position } from '../../../kernel/ports/event-store.ts';
import type { LogReader } from '../../../kernel/ports/log-reader.ts';
import { type EventCodec, idOf } from '../../../kernel/runtime/event-codec.ts';
import { type DistributionEvent, distribution } from '../../../streams/distribution.ts';
import type { AuditedToken } from '../chain/audit-mints.ts';
import { type AuditNode, isUnavailable } from '../chain/audit-node.ts';
import { streamsOf } from '../chain/audit-tokens.ts';
import { type AuditedChain, HistoryIncomplete } from '../chain/landed-transactions.ts';
import { type Place, recordedAt } from '../finding.ts';
import type { CheckNotes } from '../report.ts';
import { type ChainAudit, createChainAudit, type NewerLog } from './audit-chain.ts';
import { type AuditedLedgers, createAuditedLedgers } from './audited-ledgers.ts';
import { createRunExecution, type ExecutedRun, placeOf, tokenOf } from './re-execute-run.ts';
import { eventsByRun, eventsOf, stepsOf, type TokenRunEvent } from './token-history.ts';

interface RunsAudit {
  readonly log: LogReader;
  readonly codec: EventCodec;
  /** Absent: the checks against the chain are skipped. */
  readonly node?: { readonly node: AuditedChain; readonly firstSlot: bigint } | undefined;
  readonly file: (sha256: string) => Promise<Uint8Array | undefined>;
  /** Exclusive position: only tokens with later run steps are audited. */
  readonly after: Position;
  readonly until: Position;
}

interface NotesOfRuns {
  readonly rules: CheckNotes;
  readonly payments: CheckNotes;
  readonly files: CheckNotes;
}

export async function auditRuns(audit: RunsAudit, notes: NotesOfRuns): Promise<void> {
  const { log, after, until } = audit;
  const ledgers = createAuditedLedgers(async (sha256) => {
    notes.files.checked();
    return audit.file(sha256);
  });
  for await (const stream of streamsOf(log, distribution.category, after, until))
    await auditToken(audit, idOf(stream), ledgers, notes);
}

async function auditToken(
  audit: RunsAudit,
  tokenId: string,
  ledgers: AuditedLedgers,
  { rules, payments, files }: NotesOfRuns,
): Promise<void> {
  const { log, codec, until } = audit;
  const execution = createRunExecution({
    ledgers,
    findings: rules,
    unreadable({ message }, place) {
      const what = 'a ledger file has the content that the log names';
      files.add({ what, expected: 'the recorded bytes', found: message, ...place });
      rules.unchecked('RunAllotted follows from the rules', message, place);
    },
    unknownRules: (version, place) =>
      rules.unchecked(
        'RunOpened follows from the rules',
        `this release does not include rules version ${version}; use the release that executed the run`,
        place,
      ),
  });
  let chain: ChainAudit | undefined;
  let last: ExecutedRun | undefined;
  for await (const events of eventsByRun({ log, codec, until }, tokenId)) {
    rules.checked(events.length);
    const run = await execution.execute(events);
    if (run === undefined) continue;
    if (last === undefined) chain = openChain(audit, events, ledgers, payments);
    last = run;
    if (chain !== undefined) chain = await unlessUnavailable(chain, () => chain?.run(run), payments, events);
  }
  if (chain === undefined || last === undefined) return;
  const { token, events } = last;
  await unlessUnavailable(chain, () => chain?.end(token, execution.state, { tokenId }), payments, events);
}

/** Undefined if the node lacks transactions of the token. */
function openChain(
  { log, codec, node }: RunsAudit,
  events: readonly TokenRunEvent[],
  ledgers: AuditedLedgers,
  payments: CheckNotes,
): ChainAudit | undefined {
  const [opened] = events;
  if (node === undefined || opened?.type !== 'RunOpened') return undefined;
  const first = events.find((event) => event.type === 'LinksLanded');
  if (first?.type === 'LinksLanded' && BigInt(first.data.slot) < node.firstSlot) {
    payments.unchecked(
      'a recorded transaction is on the chain',
      `the first run of the token is in slot ${first.data.slot}; the node stores transactions from slot ${node.firstSlot} on`,
      placeOf(first),
    );
    return undefined;
  }
  return createChainAudit({
    chain: node.node,
    ledgers,
    newer: newerLog({ log, codec }, opened.data.tokenId),
    findings: payments,
    compared: payments.checked,
  });
}

/** Stops comparing the token with the chain if the node lacks part of its history. */
async function unlessUnavailable(
  chain: ChainAudit,
  work: () => Promise<void> | undefined,
  payments: CheckNotes,
  [first]: readonly TokenRunEvent[],
): Promise<ChainAudit | undefined> {
  try {
    await work();
    return chain;
  } catch (error) {
    if (!(isUnavailable(error) || error instanceof HistoryIncomplete)) throw error;
    payments.unchecked('a recorded transaction is on the chain', error.message, first && placeOf(first));
    return undefined;
  }
}

function newerLog(log: { readonly log: LogReader; readonly codec: EventCodec }, tokenId: string): NewerLog {
  const events = () => eventsOf<DistributionEvent>(log, `${distribution.category}-${tokenId}`);
  return {
    async links() {
      const links = [];
      for await (const event of events()) if (event.type === 'LinksRecorded') links.push(...event.data.links);
      return links;
    },
    async batches(runId) {
      return (await stepsOf(log, runId)).flatMap((event) => {
        if (event.type === 'RoundRecorded') return event.data.batches;
        return event.type === 'BatchReplanned' ? [event.data.batch] : [];
      });
    },
    async runs() {
      let count = 0;
      for await (const event of events()) if (event.type === 'RunOpened') count += 1;
      return count;
    },
  };
}

/**
 * Checks that tokens without recorded runs have no link on the chain. A link shows that the log was restored to a state before
 * the first run, or that runs were removed from it.
 */
export async function auditTokensWithoutRuns(
  { log, codec, node }: Pick<RunsAudit, 'log' | 'codec'> & { readonly node: AuditNode },
  tokens: readonly AuditedToken[],
  payments: CheckNotes,
): Promise<void> {
  const markers = tokens.map(({ state }) => markerOf(state.created.token.distributionWallet));
  const accounts = await node.accounts(markers, 'finalized');
  for (const [index, { state, created }] of tokens.entries()) {
    // Anyone can send lamports to the marker, but only the wallet can create a token account there.
    if (accounts[index]?.owner !== TOKEN_PROGRAM) continue;
    const { tokenId, mintAddress: mint, decimals, distributionWallet } = state.created.token;
    const newer = newerLog({ log, codec }, tokenId);
    if ((await newer.runs()) > 0) continue;
    const place: Place = { ...recordedAt(created), tokenId };
    const chain = createChainAudit({
      chain: node,
      ledgers: createAuditedLedgers(async () => undefined),
      newer,
      findings: payments,
      compared: payments.checked,
    });
    const token = tokenOf({ tokenId, mint, decimals, distributionWallet, distributor: distributionWallet });
    try {
      await chain.end(token, distribution.initial, place);
    } catch (error) {
      if (!(isUnavailable(error) || error instanceof HistoryIncomplete)) throw error;
      payments.unchecked('the wallet signs only recorded links and collections of tax', error.message, place);
    }
  }
}
