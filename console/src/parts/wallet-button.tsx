/** Button that connects a browser wallet, and shows the connected one. */
import type { Wallet } from '@wallet-standard/base';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { configuration } from '../configuration.ts';
import { exactAmount, SOL_DECIMALS } from '../format/amounts.ts';
import { isTestWallet } from '../format/test-wallet-name.ts';
import { cutAddress, visibleText } from '../format/texts.ts';
import { levy, sentenceOf } from '../service.ts';
import { connect, connected, disconnect, lost, wallets } from '../wallet.ts';
import { PageLink } from './basics.tsx';

export function WalletButton() {
  const dialog = useRef<HTMLDialogElement>(null);
  const now = connected.value;
  const { path } = useLocation();
  useEffect(() => dialog.current?.close(), [path]);
  return (
    <>
      <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => dialog.current?.showModal()}>
        {now === undefined ? (
          'Connect a wallet'
        ) : (
          <>
            {visibleText(now.wallet.name)} <span class="mono">{cutAddress(now.account.address)}</span>
          </>
        )}
      </button>
      <dialog ref={dialog} aria-labelledby="wallet-title">
        <h2 id="wallet-title">{now === undefined ? 'Connect a wallet' : 'Connected'}</h2>
        {now === undefined ? <Choices onDone={() => dialog.current?.close()} /> : <Connected />}
        <p class="actions">
          <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </p>
      </dialog>
    </>
  );
}

function Connected() {
  const [isBusy, work] = useState(false);
  const [told, tell] = useState<string>();
  const now = connected.value;
  const isTest = now !== undefined && isTestWallet(now.wallet);
  const give = async () => {
    if (now === undefined) return;
    work(true);
    tell(undefined);
    try {
      const { lamports } = await levy.post('/faucet', { body: { walletAddress: now.account.address } });
      tell(`${exactAmount(lamports, SOL_DECIMALS)} worthless SOL received.`);
    } catch (error) {
      tell(`The faucet failed: ${sentenceOf(error)}`);
    } finally {
      work(false);
    }
  };
  return (
    <>
      <p class="mono">{now?.account.address}</p>
      <p>
        <PageLink to={`wallets/${now?.account.address}`}>Payments and proofs of this wallet</PageLink>
      </p>
      {isTest && (
        <p class="meta">
          This test wallet exists only in this tab. Its key and everything it holds are lost when the tab is
          closed.
        </p>
      )}
      <p class="actions">
        {configuration.value?.faucet && (
          <button type="button" disabled={isBusy} onClick={() => void give()}>
            {isBusy ? 'Requesting …' : 'Get 2 SOL from the faucet'}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => void disconnect()}>
          Sign out
        </button>
      </p>
      <p class="meta" role="status">
        {told}
      </p>
    </>
  );
}

function Choices({ onDone }: { readonly onDone: () => void }) {
  const [busy, work] = useState<string>();
  const [fault, tell] = useState<string>();
  const choose = async (wallet: Wallet) => {
    work(wallet.name);
    tell(undefined);
    try {
      await connect(wallet);
      onDone();
    } catch (error) {
      tell(`Not connected: ${sentenceOf(error)}`);
    } finally {
      work(undefined);
    }
  };
  return (
    <>
      <p class="meta">
        You sign a text message, which costs nothing and sends no transaction. The console never sees a
        wallet’s key.
        {wallets.value.some(isTestWallet) &&
          ' The test wallet is a throwaway made in this tab, with 2 worthless SOL.'}
      </p>
      {lost.value !== undefined && <p class="fault">{lost.value}</p>}
      {wallets.value.length === 0 && (
        <p>
          <strong>No Solana wallet found in this browser.</strong> Install one that supports the Wallet
          Standard; it appears here.
        </p>
      )}
      <div class="actions">
        {wallets.value.map((wallet) => (
          <button
            key={wallet.name}
            type="button"
            class="quiet"
            disabled={busy !== undefined}
            onClick={() => void choose(wallet)}
          >
            <img src={wallet.icon} alt="" width={20} height={20} /> {visibleText(wallet.name)}
            {busy === wallet.name && ' …'}
          </button>
        ))}
      </div>
      <p class="fault" role="status">
        {fault}
      </p>
    </>
  );
}
