/** `levy replay`: read models as they stood at a position of the log, or at a time. */
import { Command } from 'commander';
import { eventReaderOf } from '../../app/log-events.ts';
import { openReplayPlace } from '../../app/open-replay.ts';
import { cutAt, replayLog } from '../../proof/replay/replay-log.ts';
import { type LogOptions, withLog, withLogOptions } from './log-options.ts';
import type { Terminal } from './terminal.ts';

interface ReplayOptions extends LogOptions {
  readonly until: string;
  readonly into: string;
}

export function replayCommand(terminal: Terminal): Command {
  return withLogOptions(new Command('replay'))
    .summary('make the read models of an earlier position or time')
    .description('Makes the read models of an earlier position or time of the log, in a separate place.')
    .requiredOption(
      '--until <position or time>',
      'the last event to include, or a time such as 2026-11-22T15:04:05Z: then all events before the first one that was recorded later',
    )
    .requiredOption(
      '--into <url>',
      'an empty place: sqlite:<file>, or mongodb://<host>/<database>; an interrupted replay continues',
    )
    .addHelpText(
      'after',
      `
Examples:
  levy replay --until 2026-11-22T00:00:00Z --into sqlite:./then.db
  levy replay --until 00000000000000004711 --into sqlite:./then.db --store sqlite:./backup/levy.db
  levy serve --read-only --read-model sqlite:./then.db     answers queries as the service did then`,
    )
    .action(async ({ until, into, ...place }: ReplayOptions) => {
      await withLog(terminal, place, async (log) => {
        const end = log.extentOf(await log.head()).amount;
        const finding = terminal.progress('finding the place', log.extentOf('').unit);
        const cut = await cutAt(log, until, (position) => finding.at(log.extentOf(position).amount, end));
        finding.clear();
        const opened = await openReplayPlace(into, cut, process.env);
        try {
          if (!opened.isComplete) {
            const filling = terminal.progress('replaying', log.extentOf('').unit);
            const whole = log.extentOf(cut.position).amount;
            await replayLog({
              cut,
              log,
              reader: await eventReaderOf(log),
              readModel: opened.readModel,
              reached: (position) => filling.at(log.extentOf(position).amount, whole),
            });
            filling.clear();
          }
        } finally {
          await opened.close();
        }
        const { position, time } = cut;
        await terminal.out(
          terminal.json
            ? JSON.stringify({ position, time, into })
            : `read models as of position ${position}, ${time}, in ${into}`,
        );
      });
    });
}
