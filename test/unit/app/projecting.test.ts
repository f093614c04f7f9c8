// The role projector keeps its contract over the stand-in for shared read models.
import { sharedProjectorContract } from '../../contracts/shared-projector.contract.ts';
import { openSharedReadModels } from '../../support/shared-read-model.ts';
import { skipPauses } from '../../support/skipped-pauses.ts';

skipPauses();

sharedProjectorContract('the stand-in', async () => openSharedReadModels());
