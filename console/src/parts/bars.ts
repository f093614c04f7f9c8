/** Bar chart with uPlot in the colours of the page. Loaded on demand. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface Bars {
  readonly numbers: readonly number[];
  readonly values: readonly number[];
}

const HEIGHT = 140;
/** Maximum bar width in pixels. */
const WIDEST = 28;

export function drawBars(place: HTMLElement, { numbers, values }: Bars): { destroy(): void } {
  const colour = (name: string) => getComputedStyle(place).getPropertyValue(name).trim();
  const font = `12px ${colour('--sans')}`;
  const axis = { stroke: () => colour('--soft'), font, ticks: { show: false } };
  const first = numbers[0] ?? 1;
  const last = numbers.at(-1) ?? 1;
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        // Reserves room for twelve bars, so that a few runs do not stretch across the width.
        x: { time: false, range: [Math.min(first, last - 11) - 0.7, last + 0.7] },
        y: { range: (_plot, _least, most) => [0, most === 0 ? 1 : most * 1.08] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 24,
          space: 34,
          incrs: [1, 2, 5, 10, 20, 50],
          values: (_plot, splits) => splits.map((each) => (each >= first && each <= last ? `#${each}` : '')),
        },
        { ...axis, size: 56, space: 34, grid: { stroke: () => colour('--line'), width: 1 } },
      ],
      series: [
        {},
        {
          fill: () => colour('--accent'),
          width: 0,
          points: { show: false },
          paths: uPlot.paths.bars?.({ size: [0.72, WIDEST], radius: 0.15 }),
        },
      ],
    },
    [[...numbers], [...values]],
    place,
  );
  const fit = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT }));
  fit.observe(place);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const repaint = () => plot.redraw();
  scheme.addEventListener('change', repaint);
  return {
    destroy() {
      fit.disconnect();
      scheme.removeEventListener('change', repaint);
      plot.destroy();
    },
  };
}
