/** Tracks one subscriber: its selection, its position, and whether it keeps up. */
import type { Position } from '../../../kernel/ports/event-store.ts';
import type { StreamSink } from '../../../kernel/runtime/stream-answer.ts';
import type { Frame } from './frames.ts';
import type { HiddenTokens } from './hidden-tokens.ts';
import type { Selection } from './selection.ts';
import { HEARTBEAT } from './server-sent-events.ts';

/** Bytes written at once to a subscriber that catches up; it gets more when it has read them. */
const STRETCH = 64 * 1024;

export interface Checkpoint {
  readonly position: Position;
  readonly bytes: Uint8Array;
}

export interface Subscriber {
  readonly sink: StreamSink;
  readonly selection: Selection;
  /** Its network: subscribers of one share its turns. */
  readonly source: string;
  /** Everything up to here has been sent or is not selected. */
  readonly position: Position;
  /** Nothing up to there is selected. */
  moveTo(position: Position): void;
  /**
   * Sends the selected ones of these frames, which are in order and after its position, until a stretch of bytes is full.
   * Whether it reached their end.
   */
  sendStretch(frames: readonly Frame[], hidden: HiddenTokens): boolean;
  /** Sends those of these selected frames that are after its position. `bytes` are the bytes of all of them. */
  send(frames: readonly Frame[], bytes: Uint8Array): void;
  /** Sends the checkpoint unless the id that was sent last is as far. Whether it was sent. */
  sendCheckpoint(checkpoint: Checkpoint): boolean;
  /** Called at equal intervals. Disconnects a subscriber that has read nothing of its buffer since the last call. */
  heartbeat(checkpoint: Checkpoint): void;
}

/** `lastSent` is the id that it came with, or `START`: it would come back with that id. */
export function createSubscriber(
  sink: StreamSink,
  selection: Selection,
  start: { readonly position: Position; readonly lastSent: Position },
  source: string,
): Subscriber {
  let { position, lastSent } = start;
  let takenBefore = 0;

  function sendCheckpoint(checkpoint: Checkpoint): boolean {
    if (checkpoint.position <= lastSent) return false;
    sink.write(checkpoint.bytes);
    lastSent = checkpoint.position;
    return true;
  }

  return {
    sink,
    selection,
    source,
    get position() {
      return position;
    },
    moveTo(reached) {
      if (reached > position) position = reached;
    },
    sendStretch(frames, hidden) {
      const wanted: Buffer[] = [];
      let length = 0;
      for (const frame of frames) {
        if (length >= STRETCH) break;
        position = frame.position;
        if (!selection.wants(frame, hidden)) continue;
        wanted.push(frame.bytes());
        length += frame.bytes().length;
        lastSent = frame.position;
      }
      if (length > 0) sink.write(Buffer.concat(wanted, length));
      return position >= (frames.at(-1)?.position ?? position);
    },
    send(frames, bytes) {
      const last = frames.at(-1)?.position;
      if (last === undefined || last <= position) return;
      const areAllNew = (frames[0]?.position ?? position) > position;
      const news = () => frames.filter((frame) => frame.position > position).map((frame) => frame.bytes());
      sink.write(areAllNew ? bytes : Buffer.concat(news()));
      lastSent = last;
    },
    sendCheckpoint,
    heartbeat(checkpoint) {
      const { waiting, taken } = sink;
      const isStuck = waiting > 0 && taken === takenBefore;
      takenBefore = taken;
      if (isStuck) sink.cut();
      else if (waiting === 0 && !sendCheckpoint(checkpoint)) sink.write(HEARTBEAT);
    },
  };
}
