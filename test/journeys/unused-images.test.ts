import { describe, expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { createClient } from '../support/client.ts';
import { creatorWith, type Draft, imageForm, openCreator, picture } from '../support/creator.ts';
import { openTestService } from '../support/service.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { age, gone, isServed, KEPT_SHORTLY } from '../support/unused-images.ts';

describe('an image', () => {
  test('is there again after the upload was repeated under its Idempotency-Key', async () => {
    const service = await openTestService({ NONCE_ACCOUNTS_MIN: '0' }, { constants: KEPT_SHORTLY });
    const creator = await openCreator(service, { sol: 0 });
    const bytes = picture();
    const upload = () =>
      creator.call<{ imageCid: string }>('POST', '/tokens/upload-image', {
        body: imageForm(bytes),
        headers: { 'idempotency-key': 'image' },
      });
    const first = await upload();
    await age(service.folder, first.body.imageCid);
    await gone(creator, first.body.imageCid);
    expect((await upload()).bytes).toEqual(first.bytes);
    expect(await isServed(creator, first.body.imageCid)).toBe(true);
  });
});

test('drafts that are made while their images are about to go have their image, or are refused for want of it', async () => {
  const folder = await folderForTheFile();
  const environment = { NONCE_ACCOUNTS_MIN: '3' };
  const creator = await openCreator(
    await openTestService(environment, {
      folder,
      constants: { unusedImagesKeptMs: 4_000, claimLapseMs: 3_000 },
    }),
    { sol: 50 },
  );
  const outcomes = new Set<string>();
  for (let round = 0; round < 12; round += 1) {
    const { imageCid, imageUri } = await creator.upload();
    const json = await creator.tokenInput({ imageUri });
    await age(folder, imageCid);
    const { status, body } = await creator.call<Draft & { code?: string }>(
      'POST',
      '/tokens/create-unsigned',
      {
        json,
      },
    );
    outcomes.add(body.code ?? 'issued');
    expect([200, 404].includes(status), JSON.stringify(body)).toBe(true);
    if (status !== 200) continue;
    expect(await isServed(creator, imageCid)).toBe(true);
    expect((await creator.submit(body)).token.imageUri).toBe(imageUri);
    expect(await isServed(creator, imageCid)).toBe(true);
  }
  for (const outcome of outcomes) expect(['issued', 'IMAGE_NOT_FOUND']).toContain(outcome);
});

test('a service that is killed leaves no image of a token behind, and no image that nothing uses', async () => {
  const folder = await folderForTheFile();
  const environment = { NONCE_ACCOUNTS_MIN: '2', PUBLIC_URL: 'http://levy.example' };
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
