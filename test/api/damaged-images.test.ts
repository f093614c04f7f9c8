/** An image whose stored bytes are not those of its name is not sent, and is again once it was put back. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCreator } from '../support/creator.ts';
import { openTestService } from '../support/service.ts';

test('an image is not sent while its bytes are not those of its name, and the log says so once', async () => {
  const service = await openTestService({ NONCE_ACCOUNTS_MIN: '0' });
  const creator = await openCreator(service, { sol: 0 });
  const { imageCid } = await creator.upload();
  const url = `/images/${imageCid}.jpg`;
  const file = join(service.folder, 'images', imageCid.slice(-3, -1), `${imageCid}.jpg`);
  const right = await readFile(file);
  await writeFile(file, Buffer.concat([right.subarray(0, -1), Buffer.of(0)]));
  for (let times = 0; times < 3; times += 1) await creator.client.refusal('IMAGE_CORRUPT', 'GET', url);
  const told = service.logged.filter(({ msg }) => msg === 'images are damaged');
  expect(told.map((line) => Reflect.get(line, 'file'))).toEqual([imageCid]);
  await writeFile(file, right);
  expect((await creator.client.call('GET', url)).status).toBe(200);
});
