/** One stream per stored image, named by its content. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../runtime/define-stream.ts';
import { Address } from './values.ts';

export const imageEvents = {
  ImageStored: Type.Object({
    cid: Type.String({ minLength: 1 }),
    uploader: Address,
    byteLength: Type.Integer({ minimum: 1 }),
  }),
};

export type ImageEvent = EventOf<typeof imageEvents>;

export const { ImageStored } = constructorsOf(imageEvents);

export type ImageState = { readonly cid: string } | undefined;

export const image = defineStream({
  category: 'image',
  events: imageEvents,
  initial: undefined as ImageState,
  evolve: (_state, event) => ({ cid: event.data.cid }),
});
