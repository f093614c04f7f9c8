/** Inserts all mutants of the named files, each behind a switch, so that one process can try them all. Uses Stryker's instrumenter. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const silent = Object.fromEntries(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].flatMap((level) => [
    [level, () => {}],
    [`is${level[0].toUpperCase()}${level.slice(1)}Enabled`, () => false],
  ]),
);

/** Excluded: mutations that no developer makes by mistake, or that are too common to be useful. */
const excludedMutations = ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration'];

/**
 * @param named files by path from the root, each with its first and last line to mutate unless all lines are mutated
 * @returns the instrumented sources by absolute path, and the mutants, each with its file, line, original and replacement
 */
export async function instrument(root, named) {
  const sources = named.map(({ path, lines }) => ({
    name: join(root, path),
    content: readFileSync(join(root, path), 'utf8'),
    mutate: lines === undefined || [
      { start: { line: lines[0] - 1, column: 0 }, end: { line: lines[1], column: 0 } },
    ],
  }));
  const { files, mutants } = await new Instrumenter(silent).instrument(sources, {
    plugins: null,
    excludedMutations,
    ignorers: [],
  });
  const text = new Map(sources.map(({ name, content }) => [name, content.split('\n')]));
  return {
    sources: Object.fromEntries(files.map(({ name, content }) => [name, content])),
    mutants: mutants
      .filter(({ status }) => status !== 'Ignored')
      .map(({ id, fileName, location: { start, end }, replacement }) => ({
        id,
        path: named[sources.findIndex(({ name }) => name === fileName)].path,
        line: start.line + 1,
        original: between(text.get(fileName), start, end),
        replacement: oneLine(replacement),
      })),
  };
}

function between(lines, start, end) {
  const kept = lines.slice(start.line, end.line + 1);
  kept[kept.length - 1] = kept.at(-1).slice(0, end.column);
  kept[0] = kept[0].slice(start.column);
  return oneLine(kept.join(' '));
}

function oneLine(code) {
  return code.replace(/\s+/g, ' ').trim();
}
