// `levy check` reports every obstacle under its part, and none for a sound part.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RENT_SYSVAR, SYSVAR_OWNER } from 'levy-solana-wire';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { createKeyring } from '../../src/chain/keys.ts';
import { FORMAT } from '../../src/kernel/ports/errors.ts';
import type { EventToAppend } from '../../src/kernel/ports/event-store.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { check } from '../../src/levy/check.ts';
import { createKey } from '../../src/server/auth/signing-key.ts';
import { streams } from '../../src/streams/index.ts';
import { ServiceInitialized } from '../../src/streams/service.ts';
import { openChainProxy } from '../support/chain-proxy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SEED = '0123456789abcdef'.repeat(4);
const keyring = createKeyring(Buffer.from(SEED, 'hex'));
const [GENESIS, OTHER_GENESIS] = ['11111111111111111111111111111112', '11111111111111111111111111111113'];
const SYSTEM = '11111111111111111111111111111111';
const codec = createEventCodec(streams);

interface Shown {
  readonly genesis?: string;
  /** Error with which the simulation of a nonce account ends. */
  readonly nonces?: unknown;
}

/** A node as far as a check asks it. */
async function nodeWith({ genesis = GENESIS, nonces = null }: Shown = {}): Promise<string> {
  const atSlot = (value: unknown) => ({ context: { slot: 10 }, value });
  const account = {
    lamports: 5_000_000_000,
    owner: SYSTEM,
    data: ['', 'base64'],
    executable: false,
    rentEpoch: 0,
    space: 0,
  };
  const rates = Buffer.alloc(17);
  rates.writeBigUInt64LE(3_480n);
  rates.writeDoubleLE(2, 8);
  const rent = { ...account, owner: SYSVAR_OWNER, data: [rates.toString('base64'), 'base64'] };
  const answers: { readonly [method: string]: unknown } = {
    getGenesisHash: genesis,
    getSlotLeader: keyring.feePayer.address,
    simulateTransaction: atSlot({ err: nonces, logs: [], unitsConsumed: 0 }),
  };
  const shown = (address: string) => (address === RENT_SYSVAR ? rent : account);
  const node = await openChainProxy('http://127.0.0.1:9');
  node.treat(({ method, params }) => ({
    kind: 'result',
    result: method === 'getMultipleAccounts' ? atSlot((params[0] as string[]).map(shown)) : answers[method],
  }));
  return node.url;
}

const initialized = (change: Partial<ReturnType<typeof ServiceInitialized>['data']> = {}): EventToAppend => {
  const event = ServiceInitialized({
    format: FORMAT,
    seedFingerprint: keyring.fingerprint,
    genesisHash: GENESIS,
    ...change,
  });
  const commandId = randomId();
  const metadata = {
    commandId,
    inputHash: '',
    correlationId: commandId,
    causationId: commandId,
    actor: 'service',
    occurredAt: '2026-05-04T10:00:00.000Z',
  };
  return codec.encode('service', randomId(), event, metadata);
};
const happened = (): EventToAppend => ({ id: randomId(), type: 'Happened', data: {}, metadata: {} });

/** A data folder with a log of these events and both secrets, as its service leaves it. */
async function folderWith(
  log: readonly (readonly [stream: string, ...events: EventToAppend[]])[] | undefined,
) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'master-seed'), `${SEED}\n`, { mode: 0o600 });
  await writeFile(join(folder, 'jwt-key.json'), `${JSON.stringify(await createKey())}\n`, { mode: 0o600 });
  if (log === undefined) return folder;
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  const store = createSqliteEventStore(database);
  for (const [stream, ...events] of log) await store.append(stream, 'none', events);
  await store.close();
  await database.close();
  return folder;
}

const BEGUN = [['service-levy', initialized()]] as const;

async function checked(folder: string, environment: NodeJS.ProcessEnv = {}) {
  const { parts, holds } = await check({
    DATA_DIR: folder,
    PORT: '0',
    PUBLIC_URL: 'https://levy.example.com',
    DRAFT_LIFETIME_KIND: 'recent-blockhash',
    CHAIN_URL: await nodeWith(),
    ...environment,
  });
  const found = parts.flatMap(({ part, obstacles }) => obstacles.map(({ problem }) => `${part}: ${problem}`));
  expect(holds).toBe(found.length === 0 && parts.every(({ outcome }) => outcome === 'holds'));
  return {
    found,
    remarks: parts.flatMap(({ part, remarks }) => remarks.map((remark) => `${part}: ${remark}`)),
  };
}

/** Works on a file as somebody does who goes round the service. */
function tamper(path: string, statement: string): void {
  const database = new Database(path);
  database.exec(statement);
  database.close();
}

