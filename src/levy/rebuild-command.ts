/** `levy rebuild`: fills read models anew from the log, or compares them with it. */
import { setTimeout as pause } from 'node:timers/promises';
import { Argument, Command, Option } from 'commander';
import { eventReaderOf } from '../app/log-events.ts';
import { openReadModelsForReading, openScratchReadModel } from '../app/open-read-models.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { isFiled, type Projection } from '../kernel/runtime/define-projection.ts';
import { keptProjections } from '../projections/index.ts';
import { type ComparisonProgress, compareReadModels } from '../proof/replay/compare-read-models.ts';
import type { ReadModelDifference } from '../proof/replay/document-difference.ts';
import { readModelsIn } from '../proof/replay/read-models-read.ts';
import { openOperatorCalls, projectionsOf, rebuildProjection } from './operator-calls.ts';
import { type Place, withLog, withPlaceOptions } from './place.ts';
import type { Terminal } from './terminal.ts';

interface RebuildOptions extends Place {
  readonly readModel?: string;
  readonly compare?: boolean;
}

/** Milliseconds between two looks at how far it is. */
const LOOK_EVERY = 200;

export function rebuildCommand(terminal: Terminal): Command {
  return withPlaceOptions(new Command('rebuild'))
    .summary('rebuild read models from the log, or compare them with it')
    .description(
      'Rebuilds read models from the log, beside the current ones, which are read until the new ones have caught up. With --compare, changes nothing, and lists each document that differs from the log.',
    )
    .addArgument(
      new Argument('[projection...]', 'read models (default: all)').choices(
        keptProjections.map(({ name }) => name),
      ),
    )
    .addOption(
      new Option(
        '--read-model <url>',
        'the read models: sqlite:<file> of a stopped service, or mongodb://<host>/<database> (default: what READ_MODEL_URL names, else they are beside the log)',
      ).conflicts('service'),
    )
    .option('--compare', 'compare with the log instead; exit code 1 when something differs')
    .addHelpText(
      'after',
      `
After an interruption the old documents are still read; run it again, or start the service.

Examples:
  levy rebuild                                      all read models of this folder's stopped service
  levy rebuild tokens featured --service https://levy.example --operator-key-file key
  levy rebuild --compare                            does each document agree with the log?
  levy rebuild --compare --json tokens              one line of JSON for each difference, then the summary`,
    )
    .action(async (names: readonly string[], options: RebuildOptions) => {
      const wanted =
        names.length === 0 ? keptProjections : keptProjections.filter(({ name }) => names.includes(name));
      if (options.compare) await compare(terminal, comparable(wanted, names), options);
      else if (options.service === undefined) await rebuildStopped(terminal, wanted, options);
      else await rebuildRunning(terminal, wanted, { ...options, service: options.service });
    });
}

/** Those that the log alone gives; one that comes from files is refused where it was named. */
function comparable(wanted: readonly Projection[], names: readonly string[]): readonly Projection[] {
  const filed = wanted.filter(isFiled);
  if (filed.length > 0 && names.length > 0)
    throw new OperatorError(
      `${filed.map(({ name }) => name).join(', ')}: made from ledger files, which the log only names; rebuild it instead of comparing it`,
    );
  return wanted.filter((projection) => !isFiled(projection));
}

async function compare(
  terminal: Terminal,
  wanted: readonly Projection[],
  { readModel, ...place }: RebuildOptions,
): Promise<void> {
  if (place.service !== undefined && readModel === undefined && process.env.READ_MODEL_URL === undefined) {
    throw new OperatorError(
      'a service shows its log, not its documents: name its read models in MongoDB with --read-model as well, or compare those of a stopped service, or of a backup',
    );
  }
  const live = await openReadModelsForReading({ store: place.store, readModel }, { env: process.env });
  const scratch = await openScratchReadModel();
  try {
    await live.port.prepare(wanted);
    await withLog(terminal, place, async (log) => {
      const progress = createProgress(terminal);
      const comparison = await compareReadModels({
        projections: wanted,
        log,
        reader: await eventReaderOf(log),
        readModels: readModelsIn(live.port),
        scratch: scratch.readModel,
        found: (difference) => terminal.out(...differenceLines(terminal, difference)),
        progress: progress.at,
      });
      progress.clear();
      if (comparison.differences > 0) terminal.foundSomething();
      if (terminal.json) {
        await terminal.out(JSON.stringify(comparison));
      } else {
        for (const {
          collection,
          version,
          documents,
          lookUps,
          differences,
          position,
        } of comparison.compared) {
          const behind =
            position < comparison.head
              ? `, as of ${position === '' ? 'the start of the log' : position}`
              : '';
          const result = differences === 0 ? 'the same as the log says' : `${differences} differ`;
          await terminal.out(
            `${collection} (version ${version}): ${documents} documents, ${lookUps} look-ups${behind}, ${result}`,
          );
        }
      }
      for (const { collection, reason } of comparison.notCompared) {
        terminal.note(`${collection} was not compared: ${reason}`);
      }
      if (comparison.notCompared.length > 0 && comparison.differences === 0) {
        throw new OperatorError('not all read models could be compared');
      }
    });
  } finally {
    await scratch.close();
    await live.close();
  }
}

