// What a witness may answer, and what becomes of it.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  COSIGNATURE,
  isConsistent,
  leafHash,
  noteKey,
  parseCheckpoint,
  signatureLine,
  signCheckpoint,
  type TreeHead,
  tiledTree,
} from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { createLogTree } from '../../../../src/proof/transparency/log-tree.ts';
import { createWitness, WitnessDisagrees } from '../../../../src/proof/transparency/witness.ts';

const ORIGIN = 'levy.example/log';
const NAME = 'witness.example/w1';
const { logKey } = createKeyring(new Uint8Array(32).fill(7));

/** A log of entries that count upwards; `salt` makes another one. */
function logOf(size: number, salt = 0) {
  const tree = createLogTree();
  const leaves: Uint8Array[] = [];
  for (let index = 0; index < size; index++) {
    const entry = Buffer.alloc(32, index + salt);
    leaves.push(leafHash(entry));
    tree.add({ id: '', stream: '', revision: 0, position: '', entry });
  }
  const tiles = tiledTree(async (_level, _index, width) => Buffer.concat(leaves.slice(0, width)), size);
  const head: TreeHead = { size, root: tree.root() };
  return { head, checkpoint: signCheckpoint({ origin: ORIGIN, ...head }, logKey), tiles };
}

const request = (log: ReturnType<typeof logOf>, signal = new AbortController().signal) => ({
  checkpoint: log.checkpoint,
  consistency: (from: number) => log.tiles.consistency(from, log.head.size),
  signal,
});

function keyPair() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  return { privateKey, key: noteKey(NAME, COSIGNATURE, raw) };
}

/** As the specification has it: remembers one tree, and signs what extends it. */
function soundWitness(held: TreeHead | undefined) {
  const { privateKey, key } = keyPair();
  const bodies: string[] = [];
  let known = held;
  const send: typeof fetch = async (url, options) => {
    expect(String(url)).toBe('https://witness.example/prefix/add-checkpoint');
    const body = String(options?.body);
    bodies.push(body);
    const [head = '', note = ''] = [
      body.slice(0, body.indexOf('\n\n')),
      body.slice(body.indexOf('\n\n') + 2),
    ];
    const [old = '', ...hashes] = head.split('\n');
    const from = Number(old.slice('old '.length));
    const { checkpoint, note: parsed } = parseCheckpoint(note);
    if (from > checkpoint.size) return new Response('old is too large', { status: 400 });
    if (from !== (known?.size ?? 0)) return new Response(`${known?.size ?? 0}\n`, { status: 409 });
    const proof = hashes.map((hash) => Buffer.from(hash, 'base64'));
    if (known !== undefined && !isConsistent(known, checkpoint, proof))
      return new Response('bad consistency proof', { status: 422 });
    known = checkpoint;
    return new Response(`${cosigned(parsed.text, privateKey, key)}\n`);
  };
  return { key, bodies, witness: createWitness({ key, url: 'https://witness.example/prefix/' }, send) };
}

function cosigned(text: string, privateKey: KeyObject, key: ReturnType<typeof noteKey>): string {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(1_790_000_000n);
  const message = Buffer.from(`cosignature/v1\ntime 1790000000\n${text}`);
  return signatureLine(key, Buffer.concat([time, sign(null, message, privateKey)]));
}

/** Answers the same to everything. */
function answering(answer: () => Response | Promise<Response>) {
  const pair = keyPair();
  return {
    ...pair,
    witness: createWitness({ key: pair.key, url: 'https://witness.example' }, async () => answer()),
  };
}

describe('a witness that works', () => {
  test('signs a first tree without a proof, the next ones from the size that it signed', async () => {
    const { witness, bodies } = soundWitness(undefined);
    for (const size of [3, 3, 7])
      expect((await witness.cosign(request(logOf(size)))).line).toMatch(/^— witness/);
    expect(bodies.map((body) => body.split('\n')[0])).toEqual(['old 0', 'old 3', 'old 3']);
  });

  test('that is behind or ahead of what this process knows says so, and signs then', async () => {
    const behind = soundWitness(logOf(5).head);
    expect((await behind.witness.cosign(request(logOf(20)))).line).toContain(NAME);
    expect(behind.bodies.map((body) => body.split('\n')[0])).toEqual(['old 0', 'old 5']);
    // Only one that knew the log before can vouch for it.
    expect((await soundWitness(undefined).witness.cosign(request(logOf(3)))).from).toBe(0);
    expect((await soundWitness(logOf(5).head).witness.cosign(request(logOf(20)))).from).toBe(5);
  });

  test('that has signed more entries than there are, or another tree, makes the notary stop', async () => {
    const more = soundWitness(logOf(21).head).witness.cosign(request(logOf(20)));
    await expect(more).rejects.toThrow(WitnessDisagrees);
    await expect(more).rejects.toThrow('has signed 21 entries, but this log has 20');
    for (const size of [5, 20]) {
      const another = soundWitness(logOf(size, 9).head).witness.cosign(request(logOf(20)));
      await expect(another).rejects.toThrow(WitnessDisagrees);
      await expect(another).rejects.toThrow(`has signed another tree of the first ${size} entries`);
    }
  });
});

