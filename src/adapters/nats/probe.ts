/** Asks a bus whether it lets this service in and has JetStream. Changes nothing. */

import { PublisherUnavailable } from '../../kernel/ports/publisher.ts';
import { connectToNats, type NatsConnectionOptions, reasonOf } from './connection.ts';

/** Rejects with what publishing would reject with. */
export async function probeNats(options: NatsConnectionOptions): Promise<void> {
  const connection = await connectToNats(options, AbortSignal.timeout(2 * options.timeout));
  try {
    await connection.jetstreamManager({ timeout: options.timeout });
  } catch (error) {
    throw new PublisherUnavailable(`JetStream does not answer: ${reasonOf(error)}`);
  } finally {
    await connection.close();
  }
}
