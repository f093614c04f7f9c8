/** Starts the files first that run for minutes: begun last, one of them keeps every worker but its own waiting. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs the longest files of each tier first. Vitest knows durations only from earlier runs, and assumes that a large file is a
 * slow one.
 */
const LONG = [
  'unit/drafts/one-token-a-wallet.test.ts',
  'unit/kernel/runtime/projector.test.ts',
  'unit/server/delivery/feed/event-feed.test.ts',
  'walks/tour.test.ts',
  'walks/demo.test.ts',
  'contracts/svm/engine-protocol.test.ts',
  'api/events.test.ts',
  'api/distribution.test.ts',
  'contracts/mongodb/blob-store.test.ts',
  'journeys/console-test-wallet.test.ts',
  'journeys/lost-log.test.ts',
  'journeys/kill-leftovers.test.ts',
  'journeys/levy-command.test.ts',
  'journeys/process.test.ts',
  'journeys/archive.test.ts',
  'journeys/settle-endings.test.ts',
  'journeys/chain-fault-node.test.ts',
  'faults/distribution/engine-protocol.test.ts',
  'faults/distribution/many-holders.test.ts',
  'faults/distribution/kills.test.ts',
  'faults/mongodb/kills.test.ts',
  'faults/kill-flow.test.ts',
  'faults/fuzz.test.ts',
  'faults/mongodb/demo.test.ts',
  'faults/demo.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.endsWith(name));
      return place === -1 ? LONG.length : place;
    };
    return sorted.sort((one, other) => order(one) - order(other) || rank(one) - rank(other));
  }
}
