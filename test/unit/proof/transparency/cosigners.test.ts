// What a notary makes of witnesses of which some say that they have signed another tree.
import { expect, onTestFinished, test, vi } from 'vitest';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { createCosigners } from '../../../../src/proof/transparency/cosigners.ts';
import { type Witness, WitnessDisagrees } from '../../../../src/proof/transparency/witness.ts';

/** `vouches`: signs a tree that extends one that it knew; `new`: knew none; `disagrees`: has signed another one. */
type Says = 'vouches' | 'new' | 'disagrees' | 'nothing';

function asking(...says: readonly Says[]) {
  const now = [...says];
  const asked = now.map(() => 0);
  const reports: string[] = [];
  const witnesses = now.map(
    (_each, index): Witness => ({
      name: `w${index}`,
      async cosign() {
        asked[index] = (asked[index] ?? 0) + 1;
        switch (now[index]) {
          case 'vouches':
            return { line: `signature of w${index}`, from: 4 };
          case 'new':
            return { line: `signature of w${index}`, from: 0 };
          case 'disagrees':
            throw new WitnessDisagrees(`the witness w${index} has signed 9 entries, and this log has 5`);
          default:
            throw new Error('fetch failed');
        }
      },
    }),
  );
  const cosigners = createCosigners(
    witnesses,
    loggerTo((message) => reports.push(message)),
  );
  const cosign = () => cosigners.cosign('note', { size: 5, stored: { consistency: async () => [] } });
  return { now, asked, reports, cosigners, cosign };
}

/** More than half a minute: whoever rested is asked again. */
function later(): void {
  const now = performance.now() + 30_001;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
  onTestFinished(() => clock.mockRestore());
}

const outcomeOf = async (...says: readonly Says[]) =>
  (await asking(...says).cosign()).dispute?.outcome ?? 'published';

test.each<[Says[], string]>([
  [['vouches', 'vouches', 'disagrees'], 'published'],
  [['vouches', 'vouches', 'nothing', 'nothing', 'disagrees'], 'published'],
  [['new', 'nothing'], 'published'],
  [[], 'published'],
  // Too few speak against it.
  [['vouches', 'nothing', 'disagrees'], 'open'],
  // A witness that knew no tree before cannot say that this is the one.
  [['vouches', 'new', 'disagrees'], 'open'],
  [['nothing', 'nothing', 'disagrees'], 'open'],
  [['disagrees'], 'lost'],
  [['vouches', 'disagrees'], 'lost'],
  [['vouches', 'disagrees', 'disagrees'], 'lost'],
])('when its witnesses say %j, the checkpoint is %s', async (says, outcome) => {
  expect(await outcomeOf(...says)).toBe(outcome);
});

test('an outvoted witness is named until it signs again, and is asked less often; the others are told of no more', async () => {
  const { now, asked, reports, cosigners, cosign } = asking('disagrees', 'vouches', 'vouches');
  for (let round = 0; round < 3; round += 1)
    expect(await cosign()).toEqual({ lines: 'signature of w1\nsignature of w2\n', dispute: undefined });
  expect(asked).toEqual([1, 3, 3]);
  expect(reports).toEqual(['witness has signed another tree']);
  expect(cosigners.status()[0]).toMatchObject({
    name: 'w0',
    disagrees: true,
    error: expect.stringContaining('has signed 9 entries'),
  });
  now[0] = 'vouches';
  now[1] = 'nothing';
  now[2] = 'nothing';
  // Nobody outvotes it any more: it is asked at once, and takes back what it said.
  expect(await cosign()).toMatchObject({ dispute: { outcome: 'open' } });
  expect(await cosign()).toEqual({ lines: 'signature of w0\n', dispute: undefined });
  expect(cosigners.status()[0]).toMatchObject({ disagrees: false, error: undefined, size: 5 });
});

test('a dispute stays open while too few answer, asks all again each time, and ends when enough do', async () => {
  const { now, asked, cosigners, cosign } = asking('disagrees', 'nothing', 'vouches');
  expect(await cosign()).toMatchObject({ dispute: { outcome: 'open' } });
  now[0] = 'nothing';
  expect((await cosign()).dispute?.message).toBe(
    'the witness w0 has signed 9 entries, and this log has 5; witnesses that confirm this log: 1, required: at least 2',
  );
  expect(asked).toEqual([2, 2, 2]);
  // One that disagreed and says nothing has taken nothing back.
  expect(cosigners.status()[0]).toMatchObject({ disagrees: true });
  now[1] = 'vouches';
  expect((await cosign()).dispute).toBeUndefined();
});

test('a witness that came to know the log while another one disagreed vouches for nothing until that has ended', async () => {
  const { now, asked, cosign } = asking('new', 'new', 'disagrees');
  expect((await cosign()).dispute?.outcome).toBe('open');
  now[0] = 'vouches';
  now[1] = 'vouches';
  expect((await cosign()).dispute?.outcome).toBe('open');
  now[2] = 'vouches';
  expect((await cosign()).dispute).toBeUndefined();
  now[2] = 'disagrees';
  later();
  expect((await cosign()).dispute).toBeUndefined();
  expect(asked[2]).toBe(4);
});

test('a witness that does not sign is told of once, with its reason, and again when it signs', async () => {
  const { now, asked, reports, cosigners, cosign } = asking('nothing', 'vouches');
  for (let round = 0; round < 2; round += 1) {
    expect(await cosign()).toEqual({ lines: 'signature of w1\n', dispute: undefined });
    later();
  }
  expect([asked, reports]).toEqual([[2, 2], ['witness does not sign']]);
  expect(cosigners.status()[0]).toEqual({
    name: 'w0',
    size: undefined,
    error: 'fetch failed',
    disagrees: false,
  });
  now[0] = 'vouches';
  await cosign();
  later();
  await cosign();
  expect(reports).toEqual(['witness does not sign', 'witness recovered']);
  expect(cosigners.status().map(({ size, error }) => [size, error])).toEqual([
    [5, undefined],
    [5, undefined],
  ]);
});

test('while a dispute is open, each of its witnesses is told of once', async () => {
  const { reports, cosign } = asking('disagrees', 'nothing', 'nothing');
  for (let round = 0; round < 3; round += 1) expect((await cosign()).dispute?.outcome).toBe('open');
  expect(reports.toSorted()).toEqual([
    'witness does not sign',
    'witness does not sign',
    'witness has signed another tree',
  ]);
});

test('a witness gets the note, and proofs from the size that it asks for', async () => {
  const proofs: unknown[] = [];
  const witness: Witness = {
    name: 'w',
    async cosign({ checkpoint, consistency }) {
      proofs.push(checkpoint, await consistency(3));
      return { line: 'signature', from: 3 };
    },
  };
  const stored = { consistency: async (from: number, size: number) => [Uint8Array.of(from, size)] };
  await createCosigners(
    [witness],
    loggerTo(() => undefined),
  ).cosign('note', { size: 5, stored });
  expect(proofs).toEqual(['note', [Uint8Array.of(3, 5)]]);
});
