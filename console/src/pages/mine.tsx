/** The signed-in creator's tokens, and what is still to be signed or awaited. */
import type { LevyClient, ListOwnTokensAnswer, Transaction } from 'levy-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { grouped } from '../format/amounts.ts';
import { purposeText } from '../format/texts.ts';
import { countdown } from '../format/times.ts';
import { Address, PageLink, State, Time, TokenPicture, Words } from '../parts/basics.tsx';
import { Lines } from '../parts/lines.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { SignReview } from '../parts/sign-review.tsx';
import { Line } from '../parts/signed-action.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { useAction } from '../parts/use-action.ts';
import type { Draft } from '../parts/use-signing.ts';
import { WalletNeeded } from '../parts/wallet-needed.tsx';
import { now, useAnswer } from '../service.ts';
import { connected, signedIn } from '../wallet.ts';
import { LaunchLines, type LaunchTerms, submissionOf } from './submissions.tsx';

/** Milliseconds. A policy of their own counts the calls for transactions. */
const REFRESHED = 10_000;
/** How many of the newest tokens are shown first: a page of a thousand pictures is slow. */
const FIRST = 50;
/** How many of the newest transactions are shown. */
const SHOWN = 20;

/** A draft that its owner has left, and goes on with. */
interface Resumed {
  readonly draft: Draft & { readonly launch?: LaunchTerms };
  /** Of its token, where that is there already. */
  readonly symbol: string | undefined;
  readonly transaction: Transaction;
  readonly signer: string;
}

export function Mine() {
  usePageTitle('My tokens');
  const [resumed, resume] = useState<Resumed>();
  const [outcome, tell] = useState<ComponentChildren>();
  const own = connected.value;
  return (
    <>
      <section class="head">
        <div class="grow">
          <h1>My tokens</h1>
          <p class="meta">What your wallet has made, and what is still to be signed.</p>
        </div>
      </section>
      {outcome !== undefined && (
        <section class="card" role="status">
          {outcome}
        </section>
      )}
      {resumed !== undefined ? (
        <Resume
          {...resumed}
          onBack={() => resume(undefined)}
          onDone={(what) => {
            resume(undefined);
            tell(what);
          }}
        />
      ) : own === undefined ? (
        <WalletNeeded title="A wallet is needed: its tokens are shown here." />
      ) : (
        <Own
          key={own.account.address}
          client={own.client}
          wallet={own.account.address}
          onResume={(found) => {
            tell(undefined);
            resume({ ...found, signer: own.account.address });
          }}
        />
      )}
    </>
  );
}

/** What is to be signed stays on the page while its signer is away. */
function Resume({
  draft,
  symbol,
  transaction: { purpose, mintAddress },
  signer,
  onBack,
  onDone,
}: Resumed & { readonly onBack: () => void; readonly onDone: (outcome: ComponentChildren) => void }) {
  const submission = submissionOf(purpose);
  if (submission === undefined) return null;
  return (
    <SignReview
      draft={draft}
      signer={signer}
      stays
      verb={submission.verb}
      submit={(body, client) => submission.submit(body, client, mintAddress)}
      onBack={onBack}
      onDone={onDone}
    >
      <Line name="For">{purposeText(purpose)}</Line>
      <Line name="Mint">
        <Address of={mintAddress} name="the mint’s address" />
      </Line>
      {draft.launch !== undefined && <LaunchLines launch={draft.launch} symbol={symbol} />}
    </SignReview>
  );
}

interface OwnProps {
  readonly client: LevyClient;
  readonly wallet: string;
  readonly onResume: (found: Omit<Resumed, 'signer'>) => void;
}

function Own({ client, wallet, onResume }: OwnProps) {
  const recent = useAnswer(
    `transactions ${wallet}`,
    () => signedIn(client.get('/transactions', { params: { query: { limit: SHOWN } } })),
    { every: REFRESHED },
  );
  const own = useAnswer(`mine ${wallet}`, () => signedIn(client.get('/tokens/me')), {
    changedBy: ({ type, data: { creator, tokenId } }) =>
      /^levy\.(tokens\.|distributions\.configured$)/.test(type) &&
      (creator === wallet || tokens.some(({ id }) => id === tokenId)),
  });
  const tokens: ListOwnTokensAnswer['tokens'] = own.data?.tokens ?? [];
  if (recent.data === undefined || own.data === undefined) {
    const { failed, isLoading, again } = own.data === undefined ? own : recent;
    return isLoading ? (
      <Loading what="your tokens" />
    ) : (
      <Failed what="Your tokens" sentence={failed ?? ''} again={again} />
    );
  }
  const { transactions } = recent.data;
  const open = transactions.filter(({ status }) => status === 'awaiting_signature' || status === 'submitted');
  return (
    <>
      {open.length > 0 && (
        <section class="card">
          <h2>
            Under way <span class="sub">{grouped(open.length)}</span>
          </h2>
          <Drafts
            transactions={open}
            tokens={tokens}
            client={client}
            onChange={recent.again}
            onResume={onResume}
          />
        </section>
      )}
      <section class="card">
        <h2>
          Tokens{' '}
          <span class="sub" role="status">
            {grouped(tokens.length)}
          </span>
        </h2>
        {tokens.length === 0 ? (
          <Empty title="This wallet has made no token yet.">
            <p>
              <PageLink to="create">Create one</PageLink>
            </p>
          </Empty>
        ) : (
          <Tokens tokens={tokens} />
        )}
      </section>
    </>
  );
}

