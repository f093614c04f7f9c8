/** Logger for operators, with pino's levels and order of arguments, so that a pino logger can be used. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Fields must not contain secrets. */
export interface Logger extends Readonly<Record<LogLevel, (fields: object, message: string) => void>> {
  child(bindings: { readonly part: string }): Logger;
}

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
