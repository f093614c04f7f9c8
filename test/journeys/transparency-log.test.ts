/** The log of a real run, saved in a folder and read with the service switched off: by us, by Go's packages, by a witness of others. */

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  COSIGNATURE,
  ED25519,
  levelsOf,
  noteKey,
  parseCheckpoint,
  TILE_WIDTH,
  tilePath,
  tileWidth,
  verifierKey,
} from 'levy-transparency-log';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Keyring } from '../../src/chain/keys.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import {
  addressOfKey,
  DISTRIBUTION_ENVIRONMENT,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { eventually } from '../support/eventually.ts';
import { auditorProgram, witnessProgram } from '../support/go-programs.ts';
import { startLitewitness } from '../support/litewitness.ts';
import { type LevyRun, runLevy } from '../support/run-levy.ts';
import { secretsIn } from '../support/secret-files.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const ORIGIN = 'levy.example/log';
const SCRIPT = fileURLToPath(new URL('../../examples/verify-payment.mjs', import.meta.url));
const [HOLDS, DOES_NOT_HOLD] = [0, 1];

const auditor = await auditorProgram(3);
const witnessed = witnessProgram(1);

/** State stored by an outside auditor. */
let saved: string;
let keyring: Keyring;
let key: string;
let data: string;
let secrets: Awaited<ReturnType<typeof secretsIn>>['environment'];
let witness: { readonly verifierKey: string; size(): Promise<number> } | undefined;
let proofs: readonly string[];

const place = (...parts: string[]) => join(saved, ...parts);

beforeAll(async () => {
  data = await folderForTheFile();
  saved = await folderForTheFile();
  // Beside the data folder: one with a seed and no log is that of a service whose log is lost.
  ({ keyring, environment: secrets } = await secretsIn(await folderForTheFile()));
  key = verifierKey(noteKey(ORIGIN, ED25519, keyring.logKey.publicKey));
  witness = witnessed === undefined ? undefined : await startLitewitness(witnessed, { origin: ORIGIN, key });
  const environment = { ...DISTRIBUTION_ENVIRONMENT, ...secrets, LOG_ORIGIN: ORIGIN, ...asking(witness) };
  const service = await startServiceProcess(environment, { folder: data });
  await save(service, 'checkpoint', 'early-checkpoint');
  const journey = await openDistributionJourney(service, { holders: 12 });
  await journey.askForRun();
  const run = await journey.closedRun(1);
  // More than one bundle of entries, so that upper tiles are read too.
  for (let count = 0; count < 270; count += 1)
    await journey.operate(count % 2 === 0 ? 'distributions/halt' : 'distributions/resume');
  const wallets = [...journey.holders.slice(0, 2).map(addressOfKey), journey.developer];
  proofs = await Promise.all(
    wallets.map(async (wallet, index) => {
      const path = `distribution/${journey.tokenId}/runs/${run.runId}/payments/${wallet}/proof`;
      const file = place(`payment-${index}.json`);
      await eventually('the run is in the log', async () => {
        const response = await fetch(`${service.url}/${path}`);
        if (response.ok) await writeFile(file, await response.text());
        return response.ok;
      });
      return file;
    }),
  );
  await saveLog(service);
  await service.stop();
  const env = { DATA_DIR: data, ...secrets };
  const { stdout } = await runLevy(['events', '--json'], env);
  await writeFile(place('events.ndjson'), stdout);
});

function asking(one: { readonly verifierKey: string; readonly url?: string } | undefined) {
  return one === undefined ? undefined : { WITNESSES: `${one.verifierKey} ${one.url}` };
}

async function save({ url }: Pick<ServiceProcess, 'url'>, path: string, as = path): Promise<Buffer> {
  const bytes = await eventually(`${path} is published`, async () => {
    const response = await fetch(`${url}/log/${path}`);
    return response.ok && Buffer.from(await response.arrayBuffer());
  });
  await mkdir(dirname(place(as)), { recursive: true });
  await writeFile(place(as), bytes);
  return bytes;
}

/** What the how-to saves: the checkpoint and every tile of its tree. */
async function saveLog(service: ServiceProcess): Promise<void> {
  const { size } = await eventually('more than one bundle is signed', async () => {
    const { checkpoint } = parseCheckpoint(String(await save(service, 'checkpoint')));
    return checkpoint.size > TILE_WIDTH && checkpoint;
  });
  for (let level = 0; level < levelsOf(size); level += 1)
    for (let index = 0; tileWidth(level, index, size) > 0; index += 1) {
      const width = tileWidth(level, index, size);
      await save(service, `tile/${tilePath({ level, index, width })}`);
      if (level === 0) await save(service, `tile/${tilePath({ level: 'entries', index, width })}`);
    }
}

