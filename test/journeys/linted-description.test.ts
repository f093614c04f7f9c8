// The description of the API, as it is printed, is held to a public linter.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';

const run = promisify(execFile);

test('the linter has nothing to say against it', async () => {
  const folder = await folderForTheFile();
  const file = join(folder, 'openapi.json');
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  await run(process.execPath, [
    '--import',
    'tsx',
    '--conditions=levy-source',
    'scripts/print-open-api.ts',
    file,
  ]);
  const lint = ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--config', '.redocly.yaml', file];
  const { stdout, stderr } = await run(process.execPath, lint, { env: environment }).catch(
    (refused: { stdout: string; stderr: string }) => refused,
  );
  expect(stdout + stderr).toContain('Your API description is valid');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ openapi: '3.1.0' });
});