function differenceLines({ json }: Terminal, difference: ReadModelDifference): readonly string[] {
  if (json) return [JSON.stringify(difference)];
  const { kind, collection, key, parts, log, readModel } = difference;
  const what = { differs: `differs in ${parts.join(', ')}`, missing: 'is missing', surplus: 'is surplus' }[
    kind
  ];
  return [
    `${collection} ${key} ${what}`,
    `  the log says         ${log === null ? 'nothing' : JSON.stringify(log)}`,
    `  the read model says  ${readModel === null ? 'nothing' : JSON.stringify(readModel)}`,
  ];
}

function createProgress(terminal: Terminal) {
  let shown:
    | { readonly phase: ComparisonProgress['phase']; readonly line: ReturnType<Terminal['progress']> }
    | undefined;
  const lineOf = (phase: ComparisonProgress['phase'], unit: string) => {
    if (shown?.phase !== phase) {
      shown?.line.clear();
      shown = { phase, line: terminal.progress(phase === 'log' ? 'folding the log' : 'comparing', unit) };
    }
    return shown.line;
  };
  return {
    at(progress: ComparisonProgress): void {
      if (progress.phase === 'documents') lineOf('documents', 'documents').at(progress.documents);
      else lineOf('log', progress.of.unit).at(progress.done.amount, progress.of.amount);
    },
    clear: () => shown?.line.clear(),
  };
}

async function rebuildStopped(
  terminal: Terminal,
  wanted: readonly Projection[],
  { store, readModel }: RebuildOptions,
): Promise<void> {
  const { openRebuilding } = await import('./open-rebuilding.ts');
  const rebuilding = await openRebuilding({
    ...process.env,
    ...(store === undefined ? {} : { EVENT_STORE_URL: store }),
    ...(readModel === undefined ? {} : { READ_MODEL_URL: readModel }),
  });
  const stop = terminal.stopSignal();
  try {
    const begun = [];
    for (const projection of wanted)
      begun.push({ projection, isRenewed: await rebuilding.begin(projection) });
    const line = terminal.progress('rebuilding', 'events');
    const open = new Set(begun);
    while (open.size > 0 && !stop.aborted) {
      const status = rebuilding.status();
      for (const one of open) {
        const found = status.find(({ name }) => name === one.projection.name);
        if (found?.state === 'failed')
          throw new OperatorError(`${found.name} stopped: ${found.error ?? 'unknown error'}`);
        if ((await one.isRenewed()) && found?.state === 'live') open.delete(one);
      }
      const slowest = slowestOf(
        status.filter(({ name }) => [...open].some(({ projection }) => projection.name === name)),
      );
      if (slowest !== undefined) line.at(slowest.done, slowest.of);
      if (open.size > 0) await pause(LOOK_EVERY, undefined, { signal: stop }).catch(() => undefined);
    }
    line.clear();
    if (open.size > 0) throw interrupted([...open].map(({ projection }) => projection.name));
  } finally {
    await rebuilding.close();
  }
  await tellRebuilt(terminal, wanted);
}

async function rebuildRunning(
  terminal: Terminal,
  wanted: readonly Projection[],
  { service, operatorKeyFile }: RebuildOptions & { readonly service: string },
): Promise<void> {
  const ask = await openOperatorCalls({ service, operatorKeyFile });
  const stop = terminal.stopSignal();
  for (const { name } of wanted) {
    if (!(await rebuildProjection(ask, name))) terminal.note(`${name} is being built already`);
  }
  const line = terminal.progress('rebuilding', 'events');
  const names = wanted.map(({ name }) => name);
  for (;;) {
    const status = (await projectionsOf(ask)).filter(({ name }) => names.includes(name));
    const failed = status.find(({ state }) => state === 'failed');
    if (failed !== undefined)
      throw new OperatorError(`${failed.name} stopped: ${failed.error ?? 'unknown error'}`);
    const building = status.filter(({ state }) => state === 'building');
    if (building.length === 0) break;
    const slowest = slowestOf(building);
    if (slowest !== undefined) line.at(slowest.done, slowest.of);
    await pause(LOOK_EVERY, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) {
      line.clear();
      throw new OperatorError('stopped watching; the service goes on: levy rebuild shows its progress again');
    }
  }
  line.clear();
  await tellRebuilt(terminal, wanted);
}

/** One subscription often fills several; the one that is furthest behind is waited for longest. */
function slowestOf(
  status: readonly {
    readonly progress?: { readonly done: number; readonly of: number } | null | undefined;
  }[],
) {
  return status
    .flatMap(({ progress }) => progress ?? [])
    .reduce<{ readonly done: number; readonly of: number } | undefined>(
      (least, each) => (least === undefined || each.done < least.done ? each : least),
      undefined,
    );
}

function interrupted(names: readonly string[]): OperatorError {
  return new OperatorError(
    `interrupted: ${names.join(', ')} as before; what is filled beside them goes on at the next start, or with levy rebuild`,
  );
}

async function tellRebuilt(terminal: Terminal, wanted: readonly Projection[]): Promise<void> {
  const rebuilt = wanted.map(({ name, version }) => ({ name, version }));
  if (terminal.json) await terminal.out(JSON.stringify({ rebuilt }));
  else for (const { name, version } of rebuilt) await terminal.out(`${name} (version ${version}) rebuilt`);
}
