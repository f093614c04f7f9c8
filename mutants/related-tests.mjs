/** Which unit tests load a file of the sources, directly or through others, the nearest first. */
import { readdirSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const FOLDERS = ['test/unit', 'packages/solana-wire/test', 'packages/transparency-log/test'];

/** Tests that read the text of the sources, which is not the same while they are changed. */
const READ_SOURCES = ['test/unit/guards/', 'test/unit/proof/audit/checks.test.ts'];

const CODE = new Set(['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json']);

/** @returns paths from the root: first what is named like one of the files, then what begins with its name, then by the number of imports between the test and the nearest of the files */
export async function relatedTests(root, changed) {
  const tests = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
  ).filter((path) => path.endsWith('.test.ts') && !READ_SOURCES.some((prefix) => path.startsWith(prefix)));
  const { metafile } = await build({
    stdin: { contents: tests.map((path) => `import './${path}';`).join('\n'), resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    conditions: ['levy-source'],
    logLevel: 'silent',
    plugins: [{ name: 'sources', setup: keepSources }],
  });
  const importers = new Map();
  for (const [importer, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), importer]);
  }
  const distance = new Map(changed.map((path) => [relative(root, resolve(root, path)), 0]));
  // A map is walked through in the order of entry, entries made meanwhile included: breadth first.
  for (const [path, far] of distance) {
    for (const importer of importers.get(path) ?? []) {
      if (!distance.has(importer)) distance.set(importer, far + 1);
    }
  }
  const names = changed.map((path) => basename(path, '.ts'));
  /** 2 where it is named like one of the files, 1 where its name only begins so. */
  const likeness = (test) =>
    Math.max(
      ...names.map((name) =>
        basename(test) === `${name}.test.ts` ? 2 : Number(basename(test).startsWith(`${name}-`)),
      ),
    );
  return [...distance.keys()]
    .filter((path) => tests.includes(path))
    .toSorted((one, other) => likeness(other) - likeness(one));
}

/** Leaves out what comes from a registry, and what is no code. */
function keepSources({ onResolve }) {
  onResolve({ filter: /.*/ }, ({ path }) => {
    const ours = path.startsWith('.') || path.startsWith('levy-');
    return ours && CODE.has(path.startsWith('levy-') ? '' : extname(path)) ? undefined : { external: true };
  });
}
