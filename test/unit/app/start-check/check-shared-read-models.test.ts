// Read models that processes share: a start on those of another log is refused, and a check says so before.
import { expect, test } from 'vitest';
import { checkSharedReadModels } from '../../../../src/app/start-check/check-shared-read-models.ts';
import { reportOn } from '../../../../src/app/start-check/obstacle.ts';
import type { LogReader } from '../../../../src/kernel/ports/log-reader.ts';
import type { OpenedReadModel } from '../../../../src/kernel/ports/technology.ts';
import { writerStatusJson } from '../../../../src/kernel/runtime/remote-projection.ts';

type Status = ReturnType<typeof writerStatusJson>;

const madeFrom = (log: string): Status =>
  writerStatusJson({ term: 1, log, beat: 1, release: '1', rebuildsHandled: 0, projections: [] });

/** `first`: the id of the first event of the log; a log that must not be opened has none. */
async function checked(given: {
  readonly status: Status | undefined;
  readonly isBegun: boolean | undefined;
  readonly first?: string;
}) {
  const closed: string[] = [];
  const { remarks, obstacles } = await reportOn('read models', (findings) =>
    checkSharedReadModels(
      { url: 'mongodb://one/levy', access: { credentials: undefined, ca: undefined }, env: {} },
      given,
      findings,
      {
        readModel: async () => ({
          shared: {
            progress: async () => ({ status: given.status, served: new Map() }),
          } as unknown as Required<OpenedReadModel>['shared'],
          close: async () => void closed.push('read model'),
        }),
        log: async () => {
          if (given.first === undefined) throw new Error('the log was opened');
          return {
            async *events() {
              yield { id: given.first };
              yield { id: 'later' };
            },
            close: async () => void closed.push('log'),
          } as unknown as LogReader;
        },
      },
    ),
  );
  return { told: [...remarks, ...obstacles.map(({ problem }) => problem)], closed };
}

const OTHER_LOG =
  'The read models at READ_MODEL_URL were made from another event log, and nothing of them was changed. Name the database that belongs to the log at EVENT_STORE_URL, or an empty one.';

test('given those of this log, they are right', async () => {
  expect(await checked({ status: madeFrom('one'), isBegun: true, first: 'one' })).toEqual({
    told: ['made from this log'],
    closed: ['read model', 'log'],
  });
});

test('given those of another log, they are an obstacle', async () => {
  expect(await checked({ status: madeFrom('one'), isBegun: true, first: 'two' })).toEqual({
    told: [OTHER_LOG],
    closed: ['read model', 'log'],
  });
});

test('given those of a log where this one is not begun yet, they are an obstacle: they are of another', async () => {
  expect(await checked({ status: madeFrom('one'), isBegun: false })).toEqual({
    told: [OTHER_LOG],
    closed: ['read model'],
  });
});

test('given a log that could not be read, they are not compared with it', async () => {
  expect((await checked({ status: madeFrom('one'), isBegun: undefined })).told).toEqual([
    'not compared with the log, which could not be read',
  ]);
});

test.each([
  ['no status', undefined],
  ['a status of another release, which this one cannot read', { term: 'first' }],
])('given %s, they are empty, whatever the log is', async (_what, status) => {
  for (const isBegun of [true, false, undefined])
    expect((await checked({ status, isBegun })).told).toEqual([
      'empty: the process with the role projector fills them',
    ]);
});
