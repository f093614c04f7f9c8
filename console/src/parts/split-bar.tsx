/** Bar that shows the split of the tax. */
import type { ComponentChildren } from 'preact';
import { percentText } from '../format/amounts.ts';
import { splitOf } from '../format/split.ts';

export interface SplitBarProps {
  readonly burnPercent: number;
  readonly developerFeePercent: number;
}

export function SplitBar({ burnPercent, developerFeePercent }: SplitBarProps) {
  const { burned, developer, holders } = splitOf(burnPercent, developerFeePercent);
  const parts = [
    ['burn', burned, 'burned'],
    ['dev', developer, 'developer'],
    ['hold', holders, 'holders'],
  ] as const;
  const shown = parts.filter(([, percent]) => percent > 0);
  return (
    <div
      class="split"
      role="img"
      aria-label={shown.map(([, percent, name]) => `${percentText(percent)} ${name}`).join(', ')}
    >
      {shown.map(([name, percent]) => (
        <i key={name} class={name} style={{ width: `${percent}%` }} />
      ))}
    </div>
  );
}

export function SplitLegend({
  burnPercent,
  developerFeePercent,
  developer,
  holders,
}: SplitBarProps & {
  readonly developer?: ComponentChildren;
  readonly holders?: ComponentChildren;
}) {
  const split = splitOf(burnPercent, developerFeePercent);
  return (
    <ul class="legend">
      {split.burned > 0 && (
        <li class="burn">
          <b>{percentText(split.burned)}</b> burned
        </li>
      )}
      {split.developer > 0 && (
        <li class="dev">
          <b>{percentText(split.developer)}</b> developer {developer}
        </li>
      )}
      <li class="hold">
        <b>{percentText(split.holders)}</b> holders{holders}
      </li>
    </ul>
  );
}
