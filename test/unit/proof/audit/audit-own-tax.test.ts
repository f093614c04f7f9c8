// The tax of the engine's own sales: at most the maximum of its rate, and none where nothing is sold for SOL.
import { expect, test } from 'vitest';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import { auditOwnTax } from '../../../../src/proof/audit/promises/audit-own-tax.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';

type Arguments = Parameters<typeof auditOwnTax>;

const ABOUT = { begunAt: '', seconds: 0, log: { after: '', until: '', events: 0 }, chain: null };
const of = (developer: bigint, holders: bigint) => ({ developer: `${developer}`, holders: `${holders}` });

/** Of a run that sells 10,000 at 3 % and before which nothing was outstanding. */
function audited({
  asset = 'sol',
  maximumFee = '1000000',
  after,
}: {
  readonly asset?: 'sol' | 'token';
  readonly maximumFee?: string;
  readonly after: ReturnType<typeof of>;
}) {
  const notebook = createNotebook();
  const rate = { epoch: '700', basisPoints: 300, maximumFee };
  const closed = {
    asset,
    amounts: {
      sold: of(1_000n, 9_000n),
      collected: '10000',
      ownTax: { before: of(0n, 0n), returned: of(0n, 0n), after },
    },
    carried: { ownTax: after },
  };
  const begun = { open: { tax: { older: rate, newer: rate } }, state: { carried: { ownTax: of(0n, 0n) } } };
  const returned = auditOwnTax(
    closed as unknown as Arguments[0],
    begun as unknown as Arguments[1],
    notebook.check(CHECKS.pinned),
    {},
  );
  expect(returned).toEqual({ developer: 0n, holders: 0n });
  return notebook.report(ABOUT).findings.map(({ what, expected, found }) => [what, expected, found]);
}

const RATES = "the tax of a run's sale is that of its rates";

test('a sale is taxed by its rate, and no more than the maximum of it', () => {
  expect(audited({ after: of(30n, 270n) })).toEqual([]);
  expect(audited({ maximumFee: '300', after: of(30n, 270n) })).toEqual([]);
  expect(audited({ maximumFee: '100', after: of(10n, 90n) })).toEqual([]);
  expect(audited({ maximumFee: '100', after: of(30n, 270n) })).toEqual([[RATES, '100', '300']]);
});

test('a run that pays the token itself sells nothing, so that nothing is taxed', () => {
  expect(audited({ asset: 'token', after: of(0n, 0n) })).toEqual([]);
  expect(audited({ asset: 'token', after: of(0n, 300n) })).toEqual([[RATES, '0', '300']]);
});
