/** `levy prove`: writes a file that proves an event, or a payment, without the service. */
import { Command } from 'commander';
import { OperatorError } from '../kernel/ports/errors.ts';
import { parseJson, readBody, SMALL } from '../kernel/runtime/bounded-input.ts';
import { type Place, withLog, withPlaceOptions } from './place.ts';
import type { Terminal } from './terminal.ts';

export function proveCommand(terminal: Terminal): Command {
  const command = new Command('prove')
    .summary('prove an event or a payment by the transparency log')
    .description(
      'Prints a proof that holds with the service switched off: keep it, and check it with `levy verify`.',
    );
  command.addCommand(
    withPlaceOptions(new Command('event'))
      .summary('prove that an event is in the log')
      .description(
        'Reads the event from the log, and its place and path from the files of the transparency log (LEDGER_STORE_URL, or DATA_DIR).',
      )
      .argument('<event>', 'the id of the event')
      .addHelpText(
        'after',
        '\nExample:\n  $ levy prove event 3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01 > event-proof.json',
      )
      .action(async (eventId: string, place: Place) => {
        const { proveEvent } = await import('./prove-event.ts');
        const file = await withLog(terminal, place, (log) => proveEvent(eventId, log, process.env));
        await terminal.out(JSON.stringify(file));
      })
      .copyInheritedSettings(command),
  );
  command.addCommand(
    new Command('payment')
      .summary('prove what a wallet got by a run')
      .description('Asks a running service. Anybody may; no key is needed.')
      .argument('<token>', 'the id of the token, or its mint address')
      .argument('<run>', 'the id of the run')
      .argument('<wallet>', 'the address that was paid')
      .requiredOption('--service <url>', 'the running service')
      .addHelpText(
        'after',
        '\nExample:\n  $ levy prove payment <token> <run> <wallet> --service https://levy.example > payment-proof.json',
      )
      .action(async (token: string, run: string, wallet: string, { service }: { service: string }) => {
        const parts = [token, 'runs', run, 'payments', wallet, 'proof'].map(encodeURIComponent);
        const response = await fetch(`${service.replace(/\/+$/, '')}/distribution/${parts.join('/')}`);
        const text = Buffer.from(await readBody(response, SMALL, service)).toString();
        if (!response.ok)
          throw new OperatorError(`The service answers ${response.status}: ${text.slice(0, 500)}`);
        await terminal.out(JSON.stringify(parseJson(text, service)));
      })
      .copyInheritedSettings(command),
  );
  return command;
}