/** Nothing of the project may be needed: programs of outsiders run in an empty folder. */
async function run(program: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const cwd = await folderForTheFile();
  return new Promise((resolve) => {
    execFile(program, args, { cwd }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });
}

const go = (...args: string[]) => run(auditor ?? '', ['-key', key, ...args]);
const script = (file: string) => run(process.execPath, [SCRIPT, '--proof', file, '--key', key]);
const said = ({ code, stdout, stderr }: LevyRun) => ({ code, output: `${stdout}${stderr}` });

interface Place {
  readonly name: string;
  readonly change: (file: object) => void;
}

/** Every value of a file, each changed by itself into another of its kind. */
function places(value: object, path: readonly string[] = []): readonly Place[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, name];
    if (typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0)
      return places(inner, here);
    const change = (file: object) => {
      let object = file as { [name: string]: unknown };
      for (const part of path) object = object[part] as { [name: string]: unknown };
      object[name] = another(inner);
    };
    return [{ name: here.join('.'), change }];
  });
}

function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return 'another';
  const at = Math.floor(value.length / 2);
  const letter = value[at] === '1' ? '2' : '1';
  return `${value.slice(0, at)}${letter}${value.slice(at + 1)}`;
}

async function tampered(file: string, { change }: Place): Promise<string> {
  const content = JSON.parse(await readFile(file, 'utf8')) as object;
  change(content);
  const copy = place(`tampered-${randomUUID()}.json`);
  await writeFile(copy, JSON.stringify(content));
  return copy;
}

describe('a payment', () => {
  test('is proved by a file alone, to levy and to a script without dependencies', async () => {
    for (const file of proofs) {
      const found = said(await runLevy(['verify', file, '--key', key]));
      expect([found.code, found.output]).toEqual([
        HOLDS,
        expect.stringContaining('is in the ledger with root'),
      ]);
      const { code, output } = await script(file);
      expect(code, output).toBe(HOLDS);
    }
    const believing = said(await runLevy(['verify', proofs[0] ?? '']));
    expect([believing.code, believing.output]).toEqual([
      HOLDS,
      expect.stringContaining(`Checked with the key in the file itself: ${key}`),
    ]);
  });
});

test('an event is proved from the data folder, and no event of another log is', async () => {
  const lines = (await readFile(place('events.ndjson'), 'utf8')).trimEnd().split('\n');
  const { id } = JSON.parse(lines.find((line) => line.includes('"TokenCreated"')) ?? '{}') as { id: string };
  const proved = await runLevy(['prove', id], { DATA_DIR: data, ...secrets });
  expect(proved).toMatchObject({ code: HOLDS });
  const file = place('event.json');
  await writeFile(file, proved.stdout);
  expect(said(await runLevy(['verify', file, '--key', key])).output).toContain(`TokenCreated (${id}`);
  for (const each of places(JSON.parse(proved.stdout) as object)) {
    if (!['event.type', 'event.data.token.name', 'log.proof'].includes(each.name)) continue;
    expect((await runLevy(['verify', await tampered(file, each), '--key', key])).code).toBe(DOES_NOT_HOLD);
  }
  const unknown = await runLevy(['prove', randomUUID()], { DATA_DIR: data, ...secrets });
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('does not contain event')]);
});

test('a saved log holds, and not with a tile, an entry or the checkpoint changed or missing', async () => {
  const found = said(await runLevy(['verify', saved, '--key', key]));
  expect(found.code, found.output).toBe(HOLDS);
  for (const [name, change] of damages.slice(0, 3)) {
    const copy = await damaged(name, change);
    const refused = said(await runLevy(['verify', copy, '--key', key]));
    expect([refused.code, refused.output], name).toEqual([
      DOES_NOT_HOLD,
      expect.stringContaining('does not hold'),
    ]);
  }
});

const flipped = (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)));
const damages: readonly [string, (bytes: Buffer) => Buffer | undefined][] = [
  ['tile/0/000', flipped],
  ['tile/entries/000', flipped],
  ['checkpoint', flipped],
  ['tile/0/000', () => undefined],
  ['tile/entries/000', (bytes) => bytes.subarray(34)],
];

async function damaged(name: string, change: (bytes: Buffer) => Buffer | undefined): Promise<string> {
  const copy = await folderForTheFile();
  await cp(saved, copy, { recursive: true });
  const bytes = change(await readFile(join(copy, name)));
  if (bytes === undefined) await rm(join(copy, name));
  else await writeFile(join(copy, name), bytes);
  return copy;
}

