/** Runs the service as it is, but later: the clock of its process, and of those that it starts, is set forward. */
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** What node runs, for a service whose clock is ahead by so many milliseconds. */
export function runsLater(milliseconds: number): readonly string[] {
  const shift = `
    const Present = Date;
    globalThis.Date = class Date extends Present {
      constructor(...parts) {
        if (parts.length === 0) super(Present.now() + ${milliseconds});
        else super(...parts);
      }
      static now() {
        return Present.now() + ${milliseconds};
      }
    };`;
  return ['--import', `data:text/javascript,${encodeURIComponent(shift)}`, MAIN];
}
