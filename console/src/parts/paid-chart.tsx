/** Bar chart of the payments to holders in the latest runs. The table next to it has the same figures. */
import type { GetTokenAnswer } from 'levy-client';
import { useEffect, useRef } from 'preact/hooks';
import { assetOf, exactAmount, unitOfAsset } from '../format/amounts.ts';
import { levy, useAnswer } from '../service.ts';

const MAX_RUNS = 48;

export function PaidChart({
  token,
  closed,
}: {
  readonly token: GetTokenAnswer['token'];
  readonly closed: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const asset = assetOf(token);
  const { decimals } = unitOfAsset(asset, token);
  // Requested again only when a run closes.
  const { data } = useAnswer(`series ${token.id} ${closed}`, () =>
    levy.get('/distribution/{tokenId}/series', {
      params: { path: { tokenId: token.id }, query: { by: 'run', limit: MAX_RUNS } },
    }),
  );
  const points = data?.points ?? [];
  const paid = points.map(({ paidTo: { toHolders } }) => toHolders[asset]);

  useEffect(() => {
    const element = place.current;
    if (element === null || paid.length === 0) return;
    let chart: { destroy(): void } | undefined;
    let isOver = false;
    void import('./bars.ts').then(({ drawBars }) => {
      if (isOver) return;
      chart = drawBars(element, {
        numbers: points.map(({ number }) => number ?? 0),
        // Float precision is sufficient at pixel resolution.
        values: paid.map((units) => Number(units) / 10 ** decimals),
      });
    });
    return () => {
      isOver = true;
      chart?.destroy();
    };
  }, [data]);

  if (paid.length === 0) return <div class="chart" aria-hidden="true" />;
  const sorted = paid.map(BigInt).sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const [least, most] = [sorted[0] ?? 0n, sorted.at(-1) ?? 0n].map((units) =>
    exactAmount(units.toString(), decimals),
  );
  return (
    <div
      class="chart"
      ref={place}
      role="img"
      aria-label={`${paid.length} runs, between ${least} and ${most} a run`}
    />
  );
}
