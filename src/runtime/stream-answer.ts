/** An answer that goes on until the caller or the service ends it, and what it is written to. */

export interface StreamSink {
  /** Bytes that were written and that the network has not taken yet. */
  readonly waiting: number;
  /** Bytes that the network has taken. */
  readonly taken: number;
  /** Nothing happens once it has ended. The bytes must not be changed afterwards. */
  write(bytes: Uint8Array): void;
  /** Resolves when what waits has become little enough to write more, or when it has ended. */
  drained(): Promise<void>;
  /** Ends it: in good order where nothing waits, else by cutting it off. */
  end(): void;
  /** Ends it at once, whatever waits. */
  cut(): void;
  /** Called once, whoever ended it; at once if it has ended. */
  onEnd(listener: () => void): void;
}

export class StreamAnswer {
  readonly mediaType: string;
  /** Called when the head of the answer has been sent. Must not throw. */
  readonly open: (sink: StreamSink) => void;
  constructor(mediaType: string, open: (sink: StreamSink) => void) {
    this.mediaType = mediaType;
    this.open = open;
  }
}
