/** The signed-in creator's tokens, and what is still to be signed or awaited. */
import type { LevyClient, ListOwnTokensAnswer, Transaction } from 'levy-client';
import { useState } from 'preact/hooks';
import { grouped } from '../format/amounts.ts';
import { purposeText } from '../format/texts.ts';
import { countdown } from '../format/times.ts';
import { Address, PageLink, State, Time, TokenPicture, Words } from '../parts/basics.tsx';
import { Lines } from '../parts/lines.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { useAction } from '../parts/use-action.ts';
import { WalletNeeded } from '../parts/wallet-needed.tsx';
import { now, useAnswer } from '../service.ts';
import { connected, signedIn } from '../wallet.ts';

const REFRESHED = 10_000;
/** How many of the newest tokens are shown first: a page of a thousand pictures is slow. */
const FIRST = 50;
/** How many of the newest transactions are shown. */
const SHOWN = 20;

export function Mine() {
  usePageTitle('My tokens');
  const now = connected.value;
  return (
    <>
      <section class="head">
        <div class="grow">
          <h1>My tokens</h1>
          <p class="meta">What your wallet has made, and what is still to be signed.</p>
        </div>
      </section>
      {now === undefined ? (
        <WalletNeeded title="A wallet is needed: its tokens are shown here." />
      ) : (
        <Own key={now.account.address} client={now.client} wallet={now.account.address} />
      )}
    </>
  );
}

function Own({ client, wallet }: { readonly client: LevyClient; readonly wallet: string }) {
  const { data, failed, isLoading, again } = useAnswer(
    `mine ${wallet}`,
    () =>
      signedIn(
        Promise.all([
          client.get('/tokens/me'),
          client.get('/transactions', { params: { query: { limit: SHOWN } } }),
        ]),
      ),
    { every: REFRESHED },
  );
  if (data === undefined)
    return isLoading ? (
      <Loading what="your tokens" />
    ) : (
      <Failed what="Your tokens" sentence={failed ?? ''} again={again} />
    );
  const [{ tokens }, { transactions }] = data;
  const open = transactions.filter(({ status }) => status === 'awaiting_signature' || status === 'submitted');
  return (
    <>
      {open.length > 0 && (
        <section class="card">
          <h2>
            Under way <span class="sub">{grouped(open.length)}</span>
          </h2>
          <Drafts transactions={open} client={client} onChange={again} />
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

function Drafts({
  transactions,
  client,
  onChange,
}: {
  readonly transactions: readonly Transaction[];
  readonly client: LevyClient;
  readonly onChange: () => void;
}) {
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
              <State kind="off">not signed; over in {countdown(transaction.expiresAt, now.value)}</State>
            )}
          </td>
          <td data-name="">
            {transaction.status === 'awaiting_signature' && (
              <Cancel id={transaction.transactionId} client={client} onChange={onChange} />
            )}
          </td>
        </tr>
      ))}
    </Lines>
  );
}

/** Nothing of a draft is on the chain: cancelling it only makes room for another. */
function Cancel({
  id,
  client,
  onChange,
}: {
  readonly id: string;
  readonly client: LevyClient;
  readonly onChange: () => void;
}) {
  const { isBusy, fault, run } = useAction(async () => {
    await signedIn(
      client.post('/transactions/{transactionId}/cancel', { params: { path: { transactionId: id } } }),
    );
    onChange();
  });
  return (
    <>
      <button
        type="button"
        class="quiet"
        disabled={isBusy}
        title="Nothing of it is on the chain, and nothing was paid."
        onClick={() => void run()}
      >
        {isBusy ? 'Cancelling …' : 'Cancel the draft'}
      </button>
      <span class="fault" role="alert">
        {fault}
      </span>
    </>
  );
}