test('a sound folder has no obstacle, and what stands there is told', async () => {
  const { found, remarks } = await checked(await folderWith(BEGUN));
  expect(found).toEqual([]);
  expect(remarks).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^log: 1 events in /),
      expect.stringMatching(/^log: ends at position 0+1$/),
      'log: every event can be decoded',
      expect.stringMatching(/^read models: none yet: the start builds them from the log, in /),
      `chain: genesis ${GENESIS}`,
    ]),
  );
});

test('of the configuration all problems are told at once', async () => {
  const { found } = await checked(await folderWith(BEGUN), { LEASE_TTL: 'long', PUBLIC_URL: '' });
  expect(found).toEqual([
    expect.stringMatching(/^configuration: LEASE_TTL is "long"/),
    expect.stringMatching(/^configuration: PUBLIC_URL is not set/),
  ]);
});

describe('of the chain it is told', () => {
  test('that it is not the one that the log was begun on', async () => {
    const { found } = await checked(await folderWith(BEGUN), {
      CHAIN_URL: await nodeWith({ genesis: OTHER_GENESIS }),
    });
    expect(found).toEqual([
      `chain: The chain (genesis ${OTHER_GENESIS}) is not the chain of this event log (genesis ${GENESIS}). Correct CHAIN_URL, or start with an empty DATA_DIR.`,
    ]);
  });

  test('nothing of one of its nodes that does not answer: the service starts without it', async () => {
    const { found } = await checked(await folderWith(BEGUN), {
      CHAIN_URL: `${await nodeWith()},http://127.0.0.1:1`,
    });
    expect(found).toEqual([]);
  });

  test('that its witness is of another chain, or does not answer', async () => {
    const folder = await folderWith(BEGUN);
    const other = await checked(folder, { CHAIN_WITNESS_URL: await nodeWith({ genesis: OTHER_GENESIS }) });
    expect(other.found).toEqual([
      `chain: the witness (CHAIN_WITNESS_URL) is a node of another chain, with genesis ${OTHER_GENESIS}; correct the address`,
    ]);
    const away = await checked(folder, { CHAIN_WITNESS_URL: 'http://127.0.0.1:1' });
    expect(away.found).toEqual([
      expect.stringMatching(/^chain: the witness \(CHAIN_WITNESS_URL\): .*127\.0\.0\.1:1/),
    ]);
    expect((await checked(folder, { CHAIN_WITNESS_URL: await nodeWith() })).found).toEqual([]);
  });

  test.each([
    [
      'it has no durable nonces',
      { InstructionError: [1, 'InvalidInstructionData'] },
      [expect.stringContaining('This chain has no durable nonces')],
      [],
    ],
    ['it has them', null, [], ['chain: supports durable nonces']],
    [
      'it does not tell',
      'AccountNotFound',
      [],
      ['chain: support of durable nonces is unknown until the fee payer has SOL'],
    ],
  ])('whether drafts can live as configured: %s', async (_what, nonces, obstacles, remark) => {
    const { found, remarks } = await checked(await folderWith(BEGUN), {
      CHAIN_URL: await nodeWith({ nonces }),
      DRAFT_LIFETIME_KIND: 'durable-nonce',
    });
    expect(found).toEqual(obstacles);
    expect(remarks).toEqual(expect.arrayContaining(remark));
  });

  test('that the file of an embedded chain is missing, or damaged', async () => {
    const folder = await folderWith(BEGUN);
    const embedded = { CHAIN_URL: undefined, LOCAL_CHAIN_PORT: '0' };
    const missing = await checked(folder, embedded);
    expect(missing.found).toEqual([
      expect.stringMatching(
        /^chain: the file .*chain\.db of the log's embedded chain is missing; restore it/,
      ),
    ]);
    await mkdir(join(folder, 'chain'));
    await writeFile(join(folder, 'chain', 'chain.db'), 'no database at all'.repeat(100));
    const damaged = await checked(folder, embedded);
    expect(damaged.found).toEqual([expect.stringMatching(/^chain: .*chain\.db is damaged, in the file: /)]);
  });
});

