/** `levy replay`: prints the documents of the read models at an earlier position or time. */
import { Argument, type Command } from 'commander';
import { closingAfter } from '../app/closing.ts';
import { eventReaderOf, openScratchReadModel } from '../app/stores.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { projections } from '../projections/index.ts';
import { allEntries } from '../proof/replay/all-entries.ts';
import { buildReadModels } from '../proof/replay/build-read-models.ts';
import { LevyCommand } from './levy-command.ts';
import { type LogLocation, withLocationOptions, withLog } from './log-location.ts';
import { lastBefore, laterThan } from './position-option.ts';
import type { Terminal } from './terminal.ts';

export function replayCommand(terminal: Terminal): Command {
  return withLocationOptions(new LevyCommand('replay'))
    .summary('print the read models of an earlier position or time')
    .description(
      'Folds the log up to an earlier position or time, and prints the documents of the read models, one line of JSON for each. Writes only a temporary file.',
    )
    .addArgument(
      new Argument('[projection...]', 'read models (default: all that are built from the log alone)').choices(
        projections.map(({ name }) => name),
      ),
    )
    .requiredOption(
      '--until <position or time>',
      'position of the last event to include, or a time such as 2026-11-22T15:04:05Z, up to which events are included',
    )
    .examples(`
  levy replay --until 2026-11-22T00:00:00Z tokens
  levy replay --until 00000000000000004711 --store sqlite:./backup/levy.db > then.ndjson
  levy replay --until 2026-11-22T00:00:00Z tokens | jq -r .document.token.name`)
    .action((names: readonly string[], { until, ...place }: LogLocation & { readonly until: string }) =>
      withLog(terminal, place, (log) =>
        closingAfter(async (whenClosing) => {
          const wanted =
            names.length === 0 ? projections : projections.filter(({ name }) => names.includes(name));
          const progressTo = (title: string, end: string) => {
            const { unit, amount: whole } = log.extentOf(end);
            const progress = terminal.progress(title, unit);
            return (position: string) => progress(log.extentOf(position).amount, whole);
          };
          const isLater = laterThan('--until', until);
          const last = await lastBefore(log, isLater, progressTo('searching', await log.head()));
          if (last === undefined) throw new OperatorError(`the log has no event up to ${until}`);
          const readModel = await openScratchReadModel(whenClosing);
          await readModel.prepare(wanted);
          await buildReadModels({
            projections: wanted,
            log,
            reader: await eventReaderOf(log),
            readModel,
            until: () => last.position,
            reached: progressTo('replaying', last.position),
          });
          for (const projection of wanted) {
            const own = await readModel.own(projection);
            for await (const { key, document } of allEntries(readModel, projection, own))
              await terminal.out(JSON.stringify({ collection: projection.name, key, document }));
          }
          terminal.note(`as of position ${last.position}, ${last.metadata.occurredAt}`);
        }),
      ),
    );
}
