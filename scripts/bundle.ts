/**
 * Compiles programs into few files, including their packages. Otherwise a start would spend most of its processor time
 * finding and reading a file for each module (docs/decisions/0027-the-service-is-a-bundle.md).
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Packages loaded from node_modules: they read files next to their code, are binaries, or their inner modules are imported. */
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
 * Replaces `import.meta.url` by the module's URL below `dist`, so that modules find their files as if compiled
 * individually. Packages get an empty source map, because theirs would be far larger than ours.
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
 * Writes `<outdir>/<name>.js` of each program, given as names and source files, and chunks for shared and lazily loaded
 * modules.
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
    // An old package imports Node's own punycode, which is deprecated and causes warnings in later releases.
    alias: { punycode: 'punycode/punycode.js' },
    // Packages in CommonJS need `require` for external packages.
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
    // Renamed atomically, so that a process that starts the previous bundle now still reads complete files.
    const made = `${path}.${process.pid}`;
    await writeFile(made, contents);
    await rename(made, path);
  }
}
