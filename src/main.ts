/** Starts the process: reads the environment, runs the service, and stops it on SIGTERM or SIGINT. */
import { pino } from 'pino';
import { isForTheOperator, openService } from './app/open-service.ts';
import { ConfigurationError, likelyMisspelt, readConfiguration } from './operations/config/configuration.ts';

/** Libraries may log request headers at the finest levels; tokens and keys must not appear. */
const SECRETS = ['authorization', 'idempotency-key', 'x-operator-key'].flatMap((header) =>
  ['', '*', 'headers', '*.headers'].map((holder) => `${holder}["${header}"]`),
);

async function main(): Promise<void> {
  // Files are readable by their owner only, wherever they are written.
  process.umask(0o077);
  const configuration = readConfiguration(process.env);
  const log = pino({ level: configuration.logLevel, redact: SECRETS }, pino.destination(2));
  for (const { given, meant } of likelyMisspelt(process.env))
    log.warn({ given, meant }, 'unknown variable in the environment: it has no effect');
  const service = await openService({ configuration, log, makesOperatorKey: true });

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'service stopping');
    const overdue = setTimeout(() => {
      log.error({ timeoutMs: configuration.shutdownTimeoutMs }, 'shutdown timed out');
      process.exit(1);
    }, configuration.shutdownTimeoutMs);
    service.close().then(
      () => {
        clearTimeout(overdue);
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  process.stdout.write(`listening on ${service.address}\n`);
  if (service.metricsAddress !== undefined) process.stdout.write(`metrics on ${service.metricsAddress}\n`);
  if (service.localChainUrl !== undefined) process.stdout.write(`local chain on ${service.localChainUrl}\n`);
  else if (service.feePayerAddress !== undefined)
    process.stdout.write(`fee payer to be funded: ${service.feePayerAddress}\n`);
  if (service.ownOperatorKey === undefined) return;
  const { file, key } = service.ownOperatorKey;
  // A key in a log file would be readable by everybody who reads the log.
  if (process.stdout.isTTY)
    process.stdout.write(`to operate it, open ${service.address}/console/operate#key=${key}\n`);
  else process.stdout.write(`the operator's key is in ${file}\n`);
}

main().catch((error: unknown) => {
  // What an operator can fix is printed as a sentence, without a stack.
  const explained = error instanceof ConfigurationError || isForTheOperator(error);
  const text =
    error instanceof Error ? (explained ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`levy cannot start: ${text}\n`);
  process.exit(1);
});
