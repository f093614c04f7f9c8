// Whatever stands behind a port is held to the port's contract: no adapter goes without.
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, textOf } from './source-files.ts';

const pascal = (kebab: string) =>
  kebab.replace(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
const camel = (kebab: string) => pascal(kebab).replace(/^[A-Z]/, (letter) => letter.toLowerCase());

/** Files of `src/ports` that define an interface of their own name. */
const ports = filesBelow('src/ports')
  .map((path) => basename(path, '.ts'))
  .filter((port) => textOf(`src/ports/${port}.ts`).includes(`export interface ${pascal(port)} {`));

/** Named `<technology>-<port>.ts`. */
const adapters = filesBelow('src/adapters').flatMap((path) =>
  ports
    .filter((port) => path.endsWith(`-${port}.ts`))
    .map((port) => ({ path, port, name: basename(path, '.ts') })),
);

test('there are ports, and adapters of each', () => {
  expect(ports.length).toBeGreaterThan(0);
  for (const port of ports) expect(adapters.map((adapter) => adapter.port)).toContain(port);
});

test.each(adapters)('$path runs the contract of its port', ({ port, name }) => {
  const contract = `test/contracts/${port}.contract.ts`;
  expect(filesBelow('test/contracts'), `${contract} says what every adapter must do`).toContain(contract);
  const run = `test/adapters/${name}.test.ts`;
  expect(filesBelow('test/adapters'), `${run} runs it`).toContain(run);
  expect(textOf(run)).toContain(`contracts/${port}.contract.ts`);
  expect(textOf(run)).toMatch(new RegExp(`\\b${camel(port)}Contract\\(`));
});
