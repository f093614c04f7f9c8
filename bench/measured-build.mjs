/**
 * Lets the benchmarks import the sources by their names and types, and run the build of them: what is measured is what is
 * shipped, not what a loader makes of it (which wraps every inner function in a call that names it).
 */
import { register } from 'node:module';

const HOOK = `
  const root = ${JSON.stringify(new URL('..', import.meta.url).href)};
  export async function resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !context.parentURL) return next(specifier, context);
    const { href } = new URL(specifier, context.parentURL);
    if (!href.startsWith(root + 'src/')) return next(specifier, context);
    return next(root + 'dist/' + href.slice(root.length + 4).replace(/\\.ts$/, '.js'), context);
  }`;

register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
