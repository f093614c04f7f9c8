// What readiness says of read models that several processes share, as time goes by without a sign of their writer.
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import type { ProjectionStatus } from '../../../src/kernel/runtime/projection-target.ts';
import type { RemoteWriter } from '../../../src/kernel/runtime/remote-projector.ts';
import { type Watched, watchedProjections, watchedReadModels } from '../../../src/operations/readiness.ts';
import { projectionStatus } from '../../support/projection-status.ts';

const WRITING: RemoteWriter = {
  term: 3,
  release: '1.2.0',
  silentFor: 400,
  error: undefined,
  whatToDo: undefined,
};

async function said(writer: Partial<RemoteWriter>, isWriter = false, failure?: StoreUnavailable) {
  const look = watchedReadModels(
    { writer: () => ({ ...WRITING, ...writer }) },
    { patience: 30_000, isWriter: () => isWriter, failingWrite: () => failure },
  );
  const [check] = await look.check();
  return { ok: check?.ok, ...check?.details };
}

test('names the writer, its term and its release', async () => {
  const fine = { ok: true, term: 3, release: '1.2.0', secondsSilent: 0, error: null };
  expect(await said({})).toEqual({ ...fine, writer: 'another process' });
  expect(await said({}, true)).toEqual({ ...fine, writer: 'this process' });
});

test('says that nobody writes, and works on while another process may take over', async () => {
  const error = expect.stringContaining('start a process with the role `projector`');
  expect(await said({ silentFor: 4_900 })).toMatchObject({ ok: true, error: null });
  expect(await said({ silentFor: 6_000 })).toMatchObject({ ok: true, writer: null, secondsSilent: 6, error });
  expect(await said({ silentFor: 31_000 })).toMatchObject({ ok: false, writer: null, error });
  expect(await said({ silentFor: 31_000, term: undefined })).toMatchObject({ ok: false, term: null });
});

test('does not work once the read model has not answered for some seconds', async () => {
  const error = 'the read model cannot be used';
  expect(await said({ silentFor: 1_000, error })).toMatchObject({ ok: true, error });
  expect(await said({ silentFor: 6_000, error })).toMatchObject({ ok: false, error });
});

test('says why this process cannot write them, and what to do', async () => {
  const failure = new StoreUnavailable('the disk is full', { whatToDo: 'make room' });
  const told = { error: 'the disk is full', whatToDo: 'make room' };
  expect(await said({ silentFor: 1_000 }, true, failure)).toMatchObject({ ok: true, ...told });
  expect(await said({ silentFor: 6_000 }, true, failure)).toMatchObject({ ok: false, ...told });
});

test('forgets what kept this process from writing them once another one writes', async () => {
  const failure = new StoreUnavailable('the disk is full', { whatToDo: 'make room' });
  expect(await said({ silentFor: 1_000 }, false, failure)).toEqual({
    ...(await said({ silentFor: 1_000 })),
    error: null,
  });
  expect(await said({ silentFor: 6_000 }, false, failure)).toMatchObject({ error: 'the disk is full' });
});

test('a projection that reads files works while it is built, and keeps nothing else from working when it cannot read one', async () => {
  const building = { isFileBacked: true, state: 'building', served: undefined, isCurrent: false } as const;
  const look = async (differs: Partial<ProjectionStatus>) => {
    const projector = { status: () => [projectionStatus({ ...building, ...differs })] };
    const [check] = await watchedProjections({ end: async () => '7' }, projector).check();
    return check;
  };
  expect(await look({})).toMatchObject({ ok: true, isPartial: true });
  expect(await look({ state: 'live', isCurrent: true })).toMatchObject({ ok: true });
  const error = 'the ledger file 00 is missing in the ledger store';
  expect(await look({ state: 'live', error })).toMatchObject({
    ok: false,
    isPartial: true,
    details: { error },
  });
  expect(await look({ state: 'failed' })).toMatchObject({ ok: false, isPartial: true });
});

test('a projection that catches up with a new writer works, for a while', async () => {
  let now = 0;
  let status: Pick<ProjectionStatus, 'state' | 'isCurrent'> = { state: 'building', isCurrent: false };
  const projector = { status: () => [projectionStatus(status)] };
  const log = { end: async () => '7' };
  const isFine = async (one: Watched) => (await one.check())[0]?.ok;
  const watched = watchedProjections(log, projector, { grace: 30_000, now: () => now });
  // It never was current.
  expect(await isFine(watched)).toBe(false);
  status = { state: 'live', isCurrent: true };
  expect(await isFine(watched)).toBe(true);
  status = { state: 'building', isCurrent: false };
  now = 29_000;
  expect(await isFine(watched)).toBe(true);
  now = 31_000;
  expect(await isFine(watched)).toBe(false);
  now = 1_000;
  status = { state: 'failed', isCurrent: false };
  expect(await isFine(watched)).toBe(false);
});
