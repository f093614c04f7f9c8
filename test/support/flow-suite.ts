/** The four-step flow over HTTP, as clients with either Solana library play it, and what each step answers. */
import {
  createKeyPairFromBytes,
  createSolanaRpc,
  generateKeyPair,
  getAddressFromPublicKey,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  address as kitAddress,
  lamports,
  partiallySignTransaction,
  signBytes,
} from '@solana/kit';
import { getMint, getTokenMetadata, getTransferFeeConfig, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, PublicKey, Transaction } from '@solana/web3.js';
import { CID } from 'multiformats/cid';
import { sha256 } from 'multiformats/hashes/sha2';
import { beforeAll, describe, expect, test } from 'vitest';
import { folderForTheFile } from './after-the-file.ts';
import { createClient, readOwnWrites } from './client.ts';
import type { Combination } from './combinations.ts';
import {
  type Creator,
  connectionTo,
  type Draft,
  imageForm,
  openCreator,
  picture,
  type SignedIn,
  SMALLEST_INPUT,
  type SubmittedToken,
  type UploadedImage,
} from './creator.ts';
import { openMintSecret } from './open-mint-secret.ts';
import { openTestService, type TestService } from './service.ts';

export function describeFlow(combination: Combination): void {
  describe.skipIf(combination.isMissing)(combination.name, () => {
    let service: TestService;
    let creator: Creator;

    beforeAll(async () => {
      const folder = await folderForTheFile();
      service = await openTestService(await combination.environment(folder), { folder });
      if (!combination.isImmediate) readOwnWrites(service.url);
      creator = await openCreator(service);
    });

    describe('the four-step flow', () => {
      test('leads a client with web3.js to a token, at every step', async () => {
        const wallet = await creator.call<{ walletId: string; address: string }>(
          'POST',
          '/tokens/generate-distribution-wallet',
        );
        expect(wallet.status).toBe(200);

        const image = await creator.upload();

        const links = {
          twitter: 'https://x.example/sun',
          telegram: 'https://t.example/sun',
          website: 'https://sun.example/',
        };
        const developerWallet = Keypair.generate().publicKey.toBase58();
        const given = {
          ...SMALLEST_INPUT,
          ...links,
          walletId: wallet.body.walletId,
          imageUri: image.imageUri,
          burnPercent: 10.01,
          developerFeePercent: 5.5,
          developerWallet,
          distributionInterval: '6h',
          percentageToSellPerDistribution: 50,
          rewardToken: 'SOL',
          minimumHoldingRequirement: '1000000',
          transferFeeAdjustable: true,
          immutableMetadata: false,
        };
        const draft = await creator.draft(given);

        const unsigned = Transaction.from(Buffer.from(draft.transaction, 'base64'));
        expect(unsigned.feePayer?.toBase58()).toBe(creator.address);
        expect(unsigned.signatures.map(({ signature }) => signature)).toEqual([null, null, null]);

        const submitted = await creator.submit(draft);
        expect(submitted.mintAddress).toBe(draft.mintKeypair.publicKey);

        const connection = connectionTo(service);
        const mintKey = new PublicKey(submitted.mintAddress);
        const mint = await getMint(connection, mintKey, 'confirmed', TOKEN_2022_PROGRAM_ID);
        expect(mint).toMatchObject({
          supply: 10n ** 15n,
          decimals: 6,
          mintAuthority: null,
          freezeAuthority: null,
        });
        const fee = getTransferFeeConfig(mint);
        expect(fee?.newerTransferFee.transferFeeBasisPoints).toBe(350);
        expect(fee?.transferFeeConfigAuthority.toBase58()).toBe(creator.address);
        expect(fee?.withdrawWithheldAuthority.toBase58()).toBe(wallet.body.address);
        expect(await getTokenMetadata(connection, mintKey)).toMatchObject({
          name: 'Sunrise',
          symbol: 'SUN',
          uri: `${service.url}/metadata/${submitted.mintAddress}.json`,
          updateAuthority: new PublicKey(creator.address),
        });

        const { body: detail } = await creator.call<{ token: object }>(
          'GET',
          `/tokens/${submitted.mintAddress}`,
        );
        const { walletId: _, rewardToken: _r, percentageToSellPerDistribution: _p, ...kept } = given;
        const {
          minimumHoldingRequirement: _m,
          transferFeeAdjustable: _t,
          immutableMetadata: _i,
          ...shown
        } = kept;
        expect(detail.token).toMatchObject({
          ...shown,
          ...submitted.token,
          distributionWallet: wallet.body.address,
        });

        const { body: list } = await creator.call<{ tokens: unknown[] }>('GET', '/tokens');
        expect(list).toMatchObject({ tokens: [submitted.token], pagination: { total: 1 }, next: null });
        const { body: own } = await creator.call<{ tokens: unknown[] }>('GET', '/tokens/me');
        expect(own).toMatchObject({ tokens: [submitted.token], next: null });

        const { body: transaction } = await creator.call('GET', `/transactions/${draft.transactionId}`);
        expect(transaction).toMatchObject({ signature: submitted.signature, settledAt: expect.any(String) });
      });

      test('leads a client with @solana/kit to a token', async () => {
        const client = createClient(service.url);
        const rpc = createSolanaRpc(service.chainUrl);
        const keys = await generateKeyPair();
        const walletAddress = await getAddressFromPublicKey(keys.publicKey);
        await rpc.requestAirdrop(walletAddress, lamports(1_000_000_000n)).send();

        const { challenge } = await client.ask<{ challenge: string }>('POST', '/auth/challenge', {
          json: { walletAddress },
        });
        const signature = getBase58Decoder().decode(
          await signBytes(keys.privateKey, new TextEncoder().encode(challenge)),
        );
        const { token } = await client.ask<SignedIn>('POST', '/auth/verify', {
          json: { walletAddress, signature, message: challenge },
        });
        const { walletId } = await client.ask<{ walletId: string }>(
          'POST',
          '/tokens/generate-distribution-wallet',
        );
        const { imageUri } = await client.ask<UploadedImage>('POST', '/tokens/upload-image', {
          token,
          body: imageForm(picture()),
        });
        const draft = await client.ask<Draft>('POST', '/tokens/create-unsigned', {
          token,
          json: { ...SMALLEST_INPUT, walletId, imageUri },
        });

        const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(draft.transaction));
        expect(Object.keys(unsigned.signatures)[0]).toBe(walletAddress);
        expect(Object.values(unsigned.signatures)).toEqual([null, null, null]);
        const signed = await partiallySignTransaction([keys], unsigned);
        const submitted = await client.ask<SubmittedToken>('POST', '/tokens/submit', {
          token,
          json: {
            transactionId: draft.transactionId,
            signedTransaction: getBase64EncodedWireTransaction(signed),
          },
        });

        const { value: supply } = await rpc.getTokenSupply(kitAddress(submitted.mintAddress)).send();
        expect(supply.amount).toBe('1000000000000000');
      });
    });

    describe('step two, the image', () => {
      test('gives the CID of exactly the bytes that are served, 512x512 JPEG to be kept for ever', async () => {
        const { imageUri, imageCid } = await creator.upload();
        const { headers, bytes } = await createClient(imageUri).call('GET', '');
        expect(CID.createV1(0x55, await sha256.digest(bytes)).toString()).toBe(imageCid);
        expect(imageUri).toBe(`${service.url}/images/${imageCid}.jpg`);
        expect(headers.get('content-type')).toBe('image/jpeg');
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(Buffer.from(bytes.slice(0, 3)).toString('hex')).toBe('ffd8ff');
      });
    });

    describe('step three, the draft', () => {
      test("holds the mint's key, which opens to the creator's wallet alone and has the mint's address", async () => {
        const { mintKeypair } = await creator.draft();
        const opened = await openMintSecret(mintKeypair.secretKey, creator.keypair.secretKey);
        expect(Keypair.fromSecretKey(opened).publicKey.toBase58()).toBe(mintKeypair.publicKey);
        const { publicKey } = await createKeyPairFromBytes(opened);
        expect(await getAddressFromPublicKey(publicKey)).toBe(mintKeypair.publicKey);
        const stranger = Keypair.generate();
        await expect(openMintSecret(mintKeypair.secretKey, stranger.secretKey)).rejects.toThrow();
      });

      test('takes every default of the contract where only what is required is said', async () => {
        const { mintAddress } = await (await openCreator(service)).createToken();
        const mint = await getMint(
          connectionTo(service),
          new PublicKey(mintAddress),
          'confirmed',
          TOKEN_2022_PROGRAM_ID,
        );
        expect(getTransferFeeConfig(mint)?.transferFeeConfigAuthority).toEqual(PublicKey.default);
        const metadata = await getTokenMetadata(connectionTo(service), new PublicKey(mintAddress));
        expect(metadata?.updateAuthority).toBeUndefined();
        const { token } = await creator.client.ask<{ token: object }>('GET', `/tokens/${mintAddress}`);
        expect(token).toMatchObject({
          twitter: '',
          telegram: '',
          website: '',
          burnPercent: 0,
          developerFeePercent: 0,
          distributionInterval: '1h',
          distributionEnabled: true,
        });
      });
    });

    describe('the metadata', () => {
      const path = ({ mintKeypair }: Draft) => `/metadata/${mintKeypair.publicKey}.json`;

      test('are served from the moment that the draft exists, with the links and the image', async () => {
        const other = await openCreator(service);
        const imageUri = (await other.upload()).imageUri;
        const draft = await other.draft({
          imageUri,
          website: 'https://sun.example',
          twitter: 'https://x.example/sun',
        });
        expect(await creator.client.ask('GET', path(draft))).toStrictEqual({
          name: 'Sunrise',
          symbol: 'SUN',
          description: SMALLEST_INPUT.description,
          image: imageUri,
          external_url: 'https://sun.example/',
          twitter: 'https://x.example/sun',
          website: 'https://sun.example/',
        });
        const { headers } = await creator.client.call('GET', path(draft));
        expect(headers.get('cache-control')).toBe('public, max-age=300');
        const held = { 'if-none-match': headers.get('etag') ?? '' };
        const again = await creator.client.call('GET', path(draft), { headers: held });
        expect([again.status, again.bytes.length]).toEqual([304, 0]);
        await other.submit(draft);
        expect(await creator.client.ask('GET', path(draft))).toMatchObject({ image: imageUri });
      });
    });

    describe('x-request-id', () => {
      test('is the one that a caller gives, if it is a sane one', async () => {
        for (const given of ['abc', 'a.b:c-d_e', 'x'.repeat(128)]) {
          const { headers } = await creator.call('GET', '/health', { headers: { 'x-request-id': given } });
          expect(headers.get('x-request-id')).toBe(given);
        }
      });

      test('is made where the caller gives none, or one that could do harm in a log', async () => {
        for (const given of ['', 'a b', '<script>', 'x'.repeat(129), '{"a":1}']) {
          const { headers } = await creator.call('GET', '/health', { headers: { 'x-request-id': given } });
          expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
        }
      });
    });
  });
}
