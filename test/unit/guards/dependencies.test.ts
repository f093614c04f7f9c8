/** What an installation brings along: nothing that runs code of its own unless it is known, and no native part with a known hole. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly packages: {
    readonly [path: string]: {
      readonly name?: string;
      readonly dev?: boolean;
      readonly hasInstallScript?: boolean;
    };
  };
}

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'));
const { packages }: Locked = read('package-lock.json');
const named = Object.entries(packages)
  .filter(([path]) => path.includes('node_modules/'))
  .map(([path, entry]) => ({
    ...entry,
    name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 13),
  }));

test('every package that has an install script is named, and refused', () => {
  const { allowScripts }: { allowScripts: { readonly [name: string]: boolean } } = read('package.json');
  const withScript = named.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(withScript.filter((name) => allowScripts[name] !== false && name !== 'fsevents')).toEqual([]);
  expect(Object.keys(allowScripts).filter((name) => !withScript.includes(name))).toEqual([]);
});

test('spl-token reads numbers in plain JavaScript: bigint-buffer has a hole in its native part, and warns without it', () => {
  const names = named.map(({ name }) => name);
  expect(names).not.toContain('bigint-buffer');
  expect(names).not.toContain('bindings');
  expect(names).toContain('@exodus/bigint-buffer');
});
