/** What a run of a token would do now. */
import { type Static, Type } from '@sinclair/typebox';
import { RewardAsset, SkipReason, Total } from '../streams/distribution.ts';
import { OwnTax, Parts } from '../streams/run-amounts.ts';
import { Amount, Timestamp } from '../streams/values.ts';

const Count = Type.Integer({ minimum: 0, examples: [1_200] });

export const DistributionPreview = Type.Object(
  {
    scan: Type.Object(
      {
        at: Timestamp,
        slots: Type.Tuple([Amount, Amount], { examples: [['4098', '4101']] }),
        accounts: Count,
        owners: Count,
        withheld: Type.String({ ...Total, description: 'Base units.' }),
      },
      {
        description:
          'The look at all accounts of the token that it goes by: the last one where that is young.',
      },
    ),
    asset: RewardAsset,
    amounts: Type.Object(
      {
        kept: Parts,
        collected: Amount,
        burned: Amount,
        sold: Parts,
        keptAfter: Parts,
        ownTax: OwnTax,
        proceeds: Type.String({ ...Amount, description: 'Lamports, at the present price.' }),
        costs: Amount,
        developer: Amount,
        holders: Amount,
        dust: Amount,
        dustAfter: Amount,
        shares: Amount,
        planned: Amount,
      },
      { description: "As in a run's `amounts`." },
    ),
    payments: Count,
    owners: Type.Array(Type.Object({ reason: Type.String({ examples: ['planned'] }), count: Count }), {
      description: 'How many owners there are of each reason why they are paid or not.',
    }),
    skipped: Type.Union(
      [
        Type.Object({ reason: SkipReason, detail: Type.String({ examples: ['No tax is withheld.'] }) }),
        Type.Null(),
      ],
      { description: 'Why no run would be opened; null if one would.', examples: [null] },
    ),
  },
  { title: 'DistributionPreview' },
);

export type DistributionPreview = Static<typeof DistributionPreview>;

export interface DistributionPreviews {
  /** Records nothing and sends nothing. Rejects as reads of the chain do. */
  of(tokenId: string): Promise<DistributionPreview>;
}

export interface PreviewServices {
  /** Undefined where none can be made. */
  readonly distributionPreviews: DistributionPreviews | undefined;
}
