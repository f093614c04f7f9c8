// What a notary makes of witnesses of which some say that they have signed another tree.
import { expect, test } from 'vitest';
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
    'the witness w0 has signed 9 entries, and this log has 5; of the others, 1 vouch for this log, which are too few to go on without it',
  );
  expect(asked).toEqual([2, 2, 2]);
  // One that disagreed and says nothing has taken nothing back.
  expect(cosigners.status()[0]).toMatchObject({ disagrees: true });
  now[1] = 'vouches';
  expect((await cosign()).dispute).toBeUndefined();
});

test('a witness that came to know the log while another one disagreed vouches for nothing until that has ended', async () => {
  const { now, cosign } = asking('new', 'new', 'disagrees');
  expect((await cosign()).dispute?.outcome).toBe('open');
  now[0] = 'vouches';
  now[1] = 'vouches';
  expect((await cosign()).dispute?.outcome).toBe('open');
  now[2] = 'vouches';
  expect((await cosign()).dispute).toBeUndefined();
  now[2] = 'disagrees';
  expect((await cosign()).dispute).toBeUndefined();
});
