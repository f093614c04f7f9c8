/** Comments name their subject: none opens with a relative clause, or uses a phrase of `language.json`. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesBelow, textOf } from './source-files.ts';

interface Language {
  /** First words of a comment, case-sensitive. */
  readonly openings: readonly string[];
  /** Anywhere in a comment, in any case. */
  readonly phrases: readonly string[];
  /** Comments by file, each with the reason why it stays. */
  readonly exceptions: { readonly [file: string]: { readonly [comment: string]: string } };
}

const language: Language = JSON.parse(readFileSync(new URL('language.json', import.meta.url), 'utf8'));
const opening = new RegExp(`^(${language.openings.join('|')})\\b`);
const phrase = new RegExp(`\\b(${language.phrases.join('|')})\\b`, 'i');

/** `test/unit` is not rewritten yet. */
const TESTS = ['api', 'contracts', 'faults', 'golden', 'infra', 'journeys', 'support', 'walks'].map(
  (folder) => `test/${folder}`,
);
const GENERATED = 'packages/client/src/schema.ts';
const sources = [
  ...['src', 'examples', 'scripts', 'bench', 'infra', 'mutants', ...TESTS].flatMap((folder) =>
    ['.ts', '.mjs'].flatMap((ending) => filesBelow(folder, ending)),
  ),
  ...['client', 'local-chain', 'solana-wire', 'transparency-log'].flatMap((name) =>
    filesBelow(`packages/${name}/src`),
  ),
  ...filesBelow('console/src'),
  ...filesBelow('console/src', '.tsx'),
].filter((file) => file !== GENERATED && !file.includes('node_modules'));

/** Comments on consecutive lines are one. */
function commentsIn(text: string): readonly string[] {
  const found: { text: string; line: number; isLine: boolean }[] = [];
  const lineAt = (position: number) => text.slice(0, position).split('\n').length;
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.JSX, text);
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const isLine = token === ts.SyntaxKind.SingleLineCommentTrivia;
    if (!isLine && token !== ts.SyntaxKind.MultiLineCommentTrivia) continue;
    const line = lineAt(scanner.getTokenStart());
    const content = scanner
      .getTokenText()
      .replace(/^\/\/ ?|^\/\*+\s*|\s*\*\/$/g, '')
      .replaceAll(/\s*\n\s*\*? ?/g, ' ')
      .trim();
    const last = found.at(-1);
    if (isLine && last?.isLine && last.line === line - 1)
      found.splice(-1, 1, { text: `${last.text} ${content}`, line, isLine });
    else found.push({ text: content, line, isLine });
  }
  return found.map((comment) => comment.text);
}

const faulty = sources.flatMap((file) =>
  commentsIn(textOf(file))
    .filter((comment) => opening.test(comment) || phrase.test(comment))
    .map((comment) => ({ file, comment })),
);
const isException = ({ file, comment }: { readonly file: string; readonly comment: string }) =>
  language.exceptions[file]?.[comment] !== undefined;

test('no comment opens with a relative clause or a question word, or uses one of the listed phrases', () => {
  expect(faulty.filter((each) => !isException(each))).toEqual([]);
});

test('an exception is still needed, and there are at most twenty', () => {
  const listed = Object.entries(language.exceptions).flatMap(([file, comments]) =>
    Object.keys(comments).map((comment) => ({ file, comment })),
  );
  expect(listed.length).toBeLessThanOrEqual(20);
  expect(
    listed.filter(
      ({ file, comment }) => !faulty.some((each) => each.file === file && each.comment === comment),
    ),
  ).toEqual([]);
});
