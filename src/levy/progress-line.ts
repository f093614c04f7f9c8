/** One line on a terminal that says how far long work has come, how fast it goes, and how long it still takes. */

export interface ProgressLine {
  /** `of` is the whole, where it is known. */
  at(done: number, of?: number): void;
  /** Takes the line away. */
  clear(): void;
}

/** Milliseconds between two drawings. */
const PAUSE = 200;

export function createProgressLine({
  title,
  unit,
  stream,
  now = () => performance.now(),
}: {
  readonly title: string;
  /** What is counted, in the plural. */
  readonly unit: string;
  readonly stream: NodeJS.WriteStream;
  readonly now?: () => number;
}): ProgressLine {
  const begun = now();
  let drawnAt = begun;
  let isShown = false;
  return {
    at(done, of) {
      if (!stream.isTTY || now() - drawnAt < PAUSE) return;
      drawnAt = now();
      isShown = true;
      const text = progressText({ title, unit, done, of, seconds: (drawnAt - begun) / 1_000 });
      stream.write(`\r${text.slice(0, Math.max(1, (stream.columns || 80) - 1))}\x1b[K`);
    },
    clear() {
      if (isShown) stream.write('\r\x1b[K');
      isShown = false;
    },
  };
}

/** `checking: 1,200 of 5,000 events (24 %), 600/s, 6 s left` */
export function progressText({
  title,
  unit,
  done,
  of,
  seconds,
}: {
  readonly title: string;
  readonly unit: string;
  readonly done: number;
  readonly of?: number | undefined;
  readonly seconds: number;
}): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const parts = [
    of === undefined
      ? `${counted(done)} ${unit}`
      : `${counted(done)} of ${counted(of)} ${unit} (${of === 0 ? 100 : Math.floor((100 * Math.min(done, of)) / of)} %)`,
    `${counted(Math.round(rate))}/s`,
  ];
  if (of !== undefined && rate > 0) parts.push(`${timeText(Math.max(0, of - done) / rate)} left`);
  return `${title}: ${parts.join(', ')}`;
}

function counted(number: number): string {
  return number.toLocaleString('en-US');
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 100) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
