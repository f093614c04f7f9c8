/**
 * The service without its chain, as a process: the real routes, kernel and stores, put together as `src/app.ts` does, but for
 * what a comparison varies.
 */
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { pino } from 'pino';
import { openSqliteDatabase } from '../../src/adapters/sqlite-database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite-event-store.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite-read-model.ts';
import { createKeyring } from '../../src/chain/keys.ts';
import { generateDistributionWallet } from '../../src/commands/generate-distribution-wallet.ts';
import { openAccessTokens } from '../../src/http/auth/access-token.ts';
import { parseSigningKey } from '../../src/http/auth/signing-key.ts';
import { createServer } from '../../src/http/server.ts';
import { projections } from '../../src/projections/index.ts';
import { revokedSessions } from '../../src/projections/revoked-sessions.ts';
import { listOwnTokens } from '../../src/queries/list-own-tokens.ts';
import { listTokens } from '../../src/queries/list-tokens.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createEventCodec } from '../../src/runtime/event-codec.ts';
import { createExecutor } from '../../src/runtime/execute.ts';
import { createProjector, type Projector } from '../../src/runtime/projector.ts';
import { createCommandRunner } from '../../src/runtime/run-command.ts';
import { defineQuery, type Services } from '../../src/services.ts';
import { categoryOfType, streams } from '../../src/streams/index.ts';
import { type Served, serve } from '../measuring/child.ts';
import { createEmmettEventStore } from './emmett-event-store.ts';
import { type LevyOptions, TOKEN_ISSUER } from './levy-options.ts';
import { note, takeNote } from './notes.ts';

/** An answer without anything that it takes to make one. */
const getNothing = defineQuery({
  name: 'GetNothing',
  summary: 'Nothing',
  route: { method: 'GET', url: '/nothing', auth: 'none' },
  input: {},
  output: Type.Object({ wallet: Type.String() }),
  rejections: [],
  answer: async (_input, { call }) => ({ wallet: call.actor }),
});

/** The least that a signed-in request can be: who calls, and nothing else. */
const getCaller = defineQuery({
  name: 'GetCaller',
  summary: 'Who calls',
  route: { method: 'GET', url: '/caller', auth: 'wallet' },
  input: {},
  output: Type.Object({ wallet: Type.String() }),
  rejections: [],
  answer: async (_input, { call }) => ({ wallet: call.actor }),
});

async function openLevy({ folder, store: kind = 'sqlite', tokens }: LevyOptions): Promise<Served> {
  const database = openSqliteDatabase(join(folder, 'levy.db'), {
    groupCommit: kind !== 'sqlite, a commit each',
  });
  const readModel = createSqliteReadModel(database);
  const codec = createEventCodec([...streams, note]);
  const log = createSqliteEventStore(database, {
    inline: {
      apply: (events) => projector.inline.apply(events),
      failed: (error, events) => projector.inline.failed(error, events),
    },
  });
  const projector: Projector = createProjector({
    projections,
    codec,
    store: log,
    readModel,
    synchronous: readModel,
    categoryOfType,
    report: (message, details) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  });
  await projector.start();

  const executor = createExecutor(
    kind === 'emmett' ? createEmmettEventStore(join(folder, 'emmett.db')) : log,
    codec,
    systemClock,
  );
  // Only what the routes below use.
  const services = {
    clock: systemClock,
    executor,
    readModel,
    keyring: createKeyring(new Uint8Array(32).fill(7)),
    ...(tokens && {
      accessTokens: await openAccessTokens({
        signingKey: parseSigningKey(tokens.signingKey),
        issuer: TOKEN_ISSUER,
        audience: TOKEN_ISSUER,
        lifetimeSeconds: 3_600,
        isRevoked: async (tokenId) => (await readModel.get(revokedSessions, tokenId)) !== undefined,
        now: () => systemClock.now().getTime(),
        ...(tokens.cacheCapacity !== undefined && { cacheCapacity: tokens.cacheCapacity }),
      }),
    }),
  } as Partial<Services> as Services;
  const server = await createServer({
    services,
    runner: createCommandRunner(executor, services),
    commands: [generateDistributionWallet, takeNote],
    queries: [listTokens, listOwnTokens, getCaller, getNothing],
    log: pino({ level: 'warn' }, pino.destination(2)),
    allowedOrigins: [],
    trustedProxies: [],
    waitFor: projector.waitFor,
    isClosing: () => false,
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    async close() {
      await server.close();
      await projector.stop();
      await log.close();
      await database.close();
    },
  };
}

await serve(openLevy);
