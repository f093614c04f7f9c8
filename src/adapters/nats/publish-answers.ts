/** What the server's answer says of a message that was sent for one sequence of a stream. */
import type { Msg } from 'nats';
import { PublisherOvertaken, PublisherRefused, PublisherUnavailable } from '../../kernel/ports/publisher.ts';

const WRONG_LAST_ID = 10_070;
const WRONG_LAST_SEQUENCE = 10_071;
const NO_RESPONDERS = 503;

/** Why the message is in the wrong place; undefined if it is in the right one. */
export function problemOf(
  answer: Pick<Msg, 'headers' | 'json'>,
  sequence: number,
  stream: string,
): Error | undefined {
  if (answer.headers?.code === NO_RESPONDERS) {
    return new PublisherUnavailable(`no stream takes ${stream}'s subjects`);
  }
  const found = readAck(answer);
  if (found === undefined) return new PublisherUnavailable('what the server answers is no acknowledgement');
  if (found.error !== undefined) {
    const { err_code: code, description = 'unknown' } = found.error;
    if (code === WRONG_LAST_ID || code === WRONG_LAST_SEQUENCE) return new PublisherOvertaken(description);
    return code === undefined
      ? new PublisherUnavailable(`the server does not store what it is sent: ${description}`)
      : new PublisherRefused(`the stream ${stream} does not take a message: ${description} (${code})`);
  }
  if (found.stream !== stream) {
    return new PublisherRefused(`another stream, ${found.stream}, takes the subjects of ${stream}`);
  }
  // A duplicate is acknowledged wherever it is, despite the expected sequence.
  if (found.seq !== sequence) {
    return new PublisherOvertaken(`the message for sequence ${sequence} is at ${found.seq} already`);
  }
  return undefined;
}

interface Ack {
  readonly stream?: string;
  readonly seq?: number;
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

function readAck(answer: Pick<Msg, 'json'>): Ack | undefined {
  try {
    const found: unknown = answer.json();
    return typeof found === 'object' && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
}
