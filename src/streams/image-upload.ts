/** One stream per image upload: its uploader and its content. The content identifies the image. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';
import { Address } from './value-types.ts';

const imageUploadEvents = {
  ImageStored: Type.Object({
    cid: Type.String({ minLength: 1 }),
    uploader: Address,
    byteLength: Type.Integer({ minimum: 1 }),
  }),
};

export const { ImageStored } = constructorsOf(imageUploadEvents);

type ImageUploadState = { readonly cid: string } | undefined;

export const imageUpload = defineStream({
  category: 'upload',
  events: imageUploadEvents,
  internal: {
    ImageStored: 'An upload has no effect until a token uses it.',
  },
  initial: undefined as ImageUploadState,
  evolve: (_state, event): ImageUploadState => ({ cid: event.data.cid }),
});
