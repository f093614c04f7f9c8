/** Publishing from one `resume` to its end, whatever causes that. */
import type { JetStreamManager, NatsConnection } from 'nats';
import { type PublisherMessage, PublisherUnavailable } from '../../kernel/ports/publisher.ts';
import { pauseFor } from '../../kernel/runtime/pause-for.ts';
import type { CheckpointStore } from './checkpoint.ts';
import type { OutcomeStream, OutcomeStreamFinder } from './outcome-stream.ts';
import { openPublishWindow, type PublishWindow } from './publish-window.ts';

export interface Session {
  readonly window: PublishWindow;
  readonly checkpoints: CheckpointStore;
  /** Resolves with the error that ended it. */
  readonly lost: Promise<Error>;
  end(error: Error): void;
}

export interface SessionOptions {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly finder: Pick<OutcomeStreamFinder, 'isThere'>;
  readonly found: OutcomeStream;
  readonly checkpoints: CheckpointStore;
  readonly stream: string;
  readonly subjectOf: (message: PublisherMessage) => string;
  /** The public name of the log. */
  readonly source: string;
  readonly inFlight: number;
  readonly ackTimeout: number;
  readonly lookEvery: number;
  readonly stored: () => void;
}

export function openSession(options: SessionOptions): Session {
  const { connection, found, checkpoints, stream, subjectOf, source, inFlight, ackTimeout } = options;
  const { created, lastSequence } = found;
  let tellLost: (error: Error) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => {
    tellLost = resolve;
  });
  const over = new AbortController();
  const window = openPublishWindow({
    connection,
    stream,
    subjectOf,
    lastSequence,
    inFlight,
    ackTimeout,
    stored(sequence, { id: eventId, position }) {
      options.stored();
      checkpoints.note({ created, source, sequence, position, eventId });
    },
    failed(error) {
      over.abort();
      tellLost(error);
      // Messages still under way on a stalled connection should not arrive.
      if (error instanceof PublisherUnavailable) void connection.close();
    },
  });
  function end(error: Error): void {
    over.abort();
    window.end(error);
    tellLost(error);
  }
  void watchStream(options, over.signal, end);
  return { window, checkpoints, lost, end };
}

/** Nothing else shows that a stream was deleted while nothing is published. */
async function watchStream(
  { manager, finder, found, stream, lookEvery }: SessionOptions,
  over: AbortSignal,
  end: (error: Error) => void,
): Promise<void> {
  while (!over.aborted) {
    await pauseFor(lookEvery, over);
    // A check that fails shows nothing: the connection reports its own end.
    const isThere = await finder.isThere(manager, found).catch(() => true);
    if (!isThere) end(new PublisherUnavailable(`the stream ${stream} was deleted`));
  }
}
