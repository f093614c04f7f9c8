/** With `--stay` the demo's service goes on, with a token that is traded, until Ctrl-C. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, servicesOf } from '../support/running-demo.ts';

const DEMO = fileURLToPath(new URL('../../examples/demo/demo.ts', import.meta.url));

test('the demo stays until Ctrl-C', { timeout: 180_000 }, async () => {
  const demo = spawn(process.execPath, ['--import', 'tsx', DEMO, '--stay'], {
    env: { PATH: process.env.PATH, DEMO_DIR: await folderForTheFile(), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    if (demo.exitCode === null && demo.pid !== undefined) killAll([demo.pid, ...servicesOf(demo.pid)]);
  });
  let told = '';
  demo.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  const url = await eventually(
    'the demo tells its address',
    async () => /console: (\S+)\/console\/$/m.exec(told)?.[1],
    {
      seconds: 150,
    },
  );
  const { tokens } = await createClient(url).ask<{ tokens: { name: string }[] }>('GET', '/tokens');
  expect(tokens.map(({ name }) => name)).toEqual(['Sunrise']);
  const ended = once(demo, 'close');
  demo.kill('SIGINT');
  expect([(await ended)[0], told.includes('Stopped cleanly')]).toEqual([0, true]);
});
