/** A token's distribution whose service is killed by itself, chain and all, at what a run records. */
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { folderForTheFile } from './after-the-file.ts';
import {
  DISTRIBUTION_ENVIRONMENT,
  type DistributionJourney,
  type DistributionJourneyOptions,
  openDistributionJourney,
} from './distribution-journey.ts';
import { startServiceProcess } from './service-process.ts';

const KILLING = ['--import', 'tsx', fileURLToPath(new URL('./killing-main.ts', import.meta.url))];
/** Milliseconds until a service that was to kill itself is ended otherwise. */
const PATIENCE = 60_000;

export interface Kill {
  /** `before`, `after` or `soon`, an event type and perhaps a purpose, with colons between. */
  readonly at: string;
  /** Milliseconds, with `soon`. */
  readonly delay?: number;
  /** What is done once the service listens. */
  readonly begin?: () => Promise<unknown>;
}

export interface KilledJourney {
  readonly journey: DistributionJourney;
  readonly folder: string;
  untilKilled(kill: Kill): Promise<void>;
}

/** The token has holders, and its service is stopped. */
export async function openKilledJourney(options: DistributionJourneyOptions): Promise<KilledJourney> {
  const folder = await folderForTheFile();
  const first = await startServiceProcess(DISTRIBUTION_ENVIRONMENT, { folder });
  const journey = await openDistributionJourney(first, options);
  await journey.untilFinal();
  await first.stop();
  return {
    journey,
    folder,
    async untilKilled({ at, delay = 0, begin }) {
      const environment = { ...DISTRIBUTION_ENVIRONMENT, KILL_AT: at, KILL_DELAY: String(delay) };
      const service = await startServiceProcess(environment, { folder, program: KILLING }).catch(
        (error: unknown) => {
          expect(String(error), `killed ${at} before it listened`).toMatch(/ended with null/);
          return undefined;
        },
      );
      if (service === undefined) return;
      journey.moveTo(service);
      const overdue = setTimeout(() => service.child.kill('SIGTERM'), PATIENCE);
      // The kill may come before the answer.
      await begin?.().catch(() => undefined);
      const { signal, stderr } = await service.ended;
      clearTimeout(overdue);
      expect(signal, `killed ${at}: ${stderr}`).toBe('SIGKILL');
    },
  };
}
