/** The logger of one request, with the request's id. Most requests log nothing, so it is made with the first line. */
import type { FastifyBaseLogger } from 'fastify';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Like the logger's `child`, but made at the first line. */
export function createRequestLog(
  log: FastifyBaseLogger,
  ...own: Parameters<FastifyBaseLogger['child']>
): FastifyBaseLogger {
  return new RequestLog(log, own);
}

/** A class, because one is made for every request. */
class RequestLog implements FastifyBaseLogger {
  readonly #log: FastifyBaseLogger;
  readonly #own: Parameters<FastifyBaseLogger['child']>;
  #made: FastifyBaseLogger | undefined;

  constructor(log: FastifyBaseLogger, own: Parameters<FastifyBaseLogger['child']>) {
    this.#log = log;
    this.#own = own;
  }

  get level() {
    return this.#log.level;
  }

  child(...further: Parameters<FastifyBaseLogger['child']>) {
    return this.#whole().child(...further);
  }

  fatal(...line: unknown[]) {
    this.#write('fatal', line);
  }

  error(...line: unknown[]) {
    this.#write('error', line);
  }

  warn(...line: unknown[]) {
    this.#write('warn', line);
  }

  info(...line: unknown[]) {
    this.#write('info', line);
  }

  debug(...line: unknown[]) {
    this.#write('debug', line);
  }

  trace(...line: unknown[]) {
    this.#write('trace', line);
  }

  silent() {}

  #whole(): FastifyBaseLogger {
    this.#made ??= this.#log.child(...this.#own);
    return this.#made;
  }

  #write(level: Level, line: unknown[]): void {
    const log = this.#whole();
    Reflect.apply(log[level], log, line);
  }
}