test('a size is taken with and without the end of its line', async () => {
  for (const answer of ['2', '2\n']) {
    let asked = 0;
    const pair = answering(() => {
      asked += 1;
      const { text } = parseCheckpoint(logOf(4).checkpoint).note;
      if (asked === 1) return new Response(answer, { status: 409 });
      return new Response(`${cosigned(text, pair.privateKey, pair.key)}\n`);
    });
    expect((await pair.witness.cosign(request(logOf(4)))).from).toBe(2);
  }
});

describe('a witness that does not work is asked again later', () => {
  test.each([
    ['is broken', () => new Response('x'.repeat(5_000), { status: 500 }), 'HTTP status 500'],
    [
      'answers 409 without a size',
      () => new Response('soon', { status: 409 }),
      'HTTP status 409 without a size',
    ],
    [
      'answers 409 with no number',
      () => new Response('-1\n', { status: 409 }),
      'HTTP status 409 without a size',
    ],
    ['says nothing', () => new Response(''), 'has no signature by its key'],
    [
      'says what is no signature',
      () => new Response('— witness.example/w1 AAAA\nthank you\n'),
      'has no signature by its key',
    ],
    ['says very much', () => new Response('x'.repeat(100_000)), 'has more than 64000 bytes'],
  ])('when it %s', async (_name, answer, sentence) => {
    const cosigning = answering(answer).witness.cosign(request(logOf(4)));
    await expect(cosigning).rejects.toThrow(sentence);
    await expect(cosigning).rejects.not.toThrow(WitnessDisagrees);
  });

  test('when it names another size each time: three times are enough', async () => {
    let asked = 0;
    const { witness } = answering(() => {
      asked += 1;
      return new Response('2\n', { status: 409 });
    });
    const cosigning = witness.cosign(request(logOf(4)));
    await expect(cosigning).rejects.toThrow('for another notary concurrently');
    await expect(cosigning).rejects.not.toThrow(WitnessDisagrees);
    expect(asked).toBe(3);
  });

  test('when it says why, of which no more is shown than a line can hold', async () => {
    const sentence = async (body: string, status: number) =>
      answering(() => new Response(body, { status }))
        .witness.cosign(request(logOf(4)))
        .catch(({ message }: Error) => message);
    expect(await sentence(' not now \n', 503)).toBe('witness witness.example/w1: HTTP status 503: not now');
    expect(await sentence('x'.repeat(300), 500)).toBe(
      `witness witness.example/w1: HTTP status 500: ${'x'.repeat(200)}`,
    );
    expect(await sentence('bad proof\n', 422)).toBe(
      'witness witness.example/w1 has signed another tree of the first 0 entries: bad proof',
    );
  });

  test('when its signature stands under another name or the number of another key, or is of another checkpoint', async () => {
    const { text } = parseCheckpoint(logOf(4).checkpoint).note;
    const renamed = (line: string) => line.replace(NAME, 'witness.example/w2');
    const renumbered = (line: string) => {
      const [mark, name, encoded = ''] = line.split(' ');
      const bytes = Buffer.from(encoded, 'base64');
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      return [mark, name, bytes.toString('base64')].join(' ');
    };
    for (const change of [renamed, renumbered]) {
      const pair = answering(() => new Response(`${change(cosigned(text, pair.privateKey, pair.key))}\n`));
      await expect(pair.witness.cosign(request(logOf(4)))).rejects.toThrow('has no signature by its key');
    }
    const lying = answering(() => new Response(`${cosigned(`${text}x\n`, lying.privateKey, lying.key)}\n`));
    await expect(lying.witness.cosign(request(logOf(4)))).rejects.toThrow('has no signature by its key');
  });

  test('when it does not answer in time', async () => {
    const { key } = keyPair();
    const stopping = new AbortController();
    const never: typeof fetch = (_url, options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new Error('took too long')));
        stopping.abort();
      });
    const witness = createWitness({ key, url: 'https://witness.example' }, never);
    const cosigning = witness.cosign(request(logOf(4), stopping.signal));
    await expect(cosigning).rejects.toThrow('took too long');
  });
});
