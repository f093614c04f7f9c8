// Routes that nobody limits are cheap: they send bytes that are built once, or files. `npm run bench -- routes` compares all of them.
import { expect, test } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { ReadyAnswer } from '../../../src/kernel/runtime/define-query.ts';
import { getAsyncApiDocument } from '../../../src/queries/get-async-api-document.ts';
import { getImage } from '../../../src/queries/get-image.ts';
import { getOpenApiDocument } from '../../../src/queries/get-open-api-document.ts';
import { queries } from '../../../src/queries/index.ts';

const CID = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';
const ready = new ReadyAnswer('{}', { mediaType: 'application/json', caching: 'public' });
const context = (services: object) => ({ services, call: { actor: 'anonymous', requestId: 'x' } }) as never;

/** Unlimited, and sent as bytes that are there already. */
const READY: readonly (readonly [{ readonly name: string }, () => Promise<unknown>])[] = [
  [getOpenApiDocument, () => getOpenApiDocument.run({}, context({ openApi: () => ready }))],
  [getAsyncApiDocument, () => getAsyncApiDocument.run({}, context({ asyncApi: () => ready }))],
  [
    getImage,
    () =>
      getImage.run(
        { params: { file: `${CID}.jpg` }, query: {} },
        context({ images: { get: async () => new Uint8Array(1) } }),
      ),
  ],
  // The small size is computed once per image, one at a time (unit/server/images).
  [
    getImage,
    () =>
      getImage.run(
        { params: { file: `${CID}.jpg` }, query: { size: 'small' } },
        context({ images: { getSmall: async () => new Uint8Array(1) } }),
      ),
  ],
];

/** Unlimited for the reason given. */
const OTHERS: { readonly [name: string]: string } = {
  GetHealth: 'the measure of the others',
  GetReadiness: 'checked at most ten times a second, for all callers (unit/operations/readiness)',
  GetTokenMetadata: 'one document, read by its key',
  GetSigningKeys: 'a constant of some hundred bytes',
};

test('a query or command without a limit sends ready bytes or a file', async () => {
  expect(commands.filter(({ route }) => route.limit === 'none')).toEqual([]);
  const unlimited = queries.filter(({ route, file }) => route.limit === 'none' && file !== true);
  const expected = new Set([...READY.map(([{ name }]) => name), ...Object.keys(OTHERS)]);
  expect(new Set(unlimited.map(({ name }) => name))).toEqual(expected);
  for (const [{ name }, answer] of READY) expect(await answer(), name).toBeInstanceOf(ReadyAnswer);
});
