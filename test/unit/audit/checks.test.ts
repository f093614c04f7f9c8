// Whatever an audit can find is explained in the reference.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CHECKS, type DeclaredCheck } from '../../../src/audit/checks.ts';

const SOURCES = fileURLToPath(new URL('../../../src/audit', import.meta.url));
const TESTS = fileURLToPath(new URL('../..', import.meta.url));
/** Tests that give the audit something wrong to find. */
const PROVOKING = ['unit/audit', 'contracts', 'journeys'];
/** Findings that no test expects by their sentence yet; journeys name the checks of some. Never add to it. */
const NOT_PROVOKED: readonly string[] = [
  "a stream's events are numbered without a gap",
  'positions grow',
  'an id is of one event',
  'a stream can be folded',
  'an event is in the stream that it names',
  '… comes before everything else of its stream',
  '… comes once in its stream',
  "a draft's events follow each other as they may",
  'a nonce account is leased to one draft at a time, at the value that it has',
  'a nonce account is taken back from the draft that leases it',
  'a token has one open run at a time',
  'the runs of a token are numbered',
  'a step belongs to the open run',
  'a link was recorded before it landed',
  'a batch was recorded before it was paid',
  'what led to an event is in the log',
  'an event is the one that the transparency log has an entry of',
  'the document … of … is missing',
  'the document … of … is surplus',
  'a submission landed',
  'a submission that landed had no error',
  'a submission landed in the slot that is recorded',
  'what landed was issued',
  'what landed is the message that was issued',
  'a failed submission took no effect',
];
/** A finding's sentence where it is made: behind `what:`, or first among the arguments. */
const SENTENCE =
  /(?:what:|what =|what\(|\.equal\(|\.atLeast\()\s*(?:before\.origin\?\.id === event\.id\s*\?)?\s*(['"`])(.*?)\1\s*[,:;)]/gs;

/** Of `couldNotLook` as well, whose sentences are findings' too. */
function sentences(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const entry of readdirSync(SOURCES, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.ts') || entry.name === 'checks.ts') continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    for (const [, , sentence = ''] of text.matchAll(SENTENCE))
      found.add(sentence.replaceAll(/\$\{[^}]*\}/g, '…').replace(/^run …: /, ''));
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
      'no event was put in the place of another',
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
  expect(unprovoked).toEqual(NOT_PROVOKED);
});
