// The preview of a token's next run is for its creator.
import { test } from 'vitest';
import { previewRun } from '../../../src/queries/preview-run.ts';
import { addresses, ids, tokenCreated } from '../../support/domain-examples.ts';
import { querySpec } from '../../support/query-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const created = happening(tokenId, tokenCreated);
const params = { tokenId };
const asked = { params, actor: addresses.creator };
const { given } = querySpec(previewRun);

test('only the creator of a token that is there, and only where previews are made', async () => {
  await given().when(asked).rejects('TOKEN_NOT_FOUND');
  await given(created).when({ params, actor: addresses.otherCreator }).rejects('NOT_TOKEN_CREATOR');
  await given(created).when(asked).rejects('PREVIEW_UNAVAILABLE');
});
