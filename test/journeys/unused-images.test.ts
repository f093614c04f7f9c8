// Images that nothing uses are removed although the service was killed meanwhile; those of drafts that live are not.
import { expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { createClient } from '../support/client.ts';
import { creatorWith, openCreator } from '../support/creator.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { age, gone, isServed, KEPT_SHORTLY } from '../support/unused-images.ts';

test('a service that is killed leaves no image of a token behind, and no image that nothing uses', async () => {
  const folder = await folderForTheFile();
  const environment = { NONCE_ACCOUNTS_MIN: '2', PUBLIC_URL: 'http://levy.example', CLAIM_LAPSE: '5s' };
  const first = await startServiceProcess(environment, { folder, constants: KEPT_SHORTLY });
  const creator = await openCreator(first);
  const used = await creator.upload();
  const draft = await creator.draft({ imageUri: used.imageUri });
  const unused = await creator.upload();
  await first.stop('SIGKILL');
  for (const { imageCid } of [used, unused]) await age(folder, imageCid);

  const { url } = await startServiceProcess(environment, { folder, constants: KEPT_SHORTLY });
  const later = creatorWith({ ...creator, client: createClient(url) });
  await gone(later, unused.imageCid);
  expect((await later.submit(draft)).success).toBe(true);
  expect(await isServed(later, used.imageCid)).toBe(true);
});
