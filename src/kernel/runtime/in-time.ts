/** Rejects with `late` when the work has not ended after so many milliseconds; the work goes on. */
export function inTime<Result>(
  work: Promise<Result>,
  milliseconds: number,
  late: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), Math.max(0, milliseconds));
    const settled = () => clearTimeout(timer);
    work.then(resolve, reject).then(settled, settled);
  });
}
