// Whatever an audit can find is explained in the reference.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { DeclaredCheck } from '../../../../src/proof/audit/checks.ts';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';

const SOURCES = fileURLToPath(new URL('../../../../src/proof/audit', import.meta.url));
const TESTS = fileURLToPath(new URL('../../..', import.meta.url));
/** Where the audit is given something wrong to find: journeys may find it as well, but none instead. */
const PROVOKING = ['unit/proof/audit', 'contracts/svm'];
/** A finding's sentence where it is made: behind `what:`, or first among the arguments. */
const SENTENCE =
  /(?:what:|what =|what\(|differs\(|\.equal\(|\.atLeast\()\s*(?:isAtSamePlace\(origin, event\)\s*\?\s*)?\s*(['"`])(.*?)\1\s*[,:;)]/gs;

/** Includes the sentences passed to `unchecked`, which are sentences of findings too. */
function sentences(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const entry of readdirSync(SOURCES, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.ts') || entry.name === 'checks.ts') continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    for (const [, , sentence = ''] of text.matchAll(SENTENCE))
      found.add(sentence.replaceAll(/\$\{[^}]*\}/g, '…'));
  }
  return found;
}

test('every finding is declared, and no other', () => {
  const declared = new Set(
    Object.values<DeclaredCheck>(CHECKS).flatMap(({ findings }) => Object.keys(findings)),
  );
  const made = sentences();
  expect([...made].filter((sentence) => !declared.has(sentence))).toEqual([]);
  // Made by a part that the sources of the audit do not hold, or by the other branch of a choice.
  const elsewhere = [...declared].filter((sentence) => !made.has(sentence));
  expect(elsewhere.sort()).toEqual(
    [
      'the events are those of the transparency log, in its order',
      'the document … of … differs in …',
      'the document … of … is missing',
      'the document … of … is surplus',
    ].sort(),
  );
});

/** A finding's sentence as an expectation writes it: to the end of its text, whatever stands in the place of `…`. */
function writtenAs(sentence: string): RegExp {
  const parts = sentence.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`${parts.join('[^\\n]{1,90}?')}(?=['"\`]| \\$\\{)`);
}

test('every finding is provoked by a test', () => {
  const texts = PROVOKING.flatMap((folder) =>
    readdirSync(join(TESTS, folder), { recursive: true, withFileTypes: true })
      .filter(({ name }) => name.endsWith('.ts') && name !== 'checks.test.ts')
      .map(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8')),
  );
  const declared = Object.values<DeclaredCheck>(CHECKS).flatMap(({ findings }) => Object.keys(findings));
  const unprovoked = declared.filter((sentence) => {
    const written = writtenAs(sentence);
    return !texts.some((text) => written.test(text));
  });
  expect(unprovoked).toEqual([]);
});
