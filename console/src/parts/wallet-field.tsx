/** Input for a wallet's address, with a button that fills in the connected wallet. */
import { useEffect, useState } from 'preact/hooks';
import { address } from '../wallet.ts';

/** Minimum characters of an address; shorter input triggers no request. */
const MIN_ADDRESS = 32;

export function WalletField({
  wallet,
  onLookUp,
}: {
  /** Wallet that the page shows; empty if none. */
  readonly wallet: string;
  readonly onLookUp: (wallet: string) => void;
}) {
  const [typed, type] = useState(wallet);
  useEffect(() => type(wallet), [wallet]);
  const lookUp = (text: string) => {
    type(text);
    const asked = text.trim();
    if (asked.length >= MIN_ADDRESS || (asked === '' && wallet !== '')) onLookUp(asked);
  };
  return (
    <>
      <label>
        Wallet
        <input
          class="mono"
          value={typed}
          maxLength={64}
          placeholder="Any address"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => lookUp(currentTarget.value)}
        />
      </label>
      {address.value !== undefined && address.value !== wallet && (
        <p class="actions">
          <button type="button" class="quiet" onClick={() => lookUp(address.value ?? '')}>
            Look up my wallet
          </button>
        </p>
      )}
    </>
  );
}
