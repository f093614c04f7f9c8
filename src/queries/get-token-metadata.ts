/** Metadata JSON of a mint: available from the issue of its draft, removed if the draft ends without a token. */

import { Type } from '@sinclair/typebox';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { transactions } from '../projections/transactions.ts';
import { rejection } from '../streams/rejections.ts';

export const getTokenMetadata = queriesFor<RuntimeServices>()({
  name: 'GetTokenMetadata',
  summary: 'Get the metadata of a mint',
  description:
    "The JSON at a mint's `uri`, for wallets and explorers. Available as soon as the draft is " + 'issued.',
  route: { method: 'GET', url: '/metadata/:file', auth: 'none', limit: 'none', anyOrigin: true },
  input: {
    params: Type.Object({
      file: Type.String({
        maxLength: 100,
        description: '`<mint address>.json`',
        examples: ['AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3.json'],
      }),
    }),
  },
  output: Type.Object(
    {
      name: Type.String(),
      symbol: Type.String(),
      description: Type.String(),
      image: Type.String(),
      external_url: Type.Optional(Type.String()),
      twitter: Type.Optional(Type.String()),
      telegram: Type.Optional(Type.String()),
      website: Type.Optional(Type.String()),
    },
    {
      title: 'TokenMetadata',
      description: 'Empty links are absent.',
      examples: [
        {
          name: 'Sunrise',
          symbol: 'SUN',
          description: 'Shares its tax with its holders.',
          image:
            'https://levy.example/images/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg',
          external_url: 'https://sunrise.example',
          website: 'https://sunrise.example/',
        },
      ],
    },
  ),
  rejections: ['TOKEN_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer({ params: { file } }, { services: { readModel } }) {
    const mintAddress = file.endsWith('.json') ? file.slice(0, -'.json'.length) : '';
    const [found] = await readModel.find(transactions, 'mint', mintAddress, { limit: 1 });
    const subject = found?.issued.subject;
    if (subject?.kind !== 'token-creation') throw rejection('TOKEN_NOT_FOUND', 'Metadata not found.');
    const { name, symbol, description, imageUri, website, twitter, telegram } = subject;
    const links = Object.entries({ external_url: website, twitter, telegram, website });
    const metadata = {
      name,
      symbol,
      description,
      image: imageUri,
      ...Object.fromEntries(links.filter(([, link]) => link !== '')),
    };
    return new TaggedAnswer(metadata, 'public');
  },
});
