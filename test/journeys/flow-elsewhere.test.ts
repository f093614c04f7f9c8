// The four-step flow where lists, log and outcomes are not in the service's one file.
import { COMBINATIONS, tellOfMissingCombinations } from '../support/combinations.ts';
import { stopSharedEventStore } from '../support/event-store-server.ts';
import { describeFlow } from '../support/flow-suite.ts';

tellOfMissingCombinations('the flow');
stopSharedEventStore();

for (const combination of COMBINATIONS) describeFlow(combination);
