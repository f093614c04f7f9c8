// What a missing secret means: a start makes it, an operator makes it with the command that is told, or it has to be put back.
import { expect, test } from 'vitest';
import { tellMissing } from '../../../../src/app/start-check/check-secrets.ts';
import { reportOn } from '../../../../src/app/start-check/obstacle.ts';

const told = async (given: Partial<Parameters<typeof tellMissing>[0]>) => {
  const { remarks, obstacles } = await reportOn('secrets', async (findings) =>
    tellMissing(
      {
        file: '/srv/levy/seed',
        title: 'master seed',
        print: 'openssl rand -hex 32',
        mayCreate: false,
        isLogBegun: undefined,
        ...given,
      },
      findings,
    ),
  );
  return { remarks, obstacles };
};
const MAKE = '(umask 077; mkdir -p /srv/levy && openssl rand -hex 32 > /srv/levy/seed)';

test('where a start may make it, it is no obstacle', async () => {
  expect(await told({ mayCreate: true, isLogBegun: false })).toEqual({
    remarks: ['the first start makes the master seed (/srv/levy/seed)'],
    obstacles: [],
  });
});

test.each([
  ['not begun', false],
  ['not readable', undefined],
])('where the log is %s, a new service makes it and an old one puts it back', async (_what, isLogBegun) => {
  const { obstacles } = await told({ isLogBegun });
  expect(obstacles).toEqual([
    {
      problem:
        'there is no master seed file /srv/levy/seed. If this service has run before, put back the file that it ran with; for a new service make one, and keep a copy of it',
      command: MAKE,
    },
  ]);
});

test('where the log was begun with a seed, nothing but that seed helps: no command is told', async () => {
  expect((await told({ isLogBegun: true })).obstacles).toEqual([
    {
      problem:
        'there is no master seed file /srv/levy/seed, and the log was begun with one: put back that file',
    },
  ]);
});

test('where the log was begun, a new key for access tokens does too', async () => {
  expect((await told({ isLogBegun: true, title: 'JWT key' })).obstacles).toEqual([
    {
      problem:
        'there is no JWT key file /srv/levy/seed, and the log was begun with one: put back that file, or make another one: users then sign in anew',
      command: MAKE,
    },
  ]);
});

test('a folder with a blank or a quote in its name is one word of the command', async () => {
  const [obstacle] = (await told({ file: "/srv/l'evy data/seed" })).obstacles;
  expect(obstacle?.command).toBe(
    "(umask 077; mkdir -p '/srv/l'\\''evy data' && openssl rand -hex 32 > '/srv/l'\\''evy data/seed')",
  );
});