describe('of the log it is told', () => {
  test('that events cannot be decoded: ten by name', async () => {
    const unknown = Array.from({ length: 13 }, (_, index) => [`token-${index}`, happened()] as const);
    const { found, remarks } = await checked(await folderWith([...BEGUN, ...unknown]));
    expect(found).toHaveLength(11);
    expect(found[0]).toMatch(
      /^log: the event \S+ \(Happened, revision 0 of token-0\) cannot be decoded: .*See docs\/how-to\/operate\/quarantine-an-event\.md$/,
    );
    expect(found[10]).toBe('log: more events cannot be decoded; `levy audit` lists all of them');
    expect(remarks).not.toContain('log: every event can be decoded');
  });

  test('that another program began it', async () => {
    const { found } = await checked(await folderWith([['token-1', happened()]]));
    expect(found).toEqual([
      expect.stringMatching(
        /^log: the log contains events, but its first event is not of this service; set EVENT_STORE_URL/,
      ),
    ]);
  });

  test('that a part of it is damaged, with what to do about this part', async () => {
    const gap = await folderWith([...BEGUN, ['token-1', happened()], ['token-2', happened()]]);
    tamper(join(gap, 'levy.db'), 'DELETE FROM events WHERE position = 2');
    expect((await checked(gap)).found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^log: .*levy\.db is damaged, in the log.*: .*Restore a backup/),
      ]),
    );
    const models = await folderWith(BEGUN);
    await writeFile(join(models, 'levy-read-model.db'), 'no database at all'.repeat(100));
    expect((await checked(models)).found[0]).toMatch(
      /^read models: .*levy-read-model\.db is damaged, in the file: .*Remove it and/,
    );
    const file = await folderWith(BEGUN);
    await writeFile(join(file, 'levy.db'), 'no database at all'.repeat(100));
    expect((await checked(file)).found[0]).toMatch(
      /^log: .*levy\.db is damaged, in the file: .*Restore a backup/,
    );
  });

  test('that there is none yet, or an empty one, which is no obstacle', async () => {
    const { found, remarks } = await checked(await folderWith([]));
    expect(found).toEqual([]);
    expect(remarks).toContain('log: an empty log: the first start initializes it');
    const bare = await temporaryFolder();
    const first = await checked(bare, { CHAIN_URL: undefined, LOCAL_CHAIN_PORT: '0' });
    expect(first.found).toEqual([]);
    expect(first.remarks).toEqual(
      expect.arrayContaining([
        `log: no log yet: the first start creates it in ${join(bare, 'levy.db')}`,
        `secrets: the first start generates the master seed (${join(bare, 'master-seed')})`,
        `secrets: the first start generates the JWT key (${join(bare, 'jwt-key.json')})`,
      ]),
    );
  });
});

describe('of secrets it is told', () => {
  test('that the seed is not the one that the log was begun with', async () => {
    const folder = await folderWith(BEGUN);
    await writeFile(join(folder, 'master-seed'), `${'fedcba9876543210'.repeat(4)}\n`, { mode: 0o600 });
    expect((await checked(folder)).found).toEqual([
      expect.stringMatching(/^secrets: The master seed does not belong to this event log/),
    ]);
  });

  test.each([
    ['master-seed', 'openssl rand -hex 32'],
    ['jwt-key.json', 'node -e'],
  ])('that a file is missing, and how a new service gets it: %s', async (name, maker) => {
    const folder = await folderWith(BEGUN);
    await rm(join(folder, name));
    const { found } = await checked(folder);
    expect(found).toEqual([
      expect.stringMatching(/^secrets: the .* file .* does not exist.*restore its original file/),
    ]);
    expect(found[0]).toContain(maker);
  });
});

test('of folders it is told that a restore into them has not ended, and that they cannot be written', async () => {
  const folder = await folderWith(BEGUN);
  await writeFile(join(folder, 'incomplete'), 'levy restore\n');
  expect((await checked(folder)).found).toEqual([
    expect.stringMatching(/^files: .* is incomplete, .*run the same command again/),
  ]);
  const other = await folderWith(BEGUN);
  await writeFile(join(other, 'file'), '');
  const { found } = await checked(other, {
    IMAGE_STORE_URL: `file:${join(other, 'file')}`,
    LEDGER_STORE_URL: `file:${join(other, 'file', 'below')}`,
  });
  expect(found).toEqual([
    expect.stringMatching(/^files: The folder .*IMAGE_STORE_URL.* ENOTDIR: not a directory/),
    expect.stringMatching(/^files: The folder .*LEDGER_STORE_URL.* ENOTDIR: not a directory/),
  ]);
});

test('of a bus it is told that it does not answer', async () => {
  const { found } = await checked(await folderWith(BEGUN), { PUBLISHER_URL: 'nats://127.0.0.1:1' });
  expect(found).toEqual([expect.stringMatching(/^bus: .*127\.0\.0\.1:1 cannot be reached/)]);
});

test('a check writes nothing', async () => {
  const folder = await folderWith(BEGUN);
  const content = async () =>
    Object.fromEntries(
      await Promise.all(
        (await readdir(folder)).map(async (name) => [
          name,
          createHash('sha256')
            .update(await readFile(join(folder, name)))
            .digest('hex'),
        ]),
      ),
    );
  const before = await content();
  await checked(folder);
  expect(await content()).toEqual(before);
});
