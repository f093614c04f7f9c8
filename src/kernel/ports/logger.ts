/** Logger for operators: levels and order of arguments are pino's, so that a pino logger is one. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The fields hold no secrets. */
export interface Logger extends Readonly<Record<LogLevel, (fields: object, message: string) => void>> {
  /** Has the part's name in each of its lines. */
  child(bindings: { readonly part: string }): Logger;
}

/** Hands each line to `write`. */
export function loggerTo(write: (message: string, fields: object, level: LogLevel) => void): Logger {
  return {
    debug: (fields, message) => write(message, fields, 'debug'),
    info: (fields, message) => write(message, fields, 'info'),
    warn: (fields, message) => write(message, fields, 'warn'),
    error: (fields, message) => write(message, fields, 'error'),
    child: (bindings) =>
      loggerTo((message, fields, level) => write(message, { ...bindings, ...fields }, level)),
  };
}

export const silentLogger = loggerTo(() => undefined);
