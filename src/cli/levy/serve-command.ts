/** `levy serve --read-only`: answers queries from read models of the past. */
import { Command } from 'commander';
import type { Terminal } from './terminal.ts';

interface ServeOptions {
  readonly readOnly: true;
  readonly readModel?: string;
  readonly host?: string;
  readonly port?: string;
}

export function serveCommand(terminal: Terminal): Command {
  return new Command('serve')
    .summary('answer queries from read models of the past')
    .description(
      'Answers queries from read models that levy replay has made, as the service did then. Commands are refused (READ_ONLY); no log, chain or seed is needed, and nothing is written.',
    )
    .requiredOption('--read-only', 'the only way to serve here; the service itself is started by npm start')
    .option(
      '--read-model <url>',
      'the read models: sqlite:<file>, or mongodb://<host>/<database> (default: READ_MODEL_URL)',
    )
    .option('--host <address>', 'where to listen (default: HOST)')
    .option('--port <number>', 'where to listen (default: PORT)')
    .addHelpText(
      'after',
      `
Images and ledger files come from IMAGE_STORE_URL and LEDGER_STORE_URL, operators' keys from OPERATOR_KEYS. Wallets call with
an access token of the service if JWT_KEY_FILE is set.

Example:
  levy replay --until 2026-11-22T00:00:00Z --into sqlite:./then.db
  levy serve --read-only --read-model sqlite:./then.db --port 3001`,
    )
    .action(async ({ readModel, host, port }: ServeOptions) => {
      const { serveReadOnly } = await import('../../app/serve-read-only.ts');
      const stop = terminal.stopSignal();
      const service = await serveReadOnly({
        ...process.env,
        ...(readModel === undefined ? {} : { READ_MODEL_URL: readModel }),
        ...(host === undefined ? {} : { HOST: host }),
        ...(port === undefined ? {} : { PORT: port }),
      });
      try {
        const { address, shown } = service;
        await terminal.out(
          terminal.json
            ? JSON.stringify({ address, position: shown.position, time: shown.time })
            : `listening on ${address}, as of position ${shown.position}, ${shown.time}`,
        );
        if (!stop.aborted)
          await new Promise<void>((resolve) =>
            stop.addEventListener('abort', () => resolve(), { once: true }),
          );
      } finally {
        await service.close();
      }
    });
}