function Tokens({ tokens }: Pick<ListOwnTokensAnswer, 'tokens'>) {
  const [isAll, showAll] = useState(false);
  const shown = isAll ? tokens : tokens.slice(0, FIRST);
  return (
    <>
      <Lines columns={['Token', 'Mint', 'Created', 'Distribution']}>
        {shown.map((token) => (
          <tr key={token.id}>
            <td data-name="Token">
              <span class="named">
                <TokenPicture uri={token.imageUri} size={40} />
                <PageLink to={`tokens/${token.mintAddress}`}>
                  <Words text={token.name} />
                </PageLink>
                <small>
                  <Words text={token.symbol} />
                </small>
                <PageLink to={`tokens/${token.mintAddress}/settings`}>Settings</PageLink>
              </span>
            </td>
            <td data-name="Mint">
              <Address of={token.mintAddress} name="the mint’s address" />
            </td>
            <td data-name="Created">
              <Time at={token.createdAt} />
            </td>
            <td data-name="Distribution">
              {token.hidden ? (
                <State kind="bad">hidden by an operator</State>
              ) : token.distributionEnabled ? (
                <State kind="ok">on</State>
              ) : (
                <State kind="off">switched off</State>
              )}
            </td>
          </tr>
        ))}
      </Lines>
      {shown.length < tokens.length && (
        <p class="actions">
          <button type="button" class="quiet" onClick={() => showAll(true)}>
            Show all {grouped(tokens.length)}
          </button>
        </p>
      )}
    </>
  );
}

interface DraftsProps extends Pick<OwnProps, 'client' | 'onResume'> {
  readonly transactions: readonly Transaction[];
  readonly tokens: ListOwnTokensAnswer['tokens'];
  readonly onChange: () => void;
}

function Drafts({ transactions, ...acts }: DraftsProps) {
  return (
    <Lines columns={['For', 'Mint', 'State', '']}>
      {transactions.map((transaction) => (
        <tr key={transaction.transactionId}>
          <td data-name="For">{purposeText(transaction.purpose)}</td>
          <td data-name="Mint">
            <Address of={transaction.mintAddress} name="the mint’s address" />
          </td>
          <td data-name="State">
            {transaction.status === 'submitted' ? (
              <State kind="run">{transaction.waitingFor?.message ?? 'waiting for the chain'}</State>
            ) : (
              <Unsigned {...transaction} />
            )}
          </td>
          <td data-name="">
            {transaction.status === 'awaiting_signature' && <Acts transaction={transaction} {...acts} />}
          </td>
        </tr>
      ))}
    </Lines>
  );
}

function Unsigned({ expiresAt }: Transaction) {
  if (Date.parse(expiresAt) <= now.value) return <State kind="off">not signed, and over</State>;
  return <State kind="off">not signed; over in {countdown(expiresAt, now.value)}</State>;
}

function Acts({
  transaction,
  tokens,
  client,
  onChange,
  onResume,
}: Omit<DraftsProps, 'transactions'> & { readonly transaction: Transaction }) {
  const { transactionId, purpose, expiresAt } = transaction;
  const params = { path: { transactionId } };
  const resuming = useAction(async () => {
    const found = await signedIn(client.get('/transactions/{transactionId}', { params }));
    if (found.transaction === undefined) return onChange();
    const { symbol } = tokens.find(({ mintAddress }) => mintAddress === transaction.mintAddress) ?? {};
    onResume({ draft: { ...found, transaction: found.transaction }, symbol, transaction });
  });
  const cancelling = useAction(async () => {
    await signedIn(client.post('/transactions/{transactionId}/cancel', { params }));
    onChange();
  });
  const isBusy = resuming.isBusy || cancelling.isBusy;
  const canBeSigned = submissionOf(purpose) !== undefined && now.value < Date.parse(expiresAt);
  return (
    <div class="actions">
      {canBeSigned && (
        <button type="button" disabled={isBusy} onClick={() => void resuming.run()}>
          Sign it …
        </button>
      )}
      <button
        type="button"
        class="quiet"
        disabled={isBusy}
        title="Nothing of it is on the chain, and nothing was paid."
        onClick={() => void cancelling.run()}
      >
        {cancelling.isBusy ? 'Cancelling …' : 'Cancel the draft'}
      </button>
      <span class="fault" role="alert">
        {resuming.fault ?? cancelling.fault}
      </span>
    </div>
  );
}
