/** Asks again and again until something holds; bounded, and tells what it waited for when it never does. */

const PAUSE = 40;

/** Thrown by a look, it ends the waiting: nothing will come of it. */
export class Hopeless extends Error {}

/** The first answer that is neither false nor undefined. What else the look throws counts as "not yet". */
export async function eventually<Found>(
  what: string,
  look: () => Promise<Found | undefined | false>,
  { seconds = 50 }: { readonly seconds?: number } = {},
): Promise<Found> {
  let reason = '';
  for (let tries = (seconds * 1_000) / PAUSE; tries > 0; tries--) {
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      reason = '';
    } catch (error) {
      if (error instanceof Hopeless) throw error;
      reason = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new Error(`it never came about that ${what}${reason}`);
}
