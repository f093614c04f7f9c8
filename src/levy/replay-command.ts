/** `levy replay`: the documents of the read models at an earlier position of the log, or at an earlier time. */
import { Argument, Command } from 'commander';
import { eventReaderOf, openScratchReadModel } from '../app/stores.ts';
import { projections } from '../projections/index.ts';
import { cutAt } from '../proof/replay/cut-log.ts';
import { fillReadModels } from '../proof/replay/fill-read-models.ts';
import { allEntries } from '../proof/replay/read-models-read.ts';
import { type Place, withLog, withPlaceOptions } from './place.ts';
import type { Terminal } from './terminal.ts';

interface ReplayOptions extends Place {
  readonly until: string;
}

export function replayCommand(terminal: Terminal): Command {
  return withPlaceOptions(new Command('replay'))
    .summary('print the read models of an earlier position or time')
    .description(
      'Folds the log up to an earlier position or time, and prints the documents of the read models, one line of JSON for each. Nothing is written anywhere.',
    )
    .addArgument(
      new Argument('[projection...]', 'read models (default: all that the log alone gives)').choices(
        projections.map(({ name }) => name),
      ),
    )
    .requiredOption(
      '--until <position or time>',
      'the last event to include, or a time such as 2026-11-22T15:04:05Z: then all events before the first one that was recorded later',
    )
    .addHelpText(
      'after',
      `
Examples:
  levy replay --until 2026-11-22T00:00:00Z tokens
  levy replay --until 00000000000000004711 --store sqlite:./backup/levy.db > then.ndjson
  levy replay --until 2026-11-22T00:00:00Z tokens | jq -r .document.token.name`,
    )
    .action(async (names: readonly string[], { until, ...place }: ReplayOptions) => {
      const wanted =
        names.length === 0 ? projections : projections.filter(({ name }) => names.includes(name));
      await withLog(terminal, place, async (log) => {
        const { unit } = log.extentOf('');
        const end = log.extentOf(await log.head()).amount;
        const finding = terminal.progress('finding the place', unit);
        const cut = await cutAt(log, until, (position) => finding.at(log.extentOf(position).amount, end));
        finding.clear();
        const scratch = await openScratchReadModel();
        try {
          const { readModel } = scratch;
          await readModel.prepare(wanted);
          const filling = terminal.progress('replaying', unit);
          const whole = log.extentOf(cut.position).amount;
          await fillReadModels({
            projections: wanted,
            log,
            reader: await eventReaderOf(log),
            readModel,
            until: () => cut.position,
            reached: (position) => filling.at(log.extentOf(position).amount, whole),
          });
          filling.clear();
          for (const projection of wanted) {
            for await (const { key, document } of allEntries(
              readModel,
              projection,
              await readModel.own(projection),
            ))
              await terminal.out(JSON.stringify({ collection: projection.name, key, document }));
          }
        } finally {
          await scratch.close();
        }
        terminal.note(`as of position ${cut.position}, ${cut.time}`);
      });
    });
}
