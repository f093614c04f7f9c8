// The four-step flow on the embedded default. The journeys play it on everything else.
import { EMBEDDED } from '../support/combinations.ts';
import { describeFlow } from '../support/flow-suite.ts';

describeFlow(EMBEDDED);
