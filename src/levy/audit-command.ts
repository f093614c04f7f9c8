/** `levy audit`: everything that a log says, held against itself, its read models, the chain and the ledgers. */
import { Command, Option } from 'commander';
import { eventReaderOf, openReadModelsForReading, openScratchReadModel } from '../app/stores.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { createEventCodec } from '../kernel/runtime/event-codec.ts';
import { projections } from '../projections/index.ts';
import { audit } from '../proof/audit/audit.ts';
import type { AuditedSystem, FurtherCheck, Progress } from '../proof/audit/audited-system.ts';
import { CHECKS } from '../proof/audit/checks.ts';
import { auditDocuments } from '../proof/audit/documents/audit-documents.ts';
import { positionSince } from '../proof/audit/log/position-since.ts';
import { auditPublishedLog } from '../proof/audit/published/audit-published-log.ts';
import { exitCodeOf } from '../proof/audit/report.ts';
import { linesOfReport } from '../proof/audit/report-text.ts';
import { readModelsIn } from '../proof/replay/read-models-read.ts';
import { streams } from '../streams/index.ts';
import { type AuditedFiles, openAuditedChain, openAuditedFiles } from './open-audit.ts';
import { type Place, withLog, withPlaceOptions } from './place.ts';
import type { Terminal } from './terminal.ts';

interface AuditCommandOptions extends Place {
  /** False for `--no-chain`. */
  readonly chain?: string | false;
  readonly since?: string;
  readonly readModel?: string;
}

export function auditCommand(terminal: Terminal): Command {
  return withPlaceOptions(new Command('audit'))
    .description(
      'Checks the log for consistency, the read models against the log, the log against the chain, and every payment against both. Changes nothing.',
    )
    .addOption(
      new Option(
        '--chain <url>',
        'a Solana node (default: what CHAIN_URL names; of an embedded chain, a copy is started)',
      ),
    )
    .option('--no-chain', 'do not ask a chain, and list what is left out')
    .option('--since <position or time>', 'only what was recorded after it; lists what it leaves out')
    .addOption(
      new Option(
        '--read-model <url>',
        'the read models (default: what READ_MODEL_URL names, else they are beside the log)',
      ),
    )
    .addHelpText(
      'after',
      `
Exit code 0: all checks passed; 1: there are findings; 2: some checks could not be made, for instance because the node no longer has the data.

Examples:
  $ levy audit                                       the log of this folder's stopped service
  $ levy audit --service https://levy.example --operator-key-file key --chain https://api.mainnet-beta.solana.com
  $ levy audit --since 2026-11-01T00:00:00Z --json   what was recorded since, as JSON`,
    )
    .action(async (options: AuditCommandOptions) => {
      await withLog(terminal, options, (log) => auditLog(terminal, log, options));
    });
}

async function auditLog(terminal: Terminal, log: LogReader, options: AuditCommandOptions): Promise<void> {
  const { service, chain } = options;
  const opened: (() => Promise<void>)[] = [];
  const line = terminal.progress('auditing', 'events');
  const progress: Progress = (_what, done, whole) => line.at(done, whole);
  try {
    const since = options.since === undefined ? undefined : await positionSince(log, options.since);
    const node = chain === false ? undefined : await openAuditedChain(chain, process.env);
    if (node !== undefined) opened.push(node.close);
    const files = await openAuditedFiles(service, process.env);
    opened.push(files.close);
    const system: AuditedSystem = {
      log,
      file: files.part.ledger,
      further: [publishedLogCheck(log, files.part), readModelsCheck(log, options)],
      ...(node === undefined ? {} : { node: node.part }),
    };
    const report = await audit(system, {
      codec: createEventCodec(streams),
      streams,
      progress,
      ...(since === undefined ? {} : { after: since }),
    });
    line.clear();
    await terminal.out(...(terminal.json ? [JSON.stringify(report)] : linesOfReport(report)));
    const exitCode = exitCodeOf(report);
    if (exitCode === 1) terminal.foundSomething();
    if (exitCode === 2) throw new OperatorError('not everything could be looked at');
  } finally {
    line.clear();
    for (const close of opened.toReversed()) await close();
  }
}

function publishedLogCheck(log: LogReader, files: AuditedFiles): FurtherCheck {
  return {
    ...CHECKS.transparency,
    needsWholeLog: 'the transparency log is compared with a whole log only',
    async run(notes, leftOut) {
      const opened = await files.publishedLog();
      if (opened === undefined) {
        notes.leftOut('there is no transparency log: no process has the role notary');
        return;
      }
      const newer = await auditPublishedLog({ log, ...opened }, notes);
      if (newer > 0) leftOut(`${newer} events that no checkpoint of the transparency log covers yet.`);
    },
  };
}

/** A running service shows its log, not its documents. */
function readModelsCheck(log: LogReader, { store, service, readModel }: AuditCommandOptions): FurtherCheck {
  const isOutOfSight =
    service !== undefined && readModel === undefined && process.env.READ_MODEL_URL === undefined;
  return {
    ...CHECKS.documents,
    needsWholeLog: 'read models are compared with a whole log only',
    ...(isOutOfSight
      ? { leftOut: 'a running service does not show its documents: name its read models with --read-model' }
      : {}),
    async run(notes) {
      const live = await openReadModelsForReading({ store, readModel }, process.env);
      const scratch = await openScratchReadModel();
      try {
        await live.port.prepare(projections);
        await auditDocuments(
          {
            projections,
            log,
            reader: await eventReaderOf(log),
            readModels: readModelsIn(live.port),
            scratch: scratch.readModel,
          },
          notes,
        );
      } finally {
        await scratch.close();
        await live.close();
      }
    },
  };
}
