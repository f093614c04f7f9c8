/** What the port says of an error of the library or of the server. */
import { NatsError } from 'nats';
import { PublisherRefused, PublisherUnavailable } from '../../kernel/ports/publisher.ts';
import { reasonOf } from './connection.ts';
import { codeOf } from './outcome-stream.ts';

/** Undefined for other errors. */
export function refusalIn(error: unknown, stream: string): PublisherRefused | undefined {
  if (error instanceof PublisherRefused) return error;
  if (!(error instanceof NatsError)) return undefined;
  if (error.permissionContext !== undefined) return notAllowed(error.permissionContext);
  if (codeOf(error) === undefined) return undefined;
  return new PublisherRefused(`JetStream refuses what is needed for ${stream}: ${reasonOf(error)}`);
}

export function notAllowed({ operation, subject }: { operation: string; subject: string }): PublisherRefused {
  return new PublisherRefused(`the server does not allow this user to ${operation} to ${subject}`);
}

export function gone(error: unknown): PublisherUnavailable {
  if (error instanceof PublisherUnavailable) return error;
  return new PublisherUnavailable(
    error === undefined ? 'the connection was closed' : `the bus does not answer: ${reasonOf(error)}`,
  );
}
