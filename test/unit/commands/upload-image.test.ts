// The rule of uploads: each is recorded once, with who brought it.
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { uploadImage } from '../../../src/commands/upload-image.ts';
import { ImageStored } from '../../../src/streams/image-upload.ts';
import { commandSpec } from '../../support/command-spec.ts';
import { contextAfter } from '../../support/context-after.ts';
import { addresses, token } from '../../support/domain-examples.ts';

describe('UploadImage', () => {
  const spec = commandSpec(uploadImage);
  const facts = { cid: token.imageCid, byteLength: 4_711 };
  const stored = ImageStored({ ...facts, uploader: addresses.creator });
  const upload = { input: { body: { image: Uint8Array.of(1) } }, facts, actor: addresses.creator };

  test('records the content and who brought it', () => {
    spec.given().when(upload).records(stored);
  });

  test('takes nothing that is no image', async () => {
    const context = contextAfter([], { images: { put: async () => facts.cid } });
    const prepared = uploadImage.prepare({ params: {}, query: {}, ...upload.input }, context);
    await expect(prepared).rejects.toMatchObject({ code: 'IMAGE_TYPE_UNSUPPORTED' });
  });

  test('keeps the image of a repeated call, or stores it again', async () => {
    const pixel = { create: { width: 1, height: 1, channels: 3, background: 'red' } } as const;
    const input = { params: {}, query: {}, body: { image: await sharp(pixel).png().toBuffer() } };
    const respond = (isThere: boolean, cid: string = facts.cid) =>
      uploadImage.respond(
        { cid: facts.cid },
        input,
        contextAfter([], {
          publicUrl: () => 'https://levy.example',
          images: { retain: async () => isThere, put: async () => cid },
        }),
      );
    const answer = { success: true, imageCid: token.imageCid, imageUri: token.imageUri };
    expect(await respond(true, 'another')).toEqual(answer);
    expect(await respond(false)).toEqual(answer);
    await expect(respond(false, 'another')).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
  });

  test('records nothing for an upload that was recorded', () => {
    spec.given(stored).when(upload).recordsNothing();
  });
});
