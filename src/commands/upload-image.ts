/** Converts an uploaded image to JPEG, and stores it under a name derived from its content. */

import { Type } from '@sinclair/typebox';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { Call } from '../kernel/runtime/define-route.ts';
import { deriveId } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { imageUriOf } from '../server/images/image-cid.ts';
import { MAX_IMAGE_BYTES, processImage } from '../server/images/process-image.ts';
import type { ImageServices } from '../server/services.ts';
import { ImageStored, imageUpload } from '../streams/image-upload.ts';
import { rejection } from '../streams/rejections.ts';

export const uploadImage = commandsFor<ImageServices & RuntimeServices>()({
  name: 'UploadImage',
  summary: 'Upload a token image',
  description:
    'The second of the four steps. The image is checked by its content, scaled to 512x512 and stored as JPEG ' +
    'under a name derived from its content: the same image has the same `imageUri`. Unused images are ' +
    'removed after 24 hours.',
  route: {
    method: 'POST',
    url: '/tokens/upload-image',
    auth: 'wallet',
    limit: 'upload',
    upload: { field: 'image', maximumBytes: MAX_IMAGE_BYTES },
  },
  input: { body: Type.Object({ image: Type.Uint8Array() }) },
  output: Type.Object(
    { success: Type.Boolean(), imageUri: Type.String(), imageCid: Type.String() },
    {
      examples: [
        {
          success: true,
          imageUri:
            'https://levy.example/images/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg',
          imageCid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
        },
      ],
    },
  ),
  rejections: [
    'IMAGE_NOT_FOUND',
    'IMAGE_TOO_LARGE',
    'IMAGE_TYPE_UNSUPPORTED',
    'IMAGE_UNREADABLE',
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  stream: imageUpload,
  streamId: (_input, { commandId }) => deriveId('image-upload', commandId),
  async prepare({ body }, { services, call }) {
    // Stored before it is recorded, so that no event names a missing image.
    return store(services, call, body.image);
  },
  decide: (state, _input, facts, uploader) =>
    state === undefined ? [ImageStored({ ...facts, uploader })] : [],
  async respond(state, { body }, { services, call }) {
    if (state === undefined) throw new Error('the image is missing after UploadImage');
    // The image may have been removed before a repeated call: retain it, or store it again.
    if (!(await services.images.retain(state.cid))) {
      const { cid } = await store(services, call, body.image);
      if (cid !== state.cid) {
        throw rejection('IMAGE_NOT_FOUND', 'The image was removed because it was unused; upload it again.');
      }
    }
    return { success: true, imageUri: imageUriOf(services.publicUrl(), state.cid), imageCid: state.cid };
  },
});

async function store(
  { images }: ImageServices & RuntimeServices,
  { inTurn = (work) => work() }: Call,
  bytes: Uint8Array,
) {
  const processed = await inTurn(() => processImage(bytes));
  if (!processed.ok) throw refusal(processed.why);
  return { cid: await images.put(processed.jpeg), byteLength: processed.jpeg.length };
}

function refusal(why: 'unsupported' | 'unreadable' | 'too-many-pixels') {
  switch (why) {
    case 'unsupported':
      return rejection(
        'IMAGE_TYPE_UNSUPPORTED',
        'Only PNG and JPEG images are accepted; the content is neither.',
      );
    case 'unreadable':
      return rejection('IMAGE_UNREADABLE', 'The image is damaged or incomplete.');
    case 'too-many-pixels':
      return rejection('IMAGE_UNREADABLE', 'The image has more than 40 million pixels.');
  }
}
