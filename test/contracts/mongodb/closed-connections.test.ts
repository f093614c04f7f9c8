/** Connections that the server ends while nothing is under way on them, as a server that is killed does. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openMongo } from '../../../src/adapters/mongodb/client.ts';
import { storeError } from '../../../src/adapters/mongodb/errors.ts';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { openMongoAnswers } from '../../support/mongo-answers.ts';

test('a command that comes in the moment in which its connection closes comes to an end, and the next ones are answered', async () => {
  const sockets = new Set<Socket>();
  const collect = (message: unknown) => {
    sockets.add((message as { readonly socket: Socket }).socket);
  };
  subscribe('net.client.socket', collect);
  onTestFinished(() => void unsubscribe('net.client.socket', collect));
  const port = await openMongoAnswers(() => ({ n: 1 }));
  const mongo = await openMongo({ url: `mongodb://127.0.0.1:${port}/levy` });
  onTestFinished(() => mongo.close());
  const writes = mongo.database.collection('rows');
  for (let round = 0; round < 6; round += 1) {
    // The sockets are destroyed now, and say so in a later turn.
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    const ends = await Promise.allSettled(
      Array.from({ length: 4 }, () => writes.updateOne({ round }, { $set: { round } })),
    );
    // A server without sessions gets no write twice: the driver hands the error on.
    for (const end of ends)
      if (end.status === 'rejected') expect(storeError(end.reason, 'rows')).toBeInstanceOf(StoreUnavailable);
    await eventually(
      'it answers',
      async () => (await writes.updateOne({ round }, { $set: { round } })).matchedCount === 1,
    );
  }
});
