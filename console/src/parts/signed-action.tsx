/** Card for an action that needs a signature: fields, review, outcome. */

import type { LevyClient } from 'levy-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { fieldsNamedBy, sentenceOf } from '../service.ts';
import { connected, signedIn } from '../wallet.ts';
import { SignReview } from './sign-review.tsx';
import { useAction } from './use-action.ts';
import type { Draft, Signed } from './use-signing.ts';

interface SignedActionProps<Prepared extends Draft> {
  readonly id: string;
  readonly title: string;
  readonly about: ComponentChildren;
  readonly verb: string;
  readonly fields: (faults: { readonly [field: string]: string }) => ComponentChildren;
  /** Errors by field, found before the request. */
  readonly faults: { readonly [field: string]: string | undefined };
  readonly prepare: () => Promise<Prepared>;
  /** Entries of a `dl` that describe the transaction. */
  readonly lines: (draft: Prepared) => ComponentChildren;
  /** Submits the transaction with the signer's client. */
  readonly submit: (signed: Signed, client: LevyClient) => Promise<ComponentChildren>;
  readonly signing: Signing;
}

export interface Signing {
  /** Address of the signing wallet. */
  readonly signer: string;
  /** Reports an open review; the returned function reports its end. */
  readonly onReview: () => () => void;
  readonly onDone: () => void;
}

export function SignedAction<Prepared extends Draft>(props: SignedActionProps<Prepared>) {
  const { id, title, about, verb, fields, prepare, lines, submit, signing } = props;
  const { signer, onReview, onDone } = signing;
  const [draft, hold] = useState<Prepared>();
  const [done, tell] = useState<ComponentChildren>();
  const [named, point] = useState<{ readonly [field: string]: string }>({});
  const isThere = connected.value?.account.address === signer;
  useEffect(() => (draft === undefined ? undefined : onReview()), [draft === undefined]);
  const own = Object.entries(props.faults).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const { isBusy, fault, run } = useAction(
    async () => {
      point({});
      tell(undefined);
      hold(await signedIn(prepare()));
    },
    (error) => {
      point(fieldsNamedBy(error));
      return `Nothing was prepared: ${sentenceOf(error)}`;
    },
  );
  if (draft !== undefined)
    return (
      <SignReview
        draft={draft}
        signer={signer}
        verb={verb}
        submit={submit}
        onBack={() => hold(undefined)}
        onDone={(outcome) => {
          hold(undefined);
          tell(outcome);
          onDone();
        }}
      >
        {lines(draft)}
      </SignReview>
    );
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="meta">{about}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <div class="fields">{fields({ ...named, ...Object.fromEntries(own) })}</div>
        <p class="actions">
          <button type="submit" class="quiet" disabled={isBusy || !isThere || own.length > 0}>
            {isBusy ? 'Preparing …' : 'Review transaction'}
          </button>
        </p>
      </form>
      <p class="fault" role="alert">
        {fault}
      </p>
      <div role="status">{done}</div>
    </section>
  );
}

/** Placeholder for an unavailable action. */
export function NoAction({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="meta">{children}</p>
    </section>
  );
}
