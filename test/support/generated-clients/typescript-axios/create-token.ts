// Makes a token, walks the list and changes settings with the client that openapi-generator generates for axios, and reads a refusal as data.
import { readFileSync } from 'node:fs';
import axios from 'axios';
import {
  Configuration,
  DistributionApi,
  LaunchState,
  type Problem,
  SignInApi,
  type TokenInput,
  TokenSort,
  TokensApi,
} from './levy';

const [url = '', wallet = '', address = '', image = ''] = process.argv.slice(2);

async function signed(what: string, text: string): Promise<string> {
  return (
    await axios.post(`${wallet}/${what}`, text, {
      responseType: 'text',
      headers: { 'content-type': 'text/plain' },
    })
  ).data;
}

async function main(): Promise<void> {
  const signIn = new SignInApi(new Configuration({ basePath: url }));
  const { challenge } = (await signIn.createChallenge({ walletAddress: address })).data;
  const signature = await signed('message', challenge);
  const { token } = (await signIn.verifySignIn({ walletAddress: address, message: challenge, signature }))
    .data;
  const session = new Configuration({ basePath: url, accessToken: token });
  const [tokens, distribution] = [new TokensApi(session), new DistributionApi(session)];

  const picture = new File([readFileSync(image)], 'token.png', { type: 'image/png' });
  const wished: TokenInput = {
    walletId: (await tokens.generateDistributionWallet()).data.walletId,
    imageUri: (await tokens.uploadImage(picture)).data.imageUri,
    name: 'Sunrise',
    symbol: 'SUN',
    description: 'Made with a generated client.',
    transferFeePercent: 3.5,
    decimals: 6,
    supply: '1000000000000000',
  };
  const draft = (await tokens.createTokenDraft(wished)).data;
  const signedTransaction = await signed('transaction', draft.transaction);
  const created = (await tokens.submitToken({ transactionId: draft.transactionId, signedTransaction })).data;

  const list = async (page: number, after?: string) =>
    (
      await tokens.listTokens(
        page,
        1,
        after,
        TokenSort.TOKEN_SORT_PAID,
        undefined,
        undefined,
        undefined,
        'SOL',
        LaunchState.LAUNCH_STATE_NONE,
      )
    ).data;
  const walked: string[] = [];
  for (let after: string | undefined, more = true; more; ) {
    const page = await list(1, after);
    walked.push(...page.tokens.map(({ mintAddress }) => mintAddress));
    after = page.next ?? undefined;
    more = after !== undefined;
  }
  const { id } = created.token;
  const changed = (await distribution.updateSettings(id, { burnPercent: 7, telegramGroupId: '' })).data;
  const { changes } = (await distribution.listSettingsChanges(id)).data;

  const refused = await tokens.createTokenDraft({ ...wished, supply: 'none' }).then(
    () => undefined,
    (error): Problem => error.response.data,
  );
  console.log(
    JSON.stringify({
      mintAddress: created.mintAddress,
      refused: { status: refused?.status, code: refused?.code, field: refused?.details?.[0]?.path[0] },
      walked,
      second: (await list(2)).tokens[0]?.mintAddress,
      changed: [changed.burnPercent, changed.distributionInterval, changed.distributionEnabled],
      burnedBefore: changes.map(({ before }) => before?.burnPercent ?? null),
    }),
  );
}

main().catch((error) => {
  console.error(error.response?.data ?? error);
  process.exitCode = 1;
});
