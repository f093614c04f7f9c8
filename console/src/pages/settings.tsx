/** Settings page for the creator: fields, pending changes, history, actions and preview of the next run. */
import type { GetTokenAnswer, LevyClient } from 'levy-client';
import { LevyError } from 'levy-client';
import { useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import {
  changeOf,
  faultsOf,
  formOf,
  rebased,
  type SettingsForm,
  type Settings as Values,
} from '../format/settings-form.ts';
import { warningsOf } from '../format/token-form.ts';
import { PageHead, PageLink, Words } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import type { Signing } from '../parts/signed-action.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { useAction } from '../parts/use-action.ts';
import { useSavedInput } from '../parts/use-saved-input.ts';
import { WalletNeeded } from '../parts/wallet-needed.tsx';
import { fieldsNamedBy, levy, sentenceOf, useAnswer } from '../service.ts';
import { connected, lost, signedIn } from '../wallet.ts';
import { RunPreview } from './run-preview.tsx';
import { ChangeTax, LaunchIt, Promote } from './settings-actions.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { Differences, History } from './settings-history.tsx';
import { Owners } from './settings-owners.tsx';

type Token = GetTokenAnswer['token'];

/** Wallet with open reviews, and their number. */
interface Held {
  readonly signer: NonNullable<typeof connected.value>;
  readonly reviews: number;
}

/** Settings with the ETag of their response. */
interface Tagged {
  readonly settings: Values;
  readonly etag: string | undefined;
}

export function Settings() {
  const { mint = '' } = useRoute().params;
  const { data, failed, isLoading, again } = useAnswer(`token ${mint}`, () =>
    levy.get('/tokens/{mintAddress}', {
      params: { path: { mintAddress: mint }, query: { include: 'launch' } },
    }),
  );
  const name = data?.token.name ?? 'a token';
  usePageTitle(`Settings of ${name}`);
  const [held, hold] = useState<Held>();
  const own = connected.value;
  // Reviews stay open while their signer is disconnected, and the input stays when a session ends.
  const isAway = held !== undefined && own?.account.address !== held.signer.account.address;
  const last = useRef(own);
  last.current = own ?? (lost.value === undefined ? undefined : last.current);
  const shown = isAway ? held.signer : last.current;
  const review = () => {
    if (shown !== undefined)
      hold((before) => ({ signer: before?.signer ?? shown, reviews: (before?.reviews ?? 0) + 1 }));
    return () =>
      hold(
        (before) => before && (before.reviews > 1 ? { ...before, reviews: before.reviews - 1 } : undefined),
      );
  };
  return (
    <>
      <PageHead
        title={
          <>
            Settings of <Words text={name} />
          </>
        }
        about={<PageLink to={`tokens/${mint}`}>The token’s page</PageLink>}
      />
      {data === undefined ? (
        isLoading ? (
          <Loading what="the token" />
        ) : (
          <Failed what="The token" sentence={failed ?? ''} again={again} />
        )
      ) : shown === undefined ? (
        <WalletNeeded title="Connect the creator’s wallet: only the creator can change the settings" />
      ) : (
        <>
          {own === undefined && !isAway && (
            <WalletNeeded title="Connect the creator’s wallet. Your input is kept." />
          )}
          <Own
            key={shown.account.address}
            client={shown.client}
            answer={data}
            signing={{ signer: shown.account.address, onReview: review, onDone: again }}
          />
        </>
      )}
    </>
  );
}

function Own({
  client,
  answer,
  signing,
}: {
  readonly client: LevyClient;
  readonly answer: GetTokenAnswer;
  /** Signing context; completion reloads the token. */
  readonly signing: Signing;
}) {
  const { token } = answer;
  const params = { path: { tokenId: token.id } };
  const { data, failed, isLoading, again } = useAnswer(
    `settings ${token.id}`,
    () =>
      signedIn(
        Promise.all([
          client.withETag('/distribution/{tokenId}/settings', { params }),
          client.get('/distribution/{tokenId}/settings/history', { params }),
        ]),
      ),
    { caller: client },
  );
  if (data === undefined)
    return isLoading ? (
      <Loading what="the settings" />
    ) : (
      <Failed what="The settings" sentence={failed ?? ''} again={again} />
    );
  const [{ data: settings, etag }, history] = data;
  const action = { client, answer, signing };
  return (
    <div class="stack">
      <Change client={client} token={token} first={{ settings, etag }} onSaved={again} />
      <RunPreview client={client} token={token} />
      <Owners client={client} tokenId={token.id} />
      <ChangeTax {...action} />
      <Promote {...action} />
      <LaunchIt {...action} />
      <History client={client} token={token} first={history} />
    </div>
  );
}

function Change({
  client,
  token: {
    id,
    decimals,
    currentSupply: { amount: supply },
  },
  first,
  onSaved,
}: {
  readonly client: LevyClient;
  readonly token: Token;
  readonly first: Tagged;
  readonly onSaved: () => void;
}) {
  const [held, hold] = useState(first);
  /** Typed input, and the settings it was based on. */
  const [kept, keep] = useSavedInput<{ readonly form: SettingsForm; readonly on: Values }>(`settings ${id}`);
  const form =
    kept === undefined
      ? formOf(held.settings, decimals)
      : JSON.stringify(kept.on) === JSON.stringify(held.settings)
        ? kept.form
        : rebased(kept.form, kept.on, held.settings, decimals);
  const change = (next: SettingsForm) => keep({ form: next, on: held.settings });
  /** Changes saved by another client. */
  const [theirs, show] = useState<{ readonly from: Values; readonly to: Values }>();
  const [named, point] = useState<{ readonly [field: string]: string }>({});
  const [saved, say] = useState(false);
  const typed = faultsOf(form, decimals, held.settings.partnerShare);
  const isWrong = Object.keys(typed).length > 0;
  const changed = isWrong ? {} : changeOf(form, held.settings, decimals);
  const isChanged = Object.keys(changed).length > 0;

  const { isBusy, fault, run } = useAction(
    async () => {
      point({});
      const params = { path: { tokenId: id } };
      try {
        const { data: settings = held.settings, response } = await signedIn(
          client.api.PATCH('/distribution/{tokenId}/settings', {
            params,
            body: changed,
            headers: held.etag === undefined ? {} : { 'if-match': held.etag },
          }),
        );
        hold({ settings, etag: response.headers.get('etag') ?? undefined });
        keep(undefined);
        show(undefined);
        say(true);
        onSaved();
      } catch (error) {
        if (!(error instanceof LevyError && error.code === 'PRECONDITION_FAILED')) throw error;
        const { data: settings, etag } = await client.withETag('/distribution/{tokenId}/settings', {
          params,
        });
        show({ from: held.settings, to: settings });
        hold({ settings, etag });
      }
    },
    (error) => {
      point(fieldsNamedBy(error));
      return `Nothing was changed: ${sentenceOf(error)}`;
    },
  );

  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <SettingsFields
        form={form}
        partnerShare={held.settings.partnerShare}
        faults={{ ...named, ...typed }}
        warnings={warningsOf(form, supply, decimals)}
        onChange={(next) => {
          say(false);
          change(next);
        }}
      />
      <section class="card" aria-labelledby="differences">
        <h2 id="differences">Pending changes</h2>
        {theirs !== undefined && (
          <div class="failed" role="alert">
            <p>
              <strong>The settings were changed elsewhere.</strong> Your changes were not saved. Compared with
              the current settings:
            </p>
            <Differences
              from={theirs.from}
              to={changeOf(formOf(theirs.to, decimals), theirs.from, decimals)}
              decimals={decimals}
            />
          </div>
        )}
        {isChanged ? (
          <Differences from={held.settings} to={changed} decimals={decimals} />
        ) : (
          <p class="meta">No changes yet.</p>
        )}
        <p class="actions">
          <button type="submit" disabled={isBusy || !isChanged || connected.value === undefined}>
            {isBusy ? 'Saving …' : 'Save changes'}
          </button>
        </p>
        <p role="status">{saved && 'Saved. In effect from the next run.'}</p>
        <p class="fault" role="alert">
          {fault}
        </p>
      </section>
    </form>
  );
}
