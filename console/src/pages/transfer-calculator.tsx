/** Calculator for the received amount of a transfer, now and after a pending tax change. */
import { type GetTokenAnswer, quoteTransfer, type TransferTax } from 'levy-client';
import { useState } from 'preact/hooks';
import { amountFault, percentText, unitsOf } from '../format/amounts.ts';
import { Detail, Exact, Words } from '../parts/basics.tsx';
import { TextField } from '../parts/field.tsx';

type Token = GetTokenAnswer['token'];

export function TransferCalculator({ token }: { readonly token: Token }) {
  const { decimals, symbol, pendingTransferFee: pending } = token;
  const [typed, type] = useState('1,000');
  const fault = amountFault(typed, decimals);
  return (
    <section class="card" aria-labelledby="transfer-calculator">
      <h2 id="transfer-calculator">Transfer calculator</h2>
      <div class="fields">
        <TextField
          name="transfer-amount"
          label={
            <>
              Amount in <Words text={symbol} />
            </>
          }
          fault={fault}
          value={typed}
          inputMode="decimal"
          onType={type}
        />
      </div>
      {fault === undefined && (
        <>
          <Quote units={unitsOf(typed, decimals) ?? '0'} tax={token} token={token} />
          {pending !== undefined && (
            <>
              <p class="meta">
                From epoch {pending.fromEpoch} of the chain, with a tax of{' '}
                {percentText(pending.transferFeePercent)}:
              </p>
              <Quote units={unitsOf(typed, decimals) ?? '0'} tax={pending} token={token} />
            </>
          )}
        </>
      )}
    </section>
  );
}

function Quote({
  units,
  tax,
  token: { decimals, symbol },
}: {
  readonly units: string;
  readonly tax: TransferTax;
  readonly token: Token;
}) {
  const { fee, received } = quoteTransfer(units, tax);
  return (
    <dl class="figures">
      <Detail name="Received">
        <Exact units={received} decimals={decimals} unit={symbol} />
      </Detail>
      <Detail name="Tax">
        <Exact units={fee} decimals={decimals} unit={symbol} />
      </Detail>
    </dl>
  );
}
