// The image's recipe against the repository that it is made of.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow, textOf } from '../unit/guards/source-files.ts';
import { copiesOf, imageEnvironment, isIgnored, ROOT, readDockerfile, textsOf } from './dockerfile.ts';

const stages = readDockerfile();
const image = stages.at(-1);
if (image === undefined) throw new Error('the Dockerfile has no stage');
const fromRepository = stages.flatMap(copiesOf).filter(({ from }) => from === undefined);
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const workspaces: readonly string[] = manifest.workspaces;
/** The console is bundled when it is built: what it imports is not installed. */
const packages = workspaces.filter((folder) => folder.startsWith('packages/'));

function manifestIn(folder: string): {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
} {
  return JSON.parse(textOf(join(folder, 'package.json')));
}

describe('what is copied', () => {
  test.each(
    fromRepository.flatMap(({ sources }) => sources),
  )('%s is there and reaches the build', (source) => {
    expect(existsSync(join(ROOT, source))).toBe(true);
    expect(isIgnored(source)).toBe(false);
  });

  test('of the sources, everything reaches the build', () => {
    const sources = [...filesBelow('src'), ...workspaces.flatMap((folder) => filesBelow(`${folder}/src`))];
    expect(sources.filter(isIgnored)).toEqual([]);
  });

  test('what was installed or built here, what is secret and what only tests need stay out', () => {
    const outside = [
      'node_modules/fastify/package.json',
      'packages/client/node_modules/x.js',
      'packages/client/dist/index.js',
      'packages/local-chain/test/fuzz.test.ts',
      'packages/local-chain/bin/levy-local-chain.js',
      'dist/main.js',
      'data/master-seed',
      'infra/.env',
      'infra/secrets/master-seed',
      'test/unit/operations/config/configuration.test.ts',
      '.git/HEAD',
    ];
    expect(outside.filter((path) => !isIgnored(path))).toEqual([]);
  });

  test('an installation finds the manifest of every workspace', () => {
    const copied = fromRepository.flatMap(({ sources }) => sources);
    expect(copied).toEqual(expect.arrayContaining(workspaces.map((folder) => `${folder}/package.json`)));
    expect(copied).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', '.npmrc']));
  });
});

describe('what the sources import is installed without what only development needs', () => {
  function importedBy(folder: string): readonly string[] {
    const imported = filesBelow(join(folder, 'src')).flatMap((file) =>
      [...textOf(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '([^'.][^']*)'/gm)].map(
        ([, name = '']) => name,
      ),
    );
    const packages = imported
      .filter((name) => !name.startsWith('node:'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    return [...new Set(packages)];
  }

  test.each(['.', ...packages])('in %s', (folder) => {
    const { dependencies } = manifestIn(folder);
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining([...importedBy(folder)]));
    // What else needs it brings it itself; the service and its packages do without.
    expect(Object.keys(dependencies)).not.toContain('@solana/kit');
  });

  test.each(packages)('and nothing that %s does not import', (folder) => {
    expect(importedBy(folder)).toEqual(expect.arrayContaining(Object.keys(manifestIn(folder).dependencies)));
  });

  test('and every package is built after those of this repository that it needs', () => {
    const built = [...manifest.scripts['build:packages'].matchAll(/-w (\S+)/g)].map(([, name]) => name);
    const names = packages.map((folder) => manifestIn(folder).name);
    expect([...built].sort()).toEqual([...names].sort());
    for (const folder of packages) {
      const { name, dependencies } = manifestIn(folder);
      const own = Object.keys(dependencies).filter((dependency) => names.includes(dependency));
      expect(own.filter((dependency) => built.indexOf(dependency) >= built.indexOf(name))).toEqual([]);
    }
  });
});

describe('the image', () => {
  test('does not run as root, and may write to its volume only', () => {
    expect(textsOf(image, 'USER')).toEqual(['node']);
    const own = textsOf(image, 'RUN').filter((command) => command.includes('install -d -o node'));
    expect(own).toHaveLength(1);
    expect(textsOf(image, 'VOLUME')).toEqual([imageEnvironment().DATA_DIR]);
    expect(own[0]).toContain(imageEnvironment().DATA_DIR);
  });

  test('is told to stop by the signal that the service listens to', () => {
    expect(textsOf(image, 'STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(readFileSync(join(ROOT, 'src/main.ts'), 'utf8')).toContain("process.on('SIGTERM'");
  });
});

test('the image has the command of the operators where shells look for programs', () => {
  const program = 'dist/levy.js';
  const work = image.instructions.findLast(({ word }) => word === 'WORKDIR')?.text;
  const steps = textsOf(image, 'RUN').flatMap((text) => text.split('&&').map((step) => step.trim()));
  expect(steps).toContain(`ln -s ${work}/${program} /usr/local/bin/levy`);
  expect(textOf('scripts/build-service.ts')).toContain(`chmodSync('${program}', 0o755)`);
  // What the link leads to says itself which program runs it.
  expect(textOf('src/levy/levy.ts')).toMatch(/^#!\/usr\/bin\/env node\n/);
});
