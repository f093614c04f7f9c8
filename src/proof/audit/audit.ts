/** Runs every check and merges the results into one report. A failing check does not stop other checks. */

import { type Position, START } from '../../kernel/ports/event-store.ts';
import type { FoldableStream } from '../../kernel/runtime/define-stream.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import type { EventCodec } from '../../kernel/runtime/event-codec.ts';
import type { AuditedSystem, FurtherCheck, Progress } from './audited-system.ts';
import { type AuditNode, isUnavailable, unlessUnavailable } from './chain/audit-node.ts';
import { auditSubmissions, type SubmissionsAudit } from './chain/audit-submissions.ts';
import { auditTokens } from './chain/audit-tokens.ts';
import { CHECKS } from './checks.ts';
import { auditLog, type ReadLog } from './log/audit-log.ts';
import { auditPromises } from './promises/audit-promises.ts';
import { type AuditReport, createNotebook, type Notebook } from './report.ts';
import { auditRuns, auditTokensWithoutRuns } from './runs/audit-runs.ts';

interface AuditOptions {
  readonly codec: EventCodec;
  readonly streams: readonly FoldableStream[];
  /** Exclusive position. */
  readonly after?: Position;
  readonly progress?: Progress;
}

export async function audit(system: AuditedSystem, options: AuditOptions): Promise<AuditReport> {
  const { codec, streams, after = START, progress = () => undefined } = options;
  const { log, further = [] } = system;
  const begun = performance.now();
  const begunAt = new Date().toISOString();
  const notebook = createNotebook();
  if (after !== START) notebook.skipped(`Events up to ${after}, and all subjects without a later event.`);
  const chain = system.node === undefined ? undefined : await readNode(system.node, notebook);
  const node = chain === undefined || chain === null ? undefined : system.node;
  const submissions = node && auditSubmissions(node, BigInt(chain?.firstSlot ?? 0), notebook);
  const read = await auditLog({
    log,
    codec,
    streams,
    after,
    visitors: [...(submissions === undefined ? [] : [submissions.visit]), auditPromises(node, notebook)],
    notebook,
    progress,
  });
  await auditRest(system, { notebook, codec, after, read, node, submissions, firstSlot: chain?.firstSlot });
  for (const check of further) await runFurther(check, after, notebook);
  return notebook.report({
    begunAt,
    seconds: (performance.now() - begun) / 1_000,
    log: { after, until: read.until, events: read.events },
    chain: chain ?? null,
  });
}

async function readNode(node: AuditNode, notebook: Notebook): Promise<AuditReport['chain']> {
  const notes = notebook.check(CHECKS.node);
  try {
    const [genesisHash, firstSlot] = [await node.genesisHash(), await node.firstSlot()];
    notes.checked();
    return { host: node.host, genesisHash, firstSlot: firstSlot.toString() };
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    notes.unchecked('the node answers', error.message);
    return null;
  }
}

async function auditRest(
  { log, file }: AuditedSystem,
  audited: {
    readonly notebook: Notebook;
    readonly codec: EventCodec;
    readonly after: Position;
    readonly read: ReadLog;
    readonly node: AuditNode | undefined;
    readonly submissions: SubmissionsAudit | undefined;
    readonly firstSlot: string | undefined;
  },
): Promise<void> {
  const { notebook, codec, after, read, node, submissions, firstSlot = '0' } = audited;
  const { until } = read;
  await submissions?.end();
  const mints = notebook.check(CHECKS.mints);
  const rules = notebook.check(CHECKS.rules);
  const payments = notebook.check(CHECKS.payments);
  const files = notebook.check(CHECKS.files);
  if (node === undefined) {
    const why = 'no chain was given';
    mints.skipped(why);
    payments.skipped(why);
    notebook.skipped('Checks against the chain (submissions, mints, payments): no node was given.');
  } else
    await unlessUnavailable(mints, 'a token has the recorded mint', {}, () =>
      auditTokens({ log, codec, node, after, until }, mints, notebook.skipped, (tokens) =>
        unlessUnavailable(payments, 'the wallet signs only recorded links and collections of tax', {}, () =>
          auditTokensWithoutRuns({ log, codec, node }, tokens, payments),
        ),
      ),
    );
  if (file === undefined) {
    for (const notes of [rules, payments, files]) notes.skipped('no ledgers were given');
    return;
  }
  const shown = node && { node, firstSlot: BigInt(firstSlot) };
  await auditRuns({ log, codec, node: shown, file, after, until }, { rules, payments, files });
}

async function runFurther(check: FurtherCheck, after: Position, notebook: Notebook): Promise<void> {
  const notes = notebook.check(check);
  const skipped = check.skipped ?? (after === START ? undefined : check.needsWholeLog);
  if (skipped !== undefined) {
    notes.skipped(skipped);
    return;
  }
  try {
    await check.run(notes, notebook.skipped);
  } catch (error) {
    notes.unchecked(check.proves, errorMessage(error));
  }
}
