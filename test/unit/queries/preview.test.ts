// The preview of a token's next run is for every wallet that may see the token.
import { expect, test, vi } from 'vitest';
import { previewRun } from '../../../src/queries/preview-run.ts';
import { rejection } from '../../../src/streams/rejections.ts';
import { TokenHidden } from '../../../src/streams/token.ts';
import { addresses, ids, tokenCreated } from '../../support/domain-examples.ts';
import { querySpec } from '../../support/query-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const created = happening(tokenId, tokenCreated);
const hidden = happening(tokenId, TokenHidden({ tokenId, reason: 'a copy' }));
const asked = { params: { tokenId }, actor: addresses.otherCreator };
const { given } = querySpec(previewRun);

test('only of a token that is there and shown, and only where previews are made', async () => {
  await given().when(asked).rejects('TOKEN_NOT_FOUND');
  await given(created, hidden).when(asked).rejects('TOKEN_NOT_FOUND');
  const of = vi.fn().mockRejectedValue(rejection('CHAIN_UNAVAILABLE', 'No node answers.'));
  await given(created)
    .when({ ...asked, services: { distributionPreviews: { of } } })
    .rejects('CHAIN_UNAVAILABLE');
  expect(of).toHaveBeenCalledWith(tokenId, asked.actor);
  await given(created).when(asked).rejects('PREVIEW_UNAVAILABLE');
});
