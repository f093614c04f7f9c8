/** Contract of the Publisher port. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Position, START } from '../../src/kernel/ports/event-store.ts';
import {
  type Publisher,
  type PublisherMessage,
  PublisherSuperseded,
} from '../../src/kernel/ports/publisher.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';

export interface Bus {
  /** Another publisher on this bus; let go of when the test is over. */
  publisher(): Promise<Publisher>;
  /** All messages on the bus, in order. */
  messages(): Promise<readonly { readonly id: string; readonly name: string; readonly body: string }[]>;
}

export const SOURCE = `urn:uuid:${randomId()}`;

/** The next messages of a log, as many as are asked for, each in its place. */
export function createMessages(
  source = SOURCE,
): (count: number, text?: string) => readonly PublisherMessage[] {
  let written = 0;
  return (count, text = '') =>
    Array.from({ length: count }, () => {
      written += 1;
      const id = randomId();
      const position = positionOf(written);
      const name = written % 3 === 0 ? 'tokens.transfer-fee-changed' : 'submissions.accepted';
      return { id, position, name, body: JSON.stringify({ id, source, position, data: { text } }) };
    });
}

export function positionOf(place: number): Position {
  return String(place).padStart(20, '0');
}

const never = new AbortController().signal;

export function publisherContract(name: string, open: () => Promise<Bus>): void {
  describe(`${name} keeps the contract of publishers`, () => {
    let bus: Bus;
    let next: ReturnType<typeof createMessages>;

    beforeEach(async () => {
      bus = await open();
      next = createMessages();
    });

    const idsOnBus = async () => (await bus.messages()).map(({ id }) => id);
    const idsOf = (messages: readonly PublisherMessage[]) => messages.map(({ id }) => id);

    test('an unused bus stands at the start', async () => {
      const standing = await (await bus.publisher()).resume(SOURCE, never);
      expect(standing).toMatchObject({ position: START, alreadyStored: 0 });
    });

    test('messages are stored as they are, in the order of the calls, without waiting for each other', async () => {
      const publisher = await bus.publisher();
      await publisher.resume(SOURCE, never);
      const messages = [...next(1), ...next(700, 'žluťoučký 9007199254740993'), ...next(1)];
      await Promise.all([
        publisher.publish(messages.slice(0, 1)),
        publisher.publish(messages.slice(1, 701)),
        publisher.publish([]),
        publisher.publish(messages.slice(701)),
      ]);
      expect(await bus.messages()).toEqual(messages.map(({ id, name, body }) => ({ id, name, body })));
      expect(publisher.status()).toEqual({ isConnected: true, connections: 1, stored: 702 });
    });

    test('the bus stands where its last message does, for whoever asks', async () => {
      const publisher = await bus.publisher();
      await publisher.resume(SOURCE, never);
      await publisher.publish(next(5));
      expect(await publisher.resume(SOURCE, never)).toMatchObject({
        position: positionOf(5),
        alreadyStored: 0,
      });
      expect(await (await bus.publisher()).resume(SOURCE, never)).toMatchObject({ position: positionOf(5) });
    });

    test('whoever was overtaken stores nothing more until it has looked again', async () => {
      const [first, second] = [await bus.publisher(), await bus.publisher()];
      const standing = await first.resume(SOURCE, never);
      await second.resume(SOURCE, never);
      const messages = next(6);
      await second.publish(messages.slice(0, 2));

      // The first believes that it is to go on with something else.
      const late = first.publish(messages.slice(3, 5));
      await expect(late).rejects.toThrow(PublisherSuperseded);
      await expect(first.publish(messages.slice(5))).rejects.toThrow(PublisherSuperseded);
      expect(await standing.lost).toBeInstanceOf(PublisherSuperseded);
      expect(await idsOnBus()).toEqual(idsOf(messages.slice(0, 2)));

      expect(await first.resume(SOURCE, never)).toMatchObject({ position: positionOf(2) });
      await first.publish(messages.slice(2));
      expect(await idsOnBus()).toEqual(idsOf(messages));
    });

    test('of many at once with the same messages, all that is stored is stored once and in order', async () => {
      const messages = next(600);
      const publish = async () => {
        const publisher = await bus.publisher();
        for (;;) {
          const { position } = await publisher.resume(SOURCE, never);
          const rest = messages.filter((message) => message.position > position);
          try {
            await publisher.publish(rest);
            return;
          } catch (error) {
            if (!(error instanceof PublisherSuperseded)) throw error;
          }
        }
      };
      await Promise.all([publish(), publish(), publish()]);
      expect(await idsOnBus()).toEqual(idsOf(messages));
    });

    test('nothing can be published before it is known where the bus stands, nor after letting go', async () => {
      const publisher = await bus.publisher();
      await expect(publisher.publish(next(1))).rejects.toThrow();
      const { lost } = await publisher.resume(SOURCE, never);
      await publisher.release();
      await expect(publisher.publish(next(1))).rejects.toThrow();
      expect(await lost).toBeInstanceOf(Error);
      expect(await bus.messages()).toEqual([]);
    });

    test('letting go ends what is under way, and one can begin anew', async () => {
      const publisher = await bus.publisher();
      await publisher.resume(SOURCE, never);
      const messages = next(2_000);
      const publishing = publisher.publish(messages).catch((error: unknown) => error);
      await publisher.release();
      expect(await publishing).toBeInstanceOf(Error);
      expect(publisher.status().isConnected).toBe(false);

      const { position } = await publisher.resume(SOURCE, never);
      await publisher.publish(messages.filter((message) => message.position > position));
      expect(await idsOnBus()).toEqual(idsOf(messages));
      expect(publisher.status()).toMatchObject({ isConnected: true, connections: 2 });
    });

    test('letting go ends a look that is under way, and only the latest look counts', async () => {
      const publisher = await bus.publisher();
      const outcomes = Promise.allSettled([
        publisher.resume(SOURCE, never),
        publisher.resume(SOURCE, never),
        publisher.resume(SOURCE, never),
      ]);
      expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
      await publisher.publish(next(1));

      const look = await bus.publisher();
      const looking = look.resume(SOURCE, never).catch((error: unknown) => error);
      await look.release();
      expect(await looking).toBeInstanceOf(Error);
      expect(look.status().isConnected).toBe(false);
    });

    test('a publisher of another log is refused, with what to do', async () => {
      const publisher = await bus.publisher();
      await publisher.resume(SOURCE, never);
      await publisher.publish(next(1));
      await expect((await bus.publisher()).resume(`urn:uuid:${randomId()}`, never)).rejects.toMatchObject({
        name: 'PublisherRefused',
        message: expect.stringContaining('another log'),
      });
    });

    test('an aborted look ends, and leaves nothing behind', async () => {
      const publisher = await bus.publisher();
      const aborted = AbortSignal.abort();
      await expect(publisher.resume(SOURCE, aborted)).rejects.toThrow();
      expect(publisher.status().isConnected).toBe(false);
      await expect(publisher.resume(SOURCE, never)).resolves.toMatchObject({ position: START });
    });
  });
}
