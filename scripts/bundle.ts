/**
 * Compiles programs into few files, with the packages that they load. Most of a start's processor time would be spent on
 * finding and reading a file for each module (docs/decisions/0027-the-service-is-a-bundle.md).
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Packages loaded from node_modules: they read files beside their code, are binaries, or their inner modules are imported. */
const EXTERNAL = [
  '@eventstore/db-client',
  '@fastify/swagger-ui',
  'bufferutil',
  'libsql',
  'litesvm',
  'mongodb',
  'nats',
  'pino',
  'sharp',
  'utf-8-validate',
];

const EMPTY_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"A"}').toString('base64');

/**
 * A module finds files from where it would be if each were compiled by itself: below `dist` instead of `src`. Lines of
 * packages have no source map, which would be far larger than ours.
 */
const modulesInPlace = (outdir: string): Plugin => ({
  name: 'modules in place',
  setup({ onLoad }) {
    onLoad({ filter: /\.([cm]?js|ts)$/ }, async ({ path }) => {
      const loader = path.endsWith('.ts') ? 'ts' : 'js';
      const text = await readFile(path, 'utf8');
      if (path.includes('/node_modules/'))
        return {
          loader,
          contents: `${text}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}`,
        };
      const place = relative(outdir, path.replace(`${ROOT}src/`, `${ROOT}dist/`));
      const url = `new URL(${JSON.stringify(place)}, import.meta.url).href`;
      return { loader, contents: text.replaceAll('import.meta.url', url) };
    });
  },
});

/**
 * Makes `<outdir>/<name>.js` of each program, given as names and source files, and chunks beside them, for what some load later or
 * several have in common.
 */
export async function bundle(
  programs: Readonly<Record<string, string>>,
  outdir: string,
  options: BuildOptions = {},
): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: programs,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: EXTERNAL,
    // An old package asks for Node's own, of which later releases warn wherever it is not asked for from `node_modules`.
    alias: { punycode: 'punycode/punycode.js' },
    // Packages that are no ES modules ask for what is not in the bundle.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    sourcemap: true,
    sourcesContent: false,
    plugins: [modulesInPlace(resolve(ROOT, outdir))],
    logLevel: 'warning',
    ...options,
    write: false,
  });
  for (const { path, contents } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    // A process that starts the previous bundle at this moment still reads all of it.
    const made = `${path}.${process.pid}`;
    await writeFile(made, contents);
    await rename(made, path);
  }
}
