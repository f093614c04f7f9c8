/**
 * Lets the benchmarks import the sources by their names and types, compiled like the build. So they measure the
 * released code, not the output of a loader, which wraps every inner function in a call that names it.
 */
import { register } from 'node:module';

const HOOK = `
  import { readFile } from 'node:fs/promises';
  import { transform } from ${JSON.stringify(import.meta.resolve('esbuild'))};
  const sources = ${JSON.stringify(new URL('../src/', import.meta.url).href)};
  export async function load(url, context, next) {
    if (!url.startsWith(sources) || !url.endsWith('.ts')) return next(url, context);
    const { code } = await transform(await readFile(new URL(url), 'utf8'), { loader: 'ts', target: 'node20' });
    return { format: 'module', source: code, shortCircuit: true };
  }`;

register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
