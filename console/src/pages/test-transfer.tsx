/** Test transfer on the embedded chain, which has no traders: the next run pays out its tax. */
import { type DistributionRun, type GetTokenAnswer, quoteTransfer } from 'levy-client';
import { useState } from 'preact/hooks';
import { unitsOf } from '../format/amounts.ts';
import { countdown } from '../format/times.ts';
import { Address, Exact, State, Words } from '../parts/basics.tsx';
import { TextField } from '../parts/field.tsx';
import { useAction } from '../parts/use-action.ts';
import { fieldsNamedBy, levy, now, sentenceOf } from '../service.ts';
import { newAddress } from '../test-wallet.ts';
import { connected, signTransaction } from '../wallet.ts';

type Token = GetTokenAnswer['token'];

interface Sent {
  readonly amount: string;
  readonly tax: string;
  readonly to: string;
  /** Number of the latest run before the transfer. */
  readonly after: number;
}

export function TestTransfer({
  token,
  runs,
}: {
  readonly token: Token;
  /** Newest first. */
  readonly runs: readonly DistributionRun[];
}) {
  const { decimals, symbol, mintAddress, transferFeePercent } = token;
  const [typed, type] = useState('1,000,000');
  const [to, name] = useState('');
  const [faults, point] = useState<{ readonly [field: string]: string }>({});
  const [sent, say] = useState<Sent>();
  const from = connected.value?.account.address;
  const units = unitsOf(typed, decimals);

  const { isBusy, fault, run } = useAction(
    async () => {
      if (from === undefined) return;
      point({});
      say(undefined);
      if (units === undefined || units === '0')
        return point({ amount: `The amount must be a number above 0 with at most ${decimals} decimals.` });
      const receiver = to.trim() === '' ? await newAddress() : to.trim();
      const { transaction } = await levy.post('/faucet/transfers/create-unsigned', {
        body: { mintAddress, sender: from, recipient: receiver, amount: units },
      });
      const signedTransaction = await signTransaction(transaction);
      await levy.post('/faucet/transfers/submit', { body: { signedTransaction } });
      say({
        amount: units,
        tax: quoteTransfer(units, token).fee,
        to: receiver,
        after: runs[0]?.number ?? 0,
      });
    },
    (error) => {
      point(fieldsNamedBy(error));
      return `Nothing was sent: ${sentenceOf(error)}`;
    },
  );

  if (from === undefined) return null;
  return (
    <section class="card" aria-labelledby="test-transfer">
      <h2 id="test-transfer">
        Test transfer <span class="sub">on the embedded chain only</span>
      </h2>
      <p class="meta">
        Sends some of the token from your wallet to another one. The chain withholds {transferFeePercent} % as
        tax, which the next run collects and pays to the holders.
      </p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <div class="fields">
          <TextField
            name="test-amount"
            fault={faults.amount}
            label={
              <>
                Amount in <Words text={symbol} />
              </>
            }
            value={typed}
            inputMode="decimal"
            onType={type}
          />
          <TextField
            name="test-to"
            label="To"
            fault={faults.recipient}
            hint="Leave empty to send to a throwaway wallet."
            class="mono"
            value={to}
            maxLength={64}
            spellcheck={false}
            placeholder="Throwaway wallet"
            onType={name}
          />
        </div>
        <p class="actions">
          <button type="submit" disabled={isBusy}>
            {isBusy ? 'Sending …' : 'Send test transfer'}
          </button>
        </p>
      </form>
      <p class="fault" role="alert">
        {fault}
      </p>
      {sent !== undefined && <WhatFollows sent={sent} token={token} runs={runs} />}
    </section>
  );
}

/** Progress from the transfer to the payment of its tax. */
function WhatFollows({
  sent,
  token,
  runs,
}: {
  readonly sent: Sent;
  readonly token: Token;
  readonly runs: readonly DistributionRun[];
}) {
  const { decimals, symbol } = token;
  const later = runs.filter(({ number }) => number > sent.after);
  const paid = later.findLast(({ status }) => status === 'completed');
  return (
    <>
      <div role="status">
        <p>
          <strong>
            <Exact units={sent.amount} decimals={decimals} unit={symbol} /> sent
          </strong>{' '}
          to <Address of={sent.to} name="the receiver’s address" />;{' '}
          <Exact units={sent.tax} decimals={decimals} unit={symbol} /> of it is tax.
        </p>
      </div>
      <ol class="proof" aria-label="Tax of this transfer">
        <li class="holds">Tax withheld by the chain</li>
        <li class={paid === undefined ? '' : 'holds'}>
          <span role="status">
            {paid !== undefined
              ? `Run #${paid.number} has paid it`
              : later.length > 0 && <State kind="run">A run is in progress</State>}
          </span>
          {later.length === 0 && <NextRun token={token} />}
        </li>
        <li>
          {paid === undefined ? (
            'Then look up your share below and check its proof'
          ) : (
            <a href="#share">Look up your share and check its proof</a>
          )}
        </li>
      </ol>
    </>
  );
}

function NextRun({ token: { distributionState, nextDistributionAt: at } }: { readonly token: Token }) {
  if (distributionState === 'halted' || at === undefined)
    return <>No run is scheduled: the distribution is halted or disabled</>;
  return (
    <>
      The next run collects it within <time dateTime={at}>{countdown(at, now.value)}</time>
      <small>Starts at a random time in the last fifth of the interval, so that nobody can time it.</small>
    </>
  );
}
