/** A new token that is to be signed, and what became of it. */
import type { CreateUnsignedAnswer, SubmitTokenAnswer } from 'levy-client';
import type { TokenForm } from '../format/token-form.ts';
import { Address, PageLink, Words } from '../parts/basics.tsx';

export function ToBeMade({
  draft,
  form,
}: {
  readonly draft: CreateUnsignedAnswer;
  readonly form: TokenForm;
}) {
  return (
    <>
      <div>
        <dt>Token</dt>
        <dd>
          <Words text={form.name} />{' '}
          <small>
            <Words text={form.symbol} />
          </small>
        </dd>
      </div>
      <div>
        <dt>Mint</dt>
        <dd>
          <Address of={draft.mintKeypair.publicKey} name="the mint’s address" />
        </dd>
      </div>
    </>
  );
}

export function Done({ token: { mintAddress, signature, token } }: { readonly token: SubmitTokenAnswer }) {
  return (
    <section class="card" role="status">
      <h2>
        <Words text={token.name} /> is on the chain
      </h2>
      <dl class="sums">
        <div>
          <dt>Mint</dt>
          <dd>
            <Address of={mintAddress} name="the mint’s address" on="address" />
          </dd>
        </div>
        <div>
          <dt>Signature</dt>
          <dd>
            <Address of={signature} name="the signature" on="tx" />
          </dd>
        </div>
      </dl>
      <p>
        <PageLink to={`tokens/${mintAddress}`}>See its page</PageLink>
      </p>
    </section>
  );
}
