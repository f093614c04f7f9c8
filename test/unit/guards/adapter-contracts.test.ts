// Whatever stands behind a port is held to the port's contract, opened as the service opens it: no adapter goes without.
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { technologies } from '../../../src/app/adapters.ts';
import type { PortName, Technology } from '../../../src/kernel/ports/technology.ts';
import { exportsOf, filesBelow, textOf } from './source-files.ts';

const pascal = (kebab: string) =>
  kebab.replace(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
const camel = (kebab: string) => pascal(kebab).replace(/^[A-Z]/, (letter) => letter.toLowerCase());

/** All of them: one more in the type is a compile error here. */
const named: Record<PortName, true> = {
  'event-store': true,
  'read-model': true,
  'blob-store': true,
  publisher: true,
  chain: true,
  tracing: true,
};

/** Files that define an interface of their own name, which no adapter offers by itself: an event store opens the last two. */
const descriptions = [
  'technology',
  'collection-shape',
  'client-meter',
  'chain-node-meter',
  'log-reader',
  'log-writer',
];

/** Files of `src/kernel/ports` that define an interface of their own name. */
const ports = filesBelow('src/kernel/ports')
  .map((path) => basename(path, '.ts'))
  .filter((port) => !descriptions.includes(port))
  .filter((port) => textOf(`src/kernel/ports/${port}.ts`).includes(`export interface ${pascal(port)} {`));

const folders = [...new Set(filesBelow('src/adapters').map((path) => path.split('/')[2] ?? ''))];

/** What a folder says of itself, under the name by which it is imported. */
async function declaredIn(folder: string): Promise<Technology> {
  const [technology, ...others] = await exportsOf(`src/adapters/${folder}/index.ts`);
  expect(others).toEqual([]);
  return technology as Technology;
}

const declared = await Promise.all(
  folders.map(async (folder) => ({ folder, technology: await declaredIn(folder) })),
);
const adapters = declared.flatMap(({ folder, technology }) =>
  Object.entries(technology).map(([port, adapter]) => ({ folder, port, adapter })),
);

test('there are ports, and adapters of each', () => {
  expect(ports.toSorted()).toEqual(Object.keys(named).toSorted());
  for (const port of ports) expect(adapters.map((adapter) => adapter.port)).toContain(port);
});

test('every folder of adapters is a technology that the service can choose, and offers something', () => {
  expect(new Set(technologies)).toEqual(new Set(declared.map(({ technology }) => technology)));
  expect(technologies).toHaveLength(folders.length);
  for (const { technology } of declared) expect(Object.keys(technology)).not.toEqual([]);
});

test('a read model that several processes share runs the contract of that, too', () => {
  const shared = folders.filter((folder) =>
    filesBelow(`src/adapters/${folder}`).some((path) => textOf(path).includes('/ports/shared-read-model.ts')),
  );
  expect(shared).toContain('mongodb');
  for (const folder of shared) {
    expect(textOf(`test/contracts/${folder}/read-model.test.ts`)).toMatch(/\bsharedReadModelContract\(/);
  }
});

test('every file that is named for a port is what its folder says that it offers there', () => {
  for (const folder of folders) {
    const files = filesBelow(`src/adapters/${folder}`).map((path) => basename(path, '.ts'));
    const offered = adapters.filter((adapter) => adapter.folder === folder).map(({ port }) => port);
    expect(files.filter((name) => ports.includes(name)).toSorted()).toEqual(offered.toSorted());
  }
});

describe.each(adapters)('$folder as $port', ({ folder, port, adapter }) => {
  test('runs the contract of its port', () => {
    const contract = `test/contracts/${port}.contract.ts`;
    expect(filesBelow('test/contracts'), `${contract} says what every adapter must do`).toContain(contract);
    const run = `test/contracts/${folder}/${port}.test.ts`;
    expect(filesBelow('test/contracts'), `${run} runs it`).toContain(run);
    const text = textOf(run);
    expect(text).toContain(`'../${port}.contract.ts'`);
    expect(text).toMatch(new RegExp(`\\b${camel(port)}Contract\\(`));
    expect(text, 'what is tested is what the service opens').toContain(
      `'../../../src/adapters/${folder}/index.ts'`,
    );
    expect(text).toMatch(new RegExp(`(\\['${port}'\\]|\\.${port})(\\.open\\(|;\\n)`));
    for (const name of Object.keys(adapter).filter((key) => key.startsWith('open'))) {
      expect(text).toContain(`.${name}(`);
    }
  });

  test('serves schemes that no other adapter of the port serves', () => {
    const others = adapters.filter((other) => other.port === port && other.folder !== folder);
    expect(adapter.schemes.length).toBeGreaterThan(0);
    for (const scheme of adapter.schemes) {
      expect(scheme).toMatch(/^[a-z][a-z0-9+.-]*$/);
      for (const other of others) expect(other.adapter.schemes).not.toContain(scheme);
    }
  });

  test('loads no library before it is opened', () => {
    const imports = [
      ...textOf(`src/adapters/${folder}/index.ts`).matchAll(/^import (?!type )[^;]* from '(.*)'/gm),
    ];
    const sources = imports.map(([, from = '']) => from);
    expect(sources.filter((from) => !/^\.\.\/\.\.\/(operations\/config|kernel\/ports)\//.test(from))).toEqual(
      [],
    );
  });
});
