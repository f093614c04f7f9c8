// Walks the README's tour as it stands there, so that it cannot rot.
import { execFile, spawnSync } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tellOfSkipping, VENUE_ENVIRONMENT, venueProgramFile } from '../support/launching.ts';
import { folderForTheFile, openTestService } from '../support/service.ts';

const run = promisify(execFile);

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) process.stderr.write("skipped: the README's tour, because there is no curl on this machine\n");

tellOfSkipping("the launch in the README's tour");

test.skipIf(!hasCurl)("the README's tour with curl ends with a token that is found", async () => {
  const readme = await readFile('README.md', 'utf8');
  const stages = [
    ...readme.matchAll(
      /<!-- tour(?<launch> of a launch)? -->\n```sh\n(?<stage>[\s\S]*?)```\n<!-- \/tour -->/g,
    ),
  ].map(({ groups }) => ({ launch: groups?.launch !== undefined, stage: groups?.stage ?? '' }));
  const hasVenue = venueProgramFile !== undefined;
  const tour = stages.flatMap(({ launch, stage }) => (launch && !hasVenue ? [] : [stage])).join('');
  const service = await openTestService(VENUE_ENVIRONMENT);
  const folder = await folderForTheFile();
  await symlink(resolve('examples'), join(folder, 'examples'));
  const script = tour
    .replace('API=http://127.0.0.1:3000', `API=${service.url}`)
    .replace('CHAIN=http://127.0.0.1:8899', `CHAIN=${service.chainUrl}`);
  expect(script).toContain(service.url);
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
  expect(stdout).toContain('"transferFeePercent":3.5');
  expect(stdout).toContain('"totalPages":1');
  expect(stdout).toContain('"burnPercent":12.5');
  expect(stdout).toContain('"telegramGroupId":"-1001234567890"');
  expect(stdout).toContain('"from":{"distributionInterval":"1h"');
  expect(stdout).toContain('"daysRemaining":3');
  expect(stages.filter(({ launch }) => launch)).toHaveLength(1);
  if (hasVenue) {
    expect(stdout).toContain('"launchedAt":"');
    expect(stdout).toContain('"totalTokens":"772000000000000"');
  }
});
