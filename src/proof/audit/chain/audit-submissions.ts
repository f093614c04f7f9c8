/**
 * Compares each recorded submission with the chain: whether it landed, and with which message. Checks status and effects, since
 * a block also contains failed transactions.
 */
import { decodeTransaction } from 'levy-solana-wire';
import { compareWithIssued } from '../../../chain/issued-message.ts';
import type { LandedTransaction } from '../../../kernel/ports/chain.ts';
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import type { DraftEvent, IssuedDraft } from '../../../streams/draft-events.ts';
import { acceptedOf, type DraftState, issuedOf } from '../../../streams/draft-state.ts';
import { CHECKS } from '../checks.ts';
import { type Place, recordedAt } from '../finding.ts';
import type { AuditedEvent } from '../log/audit-log.ts';
import type { CheckNotes, Notebook } from '../report.ts';
import { type AuditNode, isUnavailable, unlessUnavailable } from './audit-node.ts';

export type SubmissionsAudit = ReturnType<typeof auditSubmissions>;

/** Submissions per lookup. */
const TOGETHER = 256;

interface Landed {
  readonly kind: 'landed';
  readonly event: Recorded;
  readonly issued: IssuedDraft | undefined;
  readonly signature: string;
  readonly slot: bigint;
}

interface Failed {
  readonly kind: 'failed';
  readonly event: Recorded;
  readonly signature: string;
}

export function auditSubmissions(node: AuditNode, firstSlot: bigint, notebook: Notebook) {
  const landings = notebook.check(CHECKS.submissions);
  const failures = notebook.check(CHECKS.failures);
  const waiting: (Landed | Failed)[] = [];

  async function lookUp(): Promise<void> {
    const jobs = waiting.splice(0);
    await Promise.all([
      ...jobs.flatMap((job) => (job.kind === 'landed' ? [auditLanding(job, node, firstSlot, landings)] : [])),
      auditFailures(
        jobs.filter((job) => job.kind === 'failed'),
        node,
        failures,
      ),
    ]);
  }

  return {
    async visit({ event, before }: AuditedEvent): Promise<void> {
      // The codec has validated the data. Events of other streams carry states of other types.
      const met = event as Recorded<DraftEvent>;
      const state = before as DraftState;
      if (met.type === 'SubmissionFinalized') {
        const { signature, slot } = met.data;
        waiting.push({ kind: 'landed', event, issued: issuedOf(state), signature, slot: BigInt(slot) });
      } else if (met.type === 'SubmissionFailed') {
        const accepted = acceptedOf(state);
        if (accepted !== undefined) waiting.push({ kind: 'failed', event, signature: accepted.signature });
      }
      if (waiting.length >= TOGETHER) await lookUp();
    },
    /** Checks the remaining submissions. */
    end: lookUp,
  };
}

async function auditLanding(
  job: Landed,
  node: Pick<AuditNode, 'transaction'>,
  firstSlot: bigint,
  notes: CheckNotes,
): Promise<void> {
  notes.checked();
  const place = { ...recordedAt(job.event), signature: job.signature };
  await unlessUnavailable(notes, 'a submission landed', place, async () => {
    const shown = await node.transaction(job.signature, 'finalized');
    if (shown !== undefined) compare(job, shown, notes);
    else if (job.slot < firstSlot)
      notes.unchecked(
        'a submission landed',
        `the transaction is in slot ${job.slot}; the node stores transactions from slot ${firstSlot} on`,
        place,
      );
    else
      notes.add({
        what: 'a submission landed',
        expected: `a final transaction of slot ${job.slot}`,
        found: 'none',
        ...place,
      });
  });
}

async function auditFailures(
  jobs: readonly Failed[],
  node: Pick<AuditNode, 'statuses'>,
  notes: CheckNotes,
): Promise<void> {
  if (jobs.length === 0) return;
  notes.checked(jobs.length);
  const placeOf = ({ event, signature }: Failed): Place => ({ ...recordedAt(event), signature });
  try {
    const statuses = await node.statuses(jobs.map(({ signature }) => signature));
    for (const [index, job] of jobs.entries()) {
      const status = statuses[index];
      if (status === undefined || status.error !== undefined || status.commitment !== 'finalized') continue;
      notes.add({
        what: 'a failed submission had no effect',
        expected: 'no transaction, or one that failed',
        found: `a transaction of slot ${status.slot} that succeeded`,
        ...placeOf(job),
      });
    }
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    for (const job of jobs) notes.unchecked('a failed submission had no effect', error.message, placeOf(job));
  }
}

function compare(
  { event, issued, signature, slot }: Landed,
  shown: LandedTransaction,
  notes: CheckNotes,
): void {
  const place = { ...recordedAt(event), signature };
  notes.equal('a submission that landed had no error', 'no error', shown.error ?? 'no error', place);
  notes.equal('a submission landed in the recorded slot', slot, BigInt(shown.slot), place);
  if (issued === undefined) {
    notes.add({
      what: 'the landed message was issued',
      expected: 'an issued message',
      found: 'none',
      ...place,
    });
    return;
  }
  const compared = compareWithIssued(Buffer.from(issued.message, 'base64'), messageOf(shown.wire), {
    mayPriceAnew: issued.subject.kind !== 'launch',
  });
  if (compared !== undefined)
    notes.add({
      what: 'the landed message is the issued one',
      expected: 'the issued message',
      found: compared,
      ...place,
    });
}

function messageOf(wire: Uint8Array): Uint8Array {
  const decoded = decodeTransaction(wire);
  return decoded.ok ? decoded.transaction.message.bytes : new Uint8Array();
}
