/** Starts the process: reads the environment, runs the service, and stops it on SIGTERM or SIGINT. */
import { pino } from 'pino';
import { isForTheOperator, openService, type Service } from './app/open-service.ts';
import { type Configuration, likelyMisspelt, readConfiguration } from './operations/config/configuration.ts';

/** Log paths of secret headers. Libraries may log request headers at the finest levels. */
const SECRETS = ['authorization', 'idempotency-key', 'x-operator-key'].flatMap((header) =>
  ['', '*', 'headers', '*.headers'].map((holder) => `${holder}["${header}"]`),
);

async function main(): Promise<void> {
  // All created files are readable by their owner only.
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

  process.stdout.write(`${startLines(service, configuration).join('\n')}\n`);
}

function startLines(service: Service, { console, masterSeedFile }: Configuration): readonly string[] {
  const { address, metricsAddress, localChainUrl, feePayerAddress, ownOperatorKey } = service;
  const lines = [`listening on ${address}`];
  if (metricsAddress !== undefined) lines.push(`metrics on ${metricsAddress}`);
  if (localChainUrl !== undefined) lines.push(`local chain on ${localChainUrl}`);
  else if (feePayerAddress !== undefined) lines.push(`fee payer to be funded: ${feePayerAddress}`);
  if (console) lines.push(`the console is at ${address}/console/`);
  if (ownOperatorKey !== undefined) {
    const { file, key } = ownOperatorKey;
    // A key in a log file would be readable by everybody who reads the log.
    const isRead = process.stdout.isTTY;
    lines.push(
      isRead ? `operator console: ${address}/console/operate#key=${key}` : `the operator's key is in ${file}`,
    );
  }
  if (feePayerAddress !== undefined)
    lines.push(`the master seed is in ${masterSeedFile}: keep a copy, without it the collected tax is lost`);
  return lines;
}

main().catch((error: unknown) => {
  // Errors that an operator can fix are printed as a sentence, without a stack.
  const explained = isForTheOperator(error);
  const text =
    error instanceof Error ? (explained ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`levy cannot start: ${text}\n`);
  process.exit(1);
});
