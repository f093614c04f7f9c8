/** Tests that run on each server that speaks MongoDB's protocol. What is skipped is counted, and its file says why. */
import { describe } from 'vitest';
import { type MongoAbility, reasonToSkip } from './mongo-abilities.ts';
import {
  type MongoKind,
  mongoKinds,
  type SharedMongo,
  sharedMongo,
  tellOfSkippedMongo,
} from './mongo-server.ts';

interface Needs<Kind extends MongoKind> {
  /** Number of tests on one server. */
  readonly count: number;
  readonly kinds: readonly Kind[];
  readonly ability?: MongoAbility;
}

/** `kind` is undefined while the tests are only counted. */
export function describeOnEach<Kind extends MongoKind>(
  { count, kinds, ability }: Needs<Kind>,
  tests: (kind: Kind | undefined) => void,
): void {
  tellOfSkippedMongo(count, kinds.length > 0);
  if (kinds.length === 0) describe.skipIf(true)('MongoDB', () => tests(undefined));
  for (const kind of kinds) {
    const reason = ability && reasonToSkip(kind, ability);
    if (reason !== undefined) tellOfSkipped(count, kind, reason);
    describe.skipIf(reason !== undefined)(kind, () => tests(kind));
  }
}

/** On those that may be there already; the server is started by the first test that takes it. */
export function describeOnMongo(
  needs: Omit<Needs<MongoKind>, 'kinds'>,
  tests: (server: () => Promise<SharedMongo>, kind: MongoKind) => void,
): void {
  describeOnEach({ ...needs, kinds: mongoKinds }, (kind) => {
    let started: Promise<SharedMongo> | undefined;
    function server(): Promise<SharedMongo> {
      started ??= sharedMongo(kind);
      return started;
    }
    tests(server, kind ?? 'url');
  });
}

export function tellOfSkipped(count: number, kind: MongoKind, reason: string): void {
  console.warn(`SKIPPED: ${count} tests on ${kind}, because ${reason}`);
}
