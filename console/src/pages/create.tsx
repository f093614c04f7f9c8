/** Page that creates a token: fields, review with its cost, outcome. */
import type { CreateUnsignedAnswer } from 'levy-client';
import { LevyError } from 'levy-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { configuration } from '../configuration.ts';
import { exactAmount, percentText, unitsOf } from '../format/amounts.ts';
import {
  decimalsOf,
  EMPTY_FORM,
  faultsOf,
  INTERVALS,
  inputOf,
  type TokenForm,
  warningsOf,
} from '../format/token-form.ts';
import { Address, Detail, PageHead, Words } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { ChosenPicture } from '../parts/picture-field.tsx';
import { SignReview } from '../parts/sign-review.tsx';
import { SplitBar, SplitLegend } from '../parts/split-bar.tsx';
import { Empty } from '../parts/states.tsx';
import { useSavedInput } from '../parts/use-saved-input.ts';
import { WalletButton } from '../parts/wallet-button.tsx';
import { fieldsNamedBy, sentenceOf } from '../service.ts';
import { connected, forget, lost } from '../wallet.ts';
import { CREATION } from './submissions.tsx';
import { TokenFields } from './token-fields.tsx';

type Stage =
  | { readonly at: 'fields' }
  | { readonly at: 'review'; readonly draft: CreateUnsignedAnswer; readonly signer: string }
  | { readonly at: 'done'; readonly outcome: ComponentChildren };

/** Selected picture. A module variable survives navigation; files cannot survive a reload. */
let chosen: File | undefined;

export function Create() {
  usePageTitle('Create');
  const isTest = configuration.value?.faucet === true;
  const [typed, change] = useSavedInput<TokenForm>('create');
  // Propose the shortest interval on the embedded chain, so that a run is soon.
  const form = typed ?? (isTest ? { ...EMPTY_FORM, distributionInterval: INTERVALS[0] } : EMPTY_FORM);
  const [picture, show] = useState(chosen);
  const choose = (file: File | undefined) => {
    chosen = file;
    show(file);
  };
  const [isTried, tryIt] = useState(false);
  const [named, point] = useState<{ readonly [field: string]: string }>({});
  const [trouble, say] = useState<string>();
  const [isBusy, work] = useState(false);
  const [stage, goTo] = useState<Stage>({ at: 'fields' });
  const own = connected.value;
  const wrong = {
    ...faultsOf(form, configuration.value?.tokens),
    ...(picture === undefined && { image: 'Choose a picture.' }),
  };
  // Show errors of filled fields only, until the first attempt to submit.
  const faults = Object.fromEntries(
    Object.entries({ ...named, ...wrong }).filter(([field]) => isTried || isFilled(form, field)),
  );
  const decimals = decimalsOf(form) ?? 0;

  const prepare = async () => {
    if (own === undefined) return;
    const { client } = own;
    tryIt(true);
    point({});
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
      const found = fieldsNamedBy(error);
      point(found);
      say(sentenceOf(error));
      focusFirst(found);
      if (isSessionOver(error)) {
        forget();
        lost.value = 'Your session has ended. Connect your wallet again; your input is kept.';
      }
    } finally {
      work(false);
    }
  };

  return (
    <>
      <PageHead
        title="Create a token"
        about="Your wallet signs and pays for one transaction. Nothing reaches the chain before you sign. The service never holds your key."
      />
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
          onDone={(outcome) => {
            change(undefined);
            choose(undefined);
            goTo({ at: 'done', outcome });
          }}
        >
          <Detail name="Picture">
            <ChosenPicture picture={picture} />
          </Detail>
          <Detail name="Token">
            <Words text={form.name} />{' '}
            <small>
              <Words text={form.symbol} />
            </small>
          </Detail>
          <Detail name="Supply">
            {exactAmount(unitsOf(form.supply, decimals) ?? '0', decimals)}
            <small>all of it to your wallet</small>
          </Detail>
          <Detail name="Tax">
            {percentText(Number(form.transferFeePercent))} of each transfer
            <SplitBar {...splitOf(form)} />
            <SplitLegend {...splitOf(form)} />
          </Detail>
          <Detail name="Mint">
            <Address of={stage.draft.mintKeypair.publicKey} name="the mint’s address" />
          </Detail>
        </SignReview>
      ) : own === undefined ? (
        <section class="card">
          <Empty title="Connect a wallet to create a token">
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
          <TokenFields
            form={form}
            faults={faults}
            warnings={warningsOf(form, unitsOf(form.supply, decimals), decimals)}
            onChange={(next) => {
              point({});
              change(next);
            }}
            picture={picture}
            onPicture={choose}
          />
          <p class="actions">
            <button type="submit" disabled={isBusy}>
              {isBusy ? 'Preparing …' : 'Review transaction'}
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

function splitOf({ burnPercent, developerFeePercent }: TokenForm) {
  return { burnPercent: Number(burnPercent), developerFeePercent: Number(developerFeePercent) };
}

function isFilled(form: TokenForm, field: string): boolean {
  return field in form && form[field as keyof TokenForm] !== '';
}

function isSessionOver(error: unknown): boolean {
  return error instanceof LevyError && error.status === 401;
}

function focusFirst(faults: { readonly [field: string]: string }): void {
  const [first] = Object.keys(faults);
  if (first !== undefined) setTimeout(() => document.getElementById(`field-${first}`)?.focus());
}
