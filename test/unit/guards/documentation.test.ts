// The documentation holds together: links and anchors lead somewhere, shell blocks can be pasted, calls exist.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
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

/** In code within sentences, unless there is a placeholder in it. */
function pathsIn(text: string): readonly string[] {
  const sentences = text.replace(/^( *)```[\s\S]*?^\1```$/gm, '');
  return [...sentences.matchAll(/`([^`\n<*{…]+)`/g)].flatMap(([, code = '']) =>
    [...code.matchAll(/(?<![\w/.-])(?:src|test|packages|bench|examples|docs|mutants)\/[\w./-]*[\w/]/g)].map(
      ([path]) => path,
    ),
  );
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

  test('names files and folders of the sources and tests that there are', () => {
    const missing = pathsIn(textOf(page)).filter((path) =>
      [ROOT, join(ROOT, dirname(page))].every((folder) => !existsSync(join(folder, path))),
    );
    expect(missing).toEqual([]);
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

describe('the index of docs', () => {
  const allowedOwners = (page: string) =>
    relativeLinksOf(textOf(page)).map((target) =>
      relative(ROOT, resolve(ROOT, dirname(page), target.split('#')[0] ?? '')),
    );

  test('lists every page, and leads to the index of decisions, which lists every record', () => {
    const index = allowedOwners('docs/README.md');
    expect(index).toContain('docs/decisions/README.md');
    const listed = [...index, ...allowedOwners('docs/decisions/README.md'), 'docs/README.md'];
    expect(filesBelow('docs', '.md').filter((page) => !listed.includes(page))).toEqual([]);
  });
});

describe('the records of decisions', () => {
  const records = filesBelow('docs/decisions', '.md').filter((page) => !page.endsWith('README.md'));

  test.each(records)('%s is a record', (page) => {
    const text = textOf(page);
    const [, number = ''] = /\/(\d{4})-[a-z0-9-]+\.md$/.exec(page) ?? [];
    const [, title = ''] = text.match(new RegExp(`^# ${Number(number)}\\. (.+)$`, 'm')) ?? [];
    expect(title).not.toBe('');
    expect(textOf('docs/decisions/README.md')).toContain(
      `| ${Number(number)} | [${title}](${basename(page)}) |`,
    );
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual([
      'Context',
      'Decision',
      'Measurements',
      'Rejected alternatives',
      'Consequences',
    ]);
  });

  test('have different numbers', () => {
    const numbers = records.map((page) => basename(page).slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

test('the README is short enough to be read', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(200);
});
