/** Files of distribution runs over HTTP: whole, in parts, unchanged, and for everybody. */
import { createHash, randomBytes } from 'node:crypto';
import { stat, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { afterTheFile } from '../support/after-the-file.ts';
import { type Client, createClient } from '../support/client.ts';
import { requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const BUFFER = 8 * 1024 * 1024;
const bytes = randomBytes(300_000);
const large = Buffer.alloc(3 * BUFFER, 'ledger');

let service: TestService;
let client: Client;
let path: string;
let pathOfLarge: string;

beforeAll(async () => {
  service = await openTestService({}, { constants: { answersBuffer: BUFFER } });
  client = createClient(service.url);
  const ledgers = await openFileBlobStore(join(service.folder, 'ledgers'));
  afterTheFile(() => ledgers.close());
  path = `/files/${await ledgers.put([bytes])}`;
  pathOfLarge = `/files/${await ledgers.put([large])}`;
});

const tag = () => `"${path.split('/').at(-1)}"`;
const get = (headers: { readonly [name: string]: string } = {}, method = 'GET') =>
  client.call(method, path, { headers });

describe('a file of a run', () => {
  test('is sent as it was stored, to be kept for ever, to pages of any origin', async () => {
    const { status, headers, bytes: received } = await get({ origin: 'https://anywhere.example' });
    expect(status).toBe(200);
    expect(createHash('sha256').update(received).digest('hex')).toBe(path.split('/').at(-1));
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      etag: tag(),
    });
  });

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=100-199', 100, 200],
    ['bytes=299990-', 299_990, 300_000],
    ['bytes=299990-999999999', 299_990, 300_000],
    ['bytes=-10', 299_990, 300_000],
    ['bytes=-999999999', 0, 300_000],
    ['bytes=0-', 0, 300_000],
  ])('is sent in part: %s', async (range, from, to) => {
    const { status, headers, bytes: received } = await get({ range });
    expect(status).toBe(206);
    expect(headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${bytes.length}`);
    expect(Buffer.from(received).equals(bytes.subarray(from, to))).toBe(true);
  });

  test.each([
    'bytes=0-1,5-6',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'items=0-1',
    `bytes=0-${'9'.repeat(40)}`,
  ])('is sent whole for what is not one range of bytes: %s', async (range) => {
    const { status, bytes: received } = await get({ range });
    expect([status, received.length]).toEqual([200, bytes.length]);
  });

  test.each([
    'bytes=300000-',
    'bytes=300000-300001',
    'bytes=-0',
  ])('has no part behind its end: %s', async (range) => {
    const { body } = await client.call<{ code: string; status: number }>('GET', path, { headers: { range } });
    expect(body).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE', status: 416 });
  });

  test('is not sent to who has it already, and in part only if it is the same', async () => {
    const held = await get({ 'if-none-match': tag() });
    expect([held.status, held.bytes.length]).toEqual([304, 0]);
    expect((await get({ range: 'bytes=0-1', 'if-range': tag() })).status).toBe(206);
    expect((await get({ range: 'bytes=0-1', 'if-range': '"another"' })).status).toBe(200);
  });

  test('shows its size without its bytes', async () => {
    const { status, headers, bytes: received } = await get({}, 'HEAD');
    expect([status, received.length, headers.get('content-length')]).toEqual([200, 0, String(bytes.length)]);
    expect((await get({ range: 'bytes=5-6' }, 'HEAD')).headers.get('content-length')).toBe('2');
  });

  test.each([
    'a'.repeat(64),
    'A'.repeat(64),
    'a',
    '..%2f..%2fmaster-seed',
    '%00',
    'blobs',
  ])('is not found under another name: %s', async (name) => {
    await client.refusal('FILE_NOT_FOUND', 'GET', `/files/${name}`);
  });
});

describe('a file whose bytes are not those of its name', () => {
  const PIECE = 32 * 1024;

  /** Stored, read once if it is to be known, and changed in place. */
  async function damagedFile(place: number, isKnown: boolean) {
    const right = randomBytes(300_000);
    const store = await openFileBlobStore(join(service.folder, 'ledgers'));
    const sha256 = await store.put([right]);
    await store.close();
    const url = `/files/${sha256}`;
    if (isKnown) expect((await client.call('GET', url)).status).toBe(200);
    const file = join(service.folder, 'ledgers', 'blobs', sha256.slice(0, 2), sha256);
    const times = await stat(file);
    const changed = Buffer.from(right);
    changed[place] = (changed[place] ?? 0) ^ 1;
    await writeFile(file, changed);
    await utimes(file, times.atime, times.mtime);
    return { url, file, right };
  }

  test('is refused or cut off where it was right when it was read before: nobody gets all of it', async () => {
    for (const place of [0, PIECE - 1, PIECE, 200_000, 299_999]) {
      const { url } = await damagedFile(place, true);
      const outcome = await fetch(`${service.url}${url}`).then(
        async (answer) =>
          answer.status === 200
            ? answer.arrayBuffer().then(
                () => 'whole',
                () => 'cut off',
              )
            : answer.status,
        () => 'cut off',
      );
      expect([place, outcome]).toEqual([place, place < PIECE ? 503 : 'cut off']);
      const part = await fetch(`${service.url}${url}`, { headers: { range: `bytes=${place}-${place}` } });
      expect(part.status).toBe(503);
      // A refusal that is kept for ever would outlast the damage.
      for (const name of ['etag', 'content-range', 'cache-control'])
        expect([name, part.headers.get(name) ?? '']).toEqual([
          name,
          expect.not.stringMatching(/max-age|"|bytes/),
        ]);
    }
  });
});

describe('a file that is larger than all that may wait', () => {
  test('is sent whole to who reads it', async () => {
    const { status, bytes: received } = await client.call('GET', pathOfLarge);
    expect(status).toBe(200);
    expect(Buffer.compare(received, large)).toBe(0);
  });

  test('is not read ahead for those who do not read it, and nobody else is kept waiting', async () => {
    const { port, hostname } = new URL(service.url);
    const readers = Array.from({ length: 8 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.once('data', () => socket.pause());
      socket.write(requestText('GET', pathOfLarge));
      return socket;
    });
    await until(async () => readers.every((socket) => socket.isPaused()) || undefined);
    expect((await get()).status).toBe(200);
    // None was cut off for the memory that it takes.
    expect(readers.every((socket) => !socket.destroyed)).toBe(true);
    expect(service.logged.filter(({ msg }) => msg.includes('unread'))).toEqual([]);
    for (const socket of readers) socket.destroy();
  });
});
