/** Makes a token: fields, then what is to be signed and what it costs, then what became of it. */
import type { CreateUnsignedAnswer } from 'levy-client';
import { LevyError } from 'levy-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { configuration } from '../configuration.ts';
import { EMPTY_FORM, faultsOf, INTERVALS, inputOf, type TokenForm } from '../format/token-form.ts';
import { Address, Words } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { SignReview } from '../parts/sign-review.tsx';
import { Line } from '../parts/signed-action.tsx';
import { Empty } from '../parts/states.tsx';
import { WalletButton } from '../parts/wallet-button.tsx';
import { fieldsNamedBy, sentenceOf } from '../service.ts';
import { connected, forget, lost } from '../wallet.ts';
import { CREATION } from './submissions.tsx';
import { TokenFields } from './token-fields.tsx';

type Stage =
  | { readonly at: 'fields' }
  | { readonly at: 'review'; readonly draft: CreateUnsignedAnswer; readonly signer: string }
  | { readonly at: 'done'; readonly outcome: ComponentChildren };

export function Create() {
  usePageTitle('Create');
  const [form, change] = useState<TokenForm>(EMPTY_FORM);
  const [picture, choose] = useState<File>();
  const [faults, tell] = useState<{ readonly [field: string]: string }>({});
  const [trouble, say] = useState<string>();
  const [isBusy, work] = useState(false);
  const [stage, goTo] = useState<Stage>({ at: 'fields' });
  const own = connected.value;
  const isTest = configuration.value?.faucet === true;
  // Who tries the service out waits for no run longer than they must.
  useEffect(() => {
    if (isTest) change((typed) => ({ ...typed, distributionInterval: INTERVALS[0] }));
  }, [isTest]);

  const prepare = async () => {
    if (own === undefined) return;
    const { client } = own;
    const wrong = { ...faultsOf(form), ...(picture === undefined && { image: 'Choose a picture.' }) };
    tell(wrong);
    say(undefined);
    if (picture === undefined || Object.keys(wrong).length > 0) return focusFirst(wrong);
    work(true);
    try {
      const { walletId } = await client.post('/tokens/generate-distribution-wallet');
      const { imageUri } = await client.uploadImage(picture);
      const draft = await client.post('/tokens/create-unsigned', {
        body: { walletId, imageUri, ...inputOf(form) },
      });
      goTo({ at: 'review', draft, signer: own.account.address });
    } catch (error) {
      const named = fieldsNamedBy(error);
      tell(named);
      say(sentenceOf(error));
      focusFirst(named);
      if (isSessionOver(error)) {
        forget();
        lost.value = 'Your session is over. Connect your wallet again to go on: what you typed is kept.';
      }
    } finally {
      work(false);
    }
  };

  return (
    <>
      <section class="head">
        <div class="grow">
          <h1>Create a token</h1>
          <p class="meta">
            Your wallet signs one transaction and pays for it; the service never holds your key. Nothing is on
            the chain before you have signed.
          </p>
        </div>
      </section>
      {lost.value !== undefined && stage.at !== 'review' && (
        <p class="fault" role="alert">
          {lost.value}
        </p>
      )}
      {stage.at === 'done' ? (
        <section class="card" role="status">
          {stage.outcome}
        </section>
      ) : stage.at === 'review' ? (
        <SignReview
          draft={stage.draft}
          signer={stage.signer}
          verb={CREATION.verb}
          submit={(body, client) => CREATION.submit(body, client, stage.draft.mintKeypair.publicKey)}
          onBack={() => goTo({ at: 'fields' })}
          onDone={(outcome) => goTo({ at: 'done', outcome })}
        >
          <Line name="Token">
            <Words text={form.name} />{' '}
            <small>
              <Words text={form.symbol} />
            </small>
          </Line>
          <Line name="Mint">
            <Address of={stage.draft.mintKeypair.publicKey} name="the mint’s address" />
          </Line>
        </SignReview>
      ) : own === undefined ? (
        <section class="card">
          <Empty title="A wallet is needed to create a token.">
            <WalletButton />
          </Empty>
        </section>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void prepare();
          }}
        >
          <TokenFields form={form} faults={faults} onChange={change} picture={picture} onPicture={choose} />
          <p class="actions">
            <button type="submit" disabled={isBusy}>
              {isBusy ? 'Preparing …' : 'See what is to be signed'}
            </button>
          </p>
          <p class="fault" role="alert">
            {trouble}
          </p>
        </form>
      )}
    </>
  );
}

function isSessionOver(error: unknown): boolean {
  return error instanceof LevyError && error.status === 401;
}

function focusFirst(faults: { readonly [field: string]: string }): void {
  const [first] = Object.keys(faults);
  if (first !== undefined) setTimeout(() => document.getElementById(`field-${first}`)?.focus());
}
