/** Returns a stored image. Its name is derived from its content, so clients may cache it permanently. */

import { Type } from '@sinclair/typebox';
import { queriesFor, ReadyAnswer } from '../kernel/runtime/define-query.ts';
import { cidOfFileName } from '../server/images/image-cid.ts';
import type { ImageServices } from '../server/services.ts';
import { rejection } from '../streams/rejections.ts';

export const getImage = queriesFor<ImageServices>()({
  name: 'GetImage',
  summary: 'Get an image',
  description:
    'The JPEG at an `imageUri`: 512x512, or 128x128 with `size=small`. It never changes and may be cached permanently.',
  route: { method: 'GET', url: '/images/:file', auth: 'none', limit: 'none', anyOrigin: true },
  input: {
    params: Type.Object({
      file: Type.String({
        maxLength: 200,
        description: '`<cid>.jpg`',
        examples: ['bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg'],
      }),
    }),
    query: Type.Object(
      {
        size: Type.Optional(
          Type.Literal('small', { description: '128x128, for lists, instead of 512x512.' }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.String({ format: 'binary' }),
  mediaType: 'image/jpeg',
  tagged: true,
  rejections: ['IMAGE_NOT_FOUND', 'IMAGE_CORRUPT'],
  async answer({ params: { file }, query: { size } }, { services: { images } }) {
    const cid = cidOfFileName(file);
    const bytes = cid && (await (size === 'small' ? images.getSmall(cid) : images.get(cid)));
    if (bytes === undefined || cid === undefined) throw rejection('IMAGE_NOT_FOUND', 'Image not found.');
    const entityTag = size === undefined ? `"${cid}"` : `"${cid}-${size}"`;
    return new ReadyAnswer(bytes, { mediaType: 'image/jpeg', caching: 'immutable', entityTag });
  },
});
