/** `levy rebuild`: has a running service rebuild read models from the log. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, Command } from 'commander';
import { OperatorError } from '../kernel/ports/errors.ts';
import { keptProjections } from '../projections/index.ts';
import { OPERATOR_KEY_FILE } from './place.ts';
import type { RunningServicePlace } from './running-service.ts';
import type { Terminal } from './terminal.ts';

/** Milliseconds between two reads of the progress. */
const POLL_PAUSE = 200;

interface ProjectionProgress {
  readonly name: string;
  readonly state: string;
  readonly error: string | null;
  readonly progress: { readonly done: number; readonly of: number } | null;
}

export function rebuildCommand(terminal: Terminal): Command {
  return new Command('rebuild')
    .summary('rebuild read models from the log')
    .description(
      'Has a running service rebuild read models from the log, beside the current ones, which are read until the new ones have caught up. `levy audit` compares read models with the log.',
    )
    .addArgument(
      new Argument('[projection...]', 'read models (default: all)').choices(
        keptProjections.map(({ name }) => name),
      ),
    )
    .requiredOption('--service <url>', 'the running service')
    .option(...OPERATOR_KEY_FILE)
    .addHelpText(
      'after',
      `
When interrupted, the service continues; run it again to see the progress.
Example:
  levy rebuild tokens featured --service https://levy.example --operator-key-file key`,
    )
    .action(async (names: readonly string[], place: RunningServicePlace) => {
      const wanted =
        names.length === 0 ? keptProjections : keptProjections.filter(({ name }) => names.includes(name));
      await rebuild(terminal, wanted, place);
    });
}

async function rebuild(
  terminal: Terminal,
  wanted: readonly { readonly name: string; readonly version: number }[],
  place: RunningServicePlace,
): Promise<void> {
  // Not loaded for help.
  const { openOperatorCalls } = await import('./running-service.ts');
  const call = await openOperatorCalls(place);
  const stop = terminal.stopSignal();
  for (const { name } of wanted) {
    const answer = await call('POST', `operator/projections/${encodeURIComponent(name)}/rebuild`);
    if (Reflect.get(Object(answer), 'started') !== true) terminal.note(`${name} is being built already`);
  }
  const line = terminal.progress('rebuilding', 'events');
  for (;;) {
    const answer = (await call('GET', 'operator/projections')) as {
      readonly projections: readonly ProjectionProgress[];
    };
    const status = answer.projections.filter(({ name }) => wanted.some((each) => each.name === name));
    const failed = status.find(({ state }) => state === 'failed');
    if (failed !== undefined)
      throw new OperatorError(`${failed.name} stopped: ${failed.error ?? 'unknown error'}`);
    const building = status.filter(({ state }) => state === 'building');
    if (building.length === 0) break;
    const [slowest] = building
      .flatMap(({ progress }) => progress ?? [])
      .sort((one, other) => one.done - other.done);
    if (slowest !== undefined) line.at(slowest.done, slowest.of);
    await sleep(POLL_PAUSE, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) {
      line.clear();
      throw new OperatorError('interrupted; the service continues to rebuild');
    }
  }
  line.clear();
  const rebuilt = wanted.map(({ name, version }) => ({ name, version }));
  if (terminal.json) await terminal.out(JSON.stringify({ rebuilt }));
  else for (const { name, version } of rebuilt) await terminal.out(`${name} (version ${version}) rebuilt`);
}