describe.skipIf(auditor === undefined)("Go's packages for transparency logs", () => {
  test('read the checkpoint, the tiles and the entries of a saved log and of a running service, and find what was damaged', async () => {
    const { code, output } = await go('log', saved);
    expect(code, output).toBe(HOLDS);
    const extends_ = await go('extends', place('early-checkpoint'), saved);
    expect(extends_.code, extends_.output).toBe(HOLDS);
    for (const [name, change] of damages) {
      const refused = await go('log', await damaged(name, change));
      expect([refused.code, refused.output], name).toEqual([
        DOES_NOT_HOLD,
        expect.stringContaining('DOES NOT HOLD'),
      ]);
    }
    const { url, stop } = await startServiceProcess(
      { ...DISTRIBUTION_ENVIRONMENT, ...secrets, LOG_ORIGIN: ORIGIN },
      { folder: data },
    );
    const { size } = parseCheckpoint(await readFile(place('checkpoint'), 'utf8')).checkpoint;
    await eventually('what happens since is published', async () => {
      const note = await (await fetch(`${url}/log/checkpoint`)).text();
      return parseCheckpoint(note).checkpoint.size >= size;
    });
    for (const args of [
      ['log', `${url}/log`],
      ['extends', place('checkpoint'), `${url}/log`],
    ]) {
      const running = await go(...args);
      expect(running.code, running.output).toBe(HOLDS);
    }
    await stop();
  });

  test('check the proof of a payment, and refuse what is forged', async () => {
    for (const file of proofs) {
      const { code, output } = await go('proof', file);
      expect([code, output]).toEqual([HOLDS, expect.stringContaining('is in the ledger with root')]);
    }
    const [file = ''] = proofs;
    const forged = ['payment.wallet', 'payment.planned', 'record', 'proof.index', 'proof.treeSize', 'root'];
    const inLog = ['event.id', 'event.data.root', 'event.metadata.occurredAt', 'log.proof'];
    const changes = places(JSON.parse(await readFile(file, 'utf8')) as object);
    for (const each of changes.filter(({ name }) => [...forged, ...inLog].includes(name))) {
      const { code, output } = await go('proof', await tampered(file, each));
      expect([code, output], each.name).toEqual([DOES_NOT_HOLD, expect.stringContaining('DOES NOT HOLD')]);
    }
  });

  test('find an event that was changed or dropped, and a log that was put back', async () => {
    const text = await readFile(place('events.ndjson'), 'utf8');
    const lines = text.trimEnd().split('\n');
    const logged = (line: string) => !/"stream":"(lease|snapshot|checkpoint)-/.test(line);
    const at = lines.findIndex((line, index) => index > 40 && logged(line) && logged(lines[index + 1] ?? ''));
    const [one = ''] = lines.slice(at);
    const histories: readonly [string, readonly string[]][] = [
      ['changed', lines.with(at, one.replace('"occurredAt":"2', '"occurredAt":"1'))],
      ['dropped', lines.toSpliced(at, 1)],
    ];
    const whole = await go('events', place('events.ndjson'), saved);
    expect(whole.code, whole.output).toBe(HOLDS);
    for (const [name, history] of histories) {
      const file = place(`events-${name}.ndjson`);
      await writeFile(file, history.map((line) => `${line}\n`).join(''));
      const { code, output } = await go('events', file, saved);
      expect([code, output], name).toEqual([DOES_NOT_HOLD, expect.stringContaining('entry ')]);
    }
    const putBack = await go('extends', place('checkpoint'), await onlyCheckpoint('early-checkpoint'));
    expect([putBack.code, putBack.output]).toEqual([
      DOES_NOT_HOLD,
      expect.stringContaining('it was put back'),
    ]);
  });
});

async function onlyCheckpoint(name: string): Promise<string> {
  const folder = await folderForTheFile();
  await cp(place(name), join(folder, 'checkpoint'));
  return folder;
}

describe.skipIf(witnessed === undefined)('a witness that others wrote', () => {
  test('signs the checkpoints of the log, and proofs show that to a policy', async () => {
    if (witness === undefined) throw new Error('it was started');
    const { size } = parseCheckpoint(await readFile(place('checkpoint'), 'utf8')).checkpoint;
    await eventually('it has signed as much', async () => ((await witness?.size()) ?? 0) >= size);
    const policy = (name: string, verifier: string) => [
      `log ${key}`,
      `witness ${name} ${verifier}`,
      `group all-of-them all ${name}`,
      'quorum all-of-them',
    ];
    const file = place('policy.txt');
    await writeFile(file, policy('w1', witness.verifierKey).join('\n'));
    const [proof = ''] = proofs;
    for (const what of [proof, saved]) {
      const { code, output } = said(await runLevy(['verify', what, '--policy', file]));
      expect([code, output]).toEqual([HOLDS, expect.stringContaining('w1')]);
    }
    if (auditor !== undefined) {
      const { code, output } = await go('-witness', witness.verifierKey, 'proof', proof);
      expect(code, output).toBe(HOLDS);
    }
    const stranger = verifierKey(noteKey('stranger.example', COSIGNATURE, Buffer.alloc(32, 3)));
    await writeFile(file, policy('w2', stranger).join('\n'));
    const refused = said(await runLevy(['verify', proof, '--policy', file]));
    expect([refused.code, refused.output]).toEqual([
      DOES_NOT_HOLD,
      expect.stringContaining('too few witnesses of "all-of-them" have signed'),
    ]);
  });
});
