/**
 * Removes images that nothing has used for a while: no token, no draft that lives.
 *
 * A draft keeps its image right before it is recorded, and a removal takes only what nobody has kept for a while (see the
 * port). So who is just making a draft either has the image, or is told that it is gone; and whoever made one before has
 * been recorded since, which shows in the read model.
 *
 * An image that the log knows nothing of is left where it is: this may be the wrong log for it, or an older copy, and a
 * token's image that is gone is gone for ever.
 */
import type { EventStore } from '../ports/event-store.ts';
import type { ImageStore } from '../ports/image-store.ts';
import type { ReadModel } from '../ports/read-model.ts';
import { images as known } from '../projections/images.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Projector } from '../runtime/projector.ts';
import { type Repetition, startRepetition } from '../runtime/repeat.ts';

/** Milliseconds that a read model which is behind is waited for. */
const PATIENCE = 5_000;
/** Milliseconds between two rounds, or a quarter of the time for which images are kept. */
const LONGEST_PAUSE = 3_600_000;

export interface ImageKeeper {
  /**
   * One round over all images. Resolves with how many were removed: none while the read model is not whole, since it may
   * not know of a token yet.
   */
  tidy(): Promise<number>;
}

export interface ImageKeeperOptions {
  readonly images: ImageStore;
  readonly store: Pick<EventStore, 'head'>;
  readonly readModel: ReadModel;
  readonly projector: Pick<Projector, 'waitFor' | 'status'>;
  readonly clock: Clock;
  /** Milliseconds for which an image is kept that nothing uses. */
  readonly unusedFor: number;
  /** Ends a round early. */
  readonly signal: AbortSignal;
}

export function createImageKeeper(options: ImageKeeperOptions): ImageKeeper {
  const { images, store, readModel, projector, clock, unusedFor, signal } = options;

  async function knowsEverything(): Promise<boolean> {
    const head = await store.head();
    await projector.waitFor(head, PATIENCE);
    return projector
      .status()
      .some(({ name, state, position }) => name === known.name && state === 'live' && position >= head);
  }

  return {
    async tidy() {
      const since = new Date(clock.now().getTime() - unusedFor);
      if (!(await knowsEverything())) return 0;
      let removed = 0;
      for await (const cid of images.leftAlone(since)) {
        if (signal.aborted) break;
        if ((await readModel.get(known, cid)) === undefined) continue;
        const isUsed = (await readModel.count(known, 'use', cid)) > 0;
        // One that is used need not be looked at again before the same time has passed.
        if (isUsed) await images.keep(cid);
        else if (await images.remove(cid, since)) removed += 1;
      }
      return removed;
    },
  };
}

/** Rounds, one after another. `removed` is told of those in which something was. */
export function startImageKeeping(
  options: Omit<ImageKeeperOptions, 'signal'> & {
    readonly report: (message: string, details: object) => void;
    readonly removed: (images: number) => void;
  },
): Repetition {
  const { clock, unusedFor, report, removed } = options;
  const stopping = new AbortController();
  const keeper = createImageKeeper({ ...options, signal: stopping.signal });
  const repetition = startRepetition({
    name: 'image-keeper',
    clock,
    report,
    async work() {
      const images = await keeper.tidy();
      if (images > 0) removed(images);
      return Math.min(LONGEST_PAUSE, unusedFor / 4);
    },
  });
  return {
    ...repetition,
    stop() {
      stopping.abort();
      return repetition.stop();
    },
  };
}
