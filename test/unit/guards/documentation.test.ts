// The documentation holds together: links and anchors lead somewhere, shell blocks can be pasted, calls exist.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { queries } from '../../../src/queries/index.ts';
import { pathOf } from '../../../src/reference/openapi/operation.ts';
import { anchorsOf, prose } from '../../support/markdown.ts';
import { filesBelow, textOf } from './source-files.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'bench/README.md',
  'test/README.md',
  ...filesBelow('docs', '.md'),
  ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`),
];

/** The fenced blocks of a language, without their fences. */
function blocksOf(text: string, language: string): readonly string[] {
  const fences = text.matchAll(/^ *```(\S*).*\n([\s\S]*?)^ *```$/gm);
  return [...fences].flatMap(([, found, block = '']) => (found === language ? [block] : []));
}

function relativeLinksOf(text: string): readonly string[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
}

describe.each(pages)('%s', (page) => {
  test('links to what is there', () => {
    const broken = relativeLinksOf(textOf(page)).filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path);
      if (!existsSync(file)) return true;
      if (anchor === undefined) return false;
      return statSync(file).isDirectory() || !anchorsOf(readFileSync(file, 'utf8')).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('has no comment in a shell block: an interactive zsh takes it for arguments', () => {
    expect(blocksOf(textOf(page), 'sh').filter((block) => /(^|\s)#/m.test(block))).toEqual([]);
  });

  test('calls only routes that there are from TypeScript', () => {
    const routes = [...commands, ...queries].map(({ route }) => `${route.method} ${pathOf(route.url)}`);
    const calls = blocksOf(textOf(page), 'ts').flatMap((block) => [
      ...block.matchAll(/\blevy\.(get|post|patch)\('([^']+)'/g),
    ]);
    const called = calls.map(([, method = '', path]) => `${method.toUpperCase()} ${path}`);
    expect(called.filter((call) => !routes.includes(call))).toEqual([]);
  });
});

test('every page of docs is in the index', () => {
  const listed = relativeLinksOf(textOf('docs/README.md')).map((target) =>
    relative(ROOT, resolve(ROOT, 'docs', target.split('#')[0] ?? '')),
  );
  const missing = filesBelow('docs', '.md').filter(
    (page) => page !== 'docs/README.md' && !listed.includes(page),
  );
  expect(missing).toEqual([]);
});

test('the README is short enough to be read', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(200);
});
