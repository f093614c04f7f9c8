/** Tokens of the signed-in creator, with unsigned drafts and pending submissions. */
import type { LevyClient, ListOwnTokensAnswer, Transaction } from 'levy-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { grouped } from '../format/amounts.ts';
import { purposeText } from '../format/texts.ts';
import { countdown } from '../format/times.ts';
import { Address, Detail, PageHead, PageLink, State, Time, TokenPicture, Words } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { SignReview } from '../parts/sign-review.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useAction } from '../parts/use-action.ts';
import type { Draft } from '../parts/use-signing.ts';
import { WalletNeeded } from '../parts/wallet-needed.tsx';
import { now, useAnswer } from '../service.ts';
import { connected, signedIn } from '../wallet.ts';
import { LaunchLines, type LaunchTerms, submissionOf } from './submissions.tsx';

/** Milliseconds between refreshes. Transaction calls have a separate rate limit. */
const REFRESHED = 10_000;
/** Tokens shown initially, because rendering a thousand pictures is slow. */
const FIRST = 50;
/** Transactions shown. */
const PAGE_SIZE = 20;

/** Open draft that its owner resumes. */
interface Resumed {
  readonly draft: Draft & { readonly launch?: LaunchTerms };
  /** Symbol of the token, if it exists. */
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
      <PageHead title="My tokens" about="Tokens of your wallet, and drafts to sign." />
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
        <WalletNeeded title="Connect a wallet to see its tokens" />
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

/** Review of a resumed draft. The review stays open while its signer is disconnected. */
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
      <Detail name="For">{purposeText(purpose)}</Detail>
      <Detail name="Mint">
        <Address of={mintAddress} name="the mint’s address" />
      </Detail>
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
    () => signedIn(client.get('/transactions', { params: { query: { limit: PAGE_SIZE } } })),
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
            In progress <span class="sub">{grouped(open.length)}</span>
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
          <Empty title="This wallet has no tokens yet">
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
      <Table
        rows={shown}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Token',
            cell: ({ imageUri, mintAddress, name, symbol }) => (
              <span class="named">
                <TokenPicture uri={imageUri} size={40} />
                <PageLink to={`tokens/${mintAddress}`}>
                  <Words text={name} />
                </PageLink>
                <small>
                  <Words text={symbol} />
                </small>
                <PageLink to={`tokens/${mintAddress}/settings`}>Settings</PageLink>
              </span>
            ),
          },
          { name: 'Mint', cell: ({ mintAddress }) => <Address of={mintAddress} name="the mint’s address" /> },
          { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: 'Distribution',
            cell: ({ hidden, distributionEnabled }) =>
              hidden ? (
                <State kind="bad">hidden by an operator</State>
              ) : distributionEnabled ? (
                <State kind="ok">on</State>
              ) : (
                <State kind="off">switched off</State>
              ),
          },
        ]}
      />
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
    <Table
      rows={transactions}
      keyOf={({ transactionId }) => transactionId}
      columns={[
        { name: 'Purpose', cell: ({ purpose }) => purposeText(purpose) },
        { name: 'Mint', cell: ({ mintAddress }) => <Address of={mintAddress} name="the mint’s address" /> },
        {
          name: 'State',
          cell: (transaction) =>
            transaction.status === 'submitted' ? (
              <State kind="run">{transaction.waitingFor?.message ?? 'waiting for the chain'}</State>
            ) : (
              <Unsigned {...transaction} />
            ),
        },
        {
          name: '',
          cell: (transaction) =>
            transaction.status === 'awaiting_signature' && <Acts transaction={transaction} {...acts} />,
        },
      ]}
    />
  );
}

function Unsigned({ expiresAt }: Transaction) {
  if (Date.parse(expiresAt) <= now.value) return <State kind="off">unsigned, expired</State>;
  return <State kind="off">unsigned; expires in {countdown(expiresAt, now.value)}</State>;
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
          Sign …
        </button>
      )}
      <button
        type="button"
        class="quiet"
        disabled={isBusy}
        title="Nothing was sent and nothing was paid."
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
