/** One stream per image upload: who uploaded which content. The image itself is named by its content. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';
import { Address } from './values.ts';

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
    ImageStored: 'An upload means nothing until a token carries it.',
  },
  initial: undefined as ImageUploadState,
  evolve: (_state, event): ImageUploadState => ({ cid: event.data.cid }),
});
