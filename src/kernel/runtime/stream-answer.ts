/** An answer that continues until the caller or the service ends it, and the sink that it is written to. */

export interface StreamSink {
  /** Bytes written that the network has not taken yet. */
  readonly waiting: number;
  /** Bytes that the network has taken. */
  readonly taken: number;
  /** Has no effect once the answer has ended. The bytes must not be changed afterwards. */
  write(bytes: Uint8Array): void;
  /** Resolves when little enough is waiting to write more, or when the answer has ended. */
  drained(): Promise<void>;
  /** Ends the answer: in good order if nothing is waiting, otherwise by cutting it off. */
  end(): void;
  /** Ends the answer at once, whatever is waiting. */
  cut(): void;
  /** Called once, whoever ended the answer; at once if it has already ended. */
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
