// The rule of uploads: each is recorded once, with who brought it.
import { describe, test } from 'vitest';
import { uploadImage } from '../../../src/commands/upload-image.ts';
import { ImageStored } from '../../../src/streams/image-upload.ts';
import { commandSpec } from '../../support/command-spec.ts';
import { addresses, token } from '../../support/domain-examples.ts';

describe('UploadImage', () => {
  const spec = commandSpec(uploadImage);
  const facts = { cid: token.imageCid, byteLength: 4_711 };
  const stored = ImageStored({ ...facts, uploader: addresses.creator });
  const upload = { input: { body: { image: Uint8Array.of(1) } }, facts, actor: addresses.creator };

  test('records the content and who brought it', () => {
    spec.given().when(upload).records(stored);
  });

  test('records nothing for an upload that was recorded', () => {
    spec.given(stored).when(upload).recordsNothing();
  });
});
