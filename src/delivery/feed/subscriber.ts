/** One subscriber: what it wants, how far it has come, and whether it keeps up. */
import type { Position } from '../../ports/event-store.ts';
import type { StreamSink } from '../../runtime/stream-answer.ts';
import type { Frame } from './frames.ts';
import type { HiddenTokens } from './hidden-tokens.ts';
import type { Selection } from './selection.ts';
import { HEARTBEAT } from './server-sent-events.ts';

/** Bytes written at once to a subscriber that catches up; it is given more when it has taken them. */
const STRETCH = 64 * 1024;

export interface Checkpoint {
  readonly position: Position;
  readonly bytes: Uint8Array;
}

export interface Subscriber {
  readonly sink: StreamSink;
  readonly selection: Selection;
  /** Everything up to here has been looked at for it. */
  readonly position: Position;
  /** Nothing up to there is for it. */
  moveTo(position: Position): void;
  /**
   * Goes on through the frames, which are in order and after its position, until a stretch of bytes is full. Whether it
   * came to their end.
   */
  readStretch(frames: readonly Frame[], hidden: HiddenTokens): boolean;
  /** Tells it those of the frames, which it wants, that are after its position. `bytes` are those of all of them. */
  tell(frames: readonly Frame[], bytes: Uint8Array): void;
  /** Says how far it has come, if the id that it was given last does not say so. Whether that was needed. */
  note(checkpoint: Checkpoint): boolean;
  /** Called at equal intervals. Whoever has taken nothing of what waits since the last one is cut off. */
  beat(checkpoint: Checkpoint): void;
}

/** `told` is the id that it came with, or `START`: what it would come back with. */
export function createSubscriber(
  sink: StreamSink,
  selection: Selection,
  start: { readonly position: Position; readonly told: Position },
): Subscriber {
  let { position, told } = start;
  let takenAtBeat = 0;

  function note(checkpoint: Checkpoint): boolean {
    if (checkpoint.position <= told) return false;
    sink.write(checkpoint.bytes);
    told = checkpoint.position;
    return true;
  }

  return {
    sink,
    selection,
    get position() {
      return position;
    },
    moveTo(reached) {
      if (reached > position) position = reached;
    },
    readStretch(frames, hidden) {
      const wanted: Buffer[] = [];
      let length = 0;
      for (const frame of frames) {
        if (length >= STRETCH) break;
        position = frame.position;
        if (!selection.wants(frame, hidden)) continue;
        wanted.push(frame.bytes());
        length += frame.bytes().length;
        told = frame.position;
      }
      if (length > 0) sink.write(Buffer.concat(wanted, length));
      return position >= (frames.at(-1)?.position ?? position);
    },
    tell(frames, bytes) {
      const last = frames.at(-1)?.position;
      if (last === undefined || last <= position) return;
      const areAllNew = (frames[0]?.position ?? position) > position;
      const news = () => frames.filter((frame) => frame.position > position).map((frame) => frame.bytes());
      sink.write(areAllNew ? bytes : Buffer.concat(news()));
      told = last;
    },
    note,
    beat(checkpoint) {
      const { waiting, taken } = sink;
      const isStuck = waiting > 0 && taken === takenAtBeat;
      takenAtBeat = taken;
      if (isStuck) sink.cut();
      else if (waiting === 0 && !note(checkpoint)) sink.write(HEARTBEAT);
    },
  };
}
