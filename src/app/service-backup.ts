/** Asks a running service for a backup, by its `POST /operator/backups`. */
import pTimeout from 'p-timeout';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import { BACKUP_MEDIA_TYPE } from '../operations/archive/frames.ts';
import { baseOf, refusalOf, unreachable } from './service-log.ts';

/** Milliseconds for which the service may say nothing. */
const SILENCE = 60_000;

/** The bytes, as they come. Throws `OperatorError` where the service refuses. */
export async function* askForBackup(options: {
  readonly url: string;
  readonly operatorKey: string;
}): AsyncGenerator<Uint8Array, void> {
  const base = baseOf(options.url);
  const leaving = new AbortController();
  try {
    const response = await spoken(
      fetch(new URL('operator/backups', base), {
        method: 'POST',
        headers: { 'x-operator-key': options.operatorKey, accept: BACKUP_MEDIA_TYPE },
        redirect: 'error',
        signal: leaving.signal,
      }),
    ).catch((error: unknown) => {
      throw unreachable(base, error);
    });
    if (!response.ok || response.body === null) {
      const { message } = await refusalOf(response, base);
      throw new OperatorError(message);
    }
    const reader = response.body.getReader();
    for (;;) {
      const { value, done } = await spoken(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    leaving.abort();
  }
}

function spoken<Result>(waiting: Promise<Result>): Promise<Result> {
  return pTimeout(waiting, { milliseconds: SILENCE, message: `it said nothing for ${SILENCE / 1_000} s` });
}
