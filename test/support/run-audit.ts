/** Audits the runs in a log, as `levy audit` does, without the rest of an audit. */
import type { Position, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import type { AuditedChain } from '../../src/proof/audit/chain/landed-transactions.ts';
import { CHECKS } from '../../src/proof/audit/checks.ts';
import type { Finding } from '../../src/proof/audit/finding.ts';
import { createNotebook, type Unchecked } from '../../src/proof/audit/report.ts';
import { auditRuns } from '../../src/proof/audit/runs/audit-runs.ts';
import { streams } from '../../src/streams/index.ts';
import { logOf } from './comparing.ts';

export interface AuditedRuns {
  /** In the order of the log. */
  readonly events: readonly RecordedEvent[];
  readonly file: (sha256: string) => Promise<Uint8Array | undefined>;
  /** Absent: nothing is compared with the chain. */
  readonly chain?: AuditedChain;
  readonly firstSlot?: bigint;
  /** The last event that is audited; the log goes on behind it. */
  readonly until?: Position;
}

export interface RunsReport {
  readonly findings: readonly Finding[];
  readonly unchecked: readonly Unchecked[];
}

export async function auditRunsIn({
  events,
  file,
  chain,
  firstSlot = 0n,
  until = events.at(-1)?.position ?? '',
}: AuditedRuns): Promise<RunsReport> {
  const notebook = createNotebook();
  const [rules, payments, files] = [CHECKS.rules, CHECKS.payments, CHECKS.files].map(notebook.check);
  if (rules === undefined || payments === undefined || files === undefined) throw new Error('three checks');
  const node = chain && { node: chain, firstSlot };
  const log = logOf(events);
  await auditRuns(
    { log, codec: createEventCodec(streams), node, file, after: '', until },
    { rules, payments, files },
  );
  const { findings, unchecked } = notebook.report({
    begunAt: '',
    seconds: 0,
    log: { after: '', until, events: events.length },
    chain: null,
  });
  return { findings, unchecked: unchecked };
}
