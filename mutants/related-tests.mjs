/** Finds the unit tests that import a source file, directly or through others, nearest first. */
import { readdirSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const FOLDERS = ['test/unit', 'packages/solana-wire/test', 'packages/transparency-log/test'];

const CODE = new Set(['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json']);

/** @returns a function from a file to paths from the root: tests named like it, then tests whose name begins with its name, then by the number of imports between */
export async function relatedTests(root) {
  const tests = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
  ).filter((path) => path.endsWith('.test.ts'));
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
  return (changed) => {
    // Iterating a set also visits entries added meanwhile, in order: breadth first.
    const reached = new Set([relative(root, resolve(root, changed))]);
    for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
    const name = basename(changed, '.ts');
    /** 2 if named like the file, 1 if its name only begins so. */
    const likeness = (test) =>
      basename(test) === `${name}.test.ts` ? 2 : Number(basename(test).startsWith(`${name}-`));
    return [...reached]
      .filter((path) => tests.includes(path))
      .toSorted((one, other) => likeness(other) - likeness(one));
  };
}

/** Excludes packages, and files that are not code. */
function keepSources({ onResolve }) {
  onResolve({ filter: /.*/ }, ({ path }) => {
    const ours = path.startsWith('.') || path.startsWith('levy-');
    return ours && CODE.has(path.startsWith('levy-') ? '' : extname(path)) ? undefined : { external: true };
  });
}
