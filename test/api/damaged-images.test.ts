/** An image whose stored bytes are not those of its name is not sent, and is again once it was put back. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { openCreator } from '../support/creator.ts';
import { openTestService } from '../support/service.ts';
import { fileOf } from '../support/unused-images.ts';

test('an image is not sent while its bytes are not those of its name, and the log says so once', async () => {
  const service = await openTestService({ NONCE_ACCOUNTS_MIN: '0' });
  const creator = await openCreator(service, { sol: 0 });
  const { imageCid } = await creator.upload();
  const url = `/images/${imageCid}.jpg`;
  const file = fileOf(service.folder, imageCid);
  const right = await readFile(file);
  await writeFile(file, Buffer.concat([right.subarray(0, -1), Buffer.of(0)]));
  for (let times = 0; times < 3; times += 1) await creator.client.refusal('IMAGE_CORRUPT', 'GET', url);
  const told = service.logged.filter(({ msg }) => msg === 'images are damaged');
  expect(told.map((line) => Reflect.get(line, 'file'))).toEqual([basename(file)]);
  await writeFile(file, right);
  expect((await creator.client.call('GET', url)).status).toBe(200);
});
