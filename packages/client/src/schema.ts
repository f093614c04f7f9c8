// Types of every call of the API, generated from its description by `npm run client`: do not edit.

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public keys of access tokens (JWKS)
         * @description The Ed25519 keys that verify access tokens of this service (RFC 7517). Cache them, and ask again when a token names an unknown `kid`.
         */
        get: operations["getSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a message to sign in with
         * @description Show the text to the wallet, which signs it as it is, and send both to `POST /auth/verify`. A challenge is valid for five minutes and can be used once. Nothing is recorded.
         */
        post: operations["createChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke the access token in hand
         * @description The token is refused from then on, by every process of the service. Calls with it that are under way end as usual.
         */
        post: operations["revokeAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a signed challenge
         * @description Checks that the wallet signed the challenge, over its text or over its off-chain-message envelope, and answers the access token for `Authorization: Bearer`. Wrong signature, other wallet, changed text, used or expired challenge: all answer `SIGN_IN_FAILED`.
         */
        post: operations["verifySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faucet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get SOL of the embedded chain
         * @description For trying the service out: gives a wallet 2 SOL that are worth nothing, and answers when they have arrived. Only on the embedded chain (`faucet` of `GET /config`); on any other one it answers 404 `NO_FAUCET`. Nothing is recorded.
         */
        post: operations["requestTestLamports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faucet/transfers/create-unsigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a transfer of a token to sign
         * @description For trying the service out on the embedded chain, where nobody trades: one wallet sends another some of a token, and the chain keeps the tax back. The sender signs it and pays for it; `POST /faucet/transfers/submit` sends it. On any other chain it answers 404 `NO_FAUCET`.
         */
        post: operations["createTestTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faucet/transfers/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signed transfer
         * @description Sends what `POST /faucet/transfers/create-unsigned` gave, signed by its sender, and answers when the chain has confirmed it. Only on the embedded chain; on any other one it answers 404 `NO_FAUCET`.
         */
        post: operations["submitTestTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tokens
         * @description All visible tokens, newest first: by `page`, or by `after` from one page to the next. A page past the end is an empty list. Filters may stand together. A search looks at its first 10,000 matches, with another `sort` at its first 1,000; of the filters it takes `creator` or `partner`. With another `sort`, `rewardToken`, `launchState`, or `creator` and `partner` together, page numbers reach the first 10,000 tokens. `pagination.page` is 1 with `after`, wherever the page is. `total` counts to 10,000 at most with `rewardToken`, `launchState`, or `creator` and `partner` together. A token that gets another place in the order between two pages may come twice, or not at all; every other token comes once.
         */
        get: operations["listTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{mintAddress}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a token
         * @description Everything public about a token. A token that operators hide is shown only to its creator, signed in. With `include`, a page about it in one call: each part is what its own route answers, and `settings` is the public part of them.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{mintAddress}/transfer-fee/create-unsigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the unsigned transaction that changes a token's tax
         * @description For tokens that were created with `transferFeeAdjustable`: sign the transaction and send it to `POST /tokens/{mintAddress}/transfer-fee/submit`. The chain applies the new rate two epochs later.
         */
        post: operations["changeTransferFee"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{mintAddress}/transfer-fee/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the signed change of a token's tax
         * @description Sends the signed transaction and answers once it is final. The same call again gives the same outcome: after a `CONFIRMATION_PENDING`, repeat it or ask `GET /transactions/{transactionId}`.
         */
        post: operations["submitTransferFee"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/create-unsigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the unsigned transaction that creates a token
         * @description The third of the four steps, after the wallet and the image. Nothing is paid or put on the chain before the signed transaction is submitted. The creator pays the fee and the rent, `cost` in all. Valid for five minutes; at most three such drafts a wallet are open.
         */
        post: operations["createTokenDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/generate-distribution-wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a distribution wallet
         * @description The first of the four steps, usually when the form for a token opens. The wallet collects the token's tax; its key is derived by the service, and never leaves it. A wallet belongs to one token.
         */
        post: operations["generateDistributionWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own tokens
         * @description The tokens that the signed-in wallet created, newest first, those that operators hide included.
         */
        get: operations["listOwnTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the signed transaction
         * @description The last of the four steps. Sends the signed transaction and answers once the chain has confirmed it. The same call again never makes a second token: after a `CONFIRMATION_PENDING`, repeat it or ask `GET /transactions/{transactionId}`.
         */
        post: operations["submitToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/upload-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a token image
         * @description The second of the four steps. The image is checked by its content, scaled to 512x512 and stored as JPEG under a name that follows from it: the same image has the same `imageUri`. Images that no token uses are removed after 24 hours.
         */
        post: operations["uploadImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own transactions
         * @description Newest first. `status=awaiting_signature` lists the drafts that can be signed, or be cancelled to make room for others.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a transaction
         * @description Where a draft or a submitted transaction of the signed-in wallet stands: what to ask after a `CONFIRMATION_PENDING`, or after an answer that was lost. While it can be signed, its bytes are there again.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a transaction that is not signed yet
         * @description It no longer counts among the open drafts of the wallet, and cannot be submitted any more. A launch that its creator has signed can still be sent to the chain without the service; then it lands, cancelled or not.
         */
        post: operations["cancelTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get fresh bytes of a transaction that is not signed yet
         * @description Where drafts are on recent blockhashes (`DRAFT_LIFETIME_KIND=recent-blockhash`), the bytes of a transaction are over long before `expiresAt`. This gives the same transaction on a later blockhash; bytes given earlier can then no longer be submitted. A transaction on a durable nonce needs no fresh bytes (409), and one that was submitted gets them only once it can no longer land (409 until then).
         */
        post: operations["refreshTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/holders/{wallet}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what a wallet is owed and was paid
         * @description As of the last closed run. `runs` has up to 3, the newest first; the newest may be open. Any wallet can be asked for: one that no run found is owed nothing.
         */
        get: operations["getHolder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the owners who are kept out of a token's distribution or listed in
         * @description Which wallets the creator keeps out of the distribution, and which programs' accounts are listed in. Public: holders may check why a wallet gets nothing.
         */
        get: operations["getOwners"];
        /**
         * Keep owners out of a token's distribution, or list programs' accounts in
         * @description Both lists as they are to be from now on, with at most 200 owners together. They count one whole interval later, so that nobody is kept out by surprise; a list that does not count yet is replaced. Send the `ETag` of what was read as `If-Match` where several may change it.
         */
        put: operations["setOwners"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what a run would do now
         * @description By the present settings, owners and price. The real run comes later, and finds other balances.
         */
        get: operations["previewRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a token's distribution
         * @description Newest first.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run of a token's distribution
         * @description A closed run never changes, and may be cached for ever.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/runs/{runId}/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions of a run's payments
         * @description In the order in which they were found final. The transactions of the other steps are in `steps` of the run. A page may hold fewer than `limit` and still have a next one. Those of a closed run may be cached for ever.
         */
        get: operations["listBatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/runs/{runId}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payments of a run of a token's distribution
         * @description In the order of the ledger: by wallet. Everybody stands in it whom the run found, or who is owed or was ever paid. With `Accept: text/csv` all of them come at once, whatever `after` and `limit` say. Empty until the run has decided who gets how much; what became of each payment is in it once the run is closed, and then it may be cached for ever.
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/runs/{runId}/payments/{wallet}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what a wallet got by a run, with a proof
         * @description Hash the record as a leaf, follow the path, and compare with the run's root. A wallet may stand in the ledger more than once: as a holder and as the developer, for instance; then `others` has the rest. A wallet that is not in the ledger is answered with 404 `PAYMENT_NOT_FOUND`, whose `neighbours` prove it: the leaves of two wallets, one before and one behind it, with no leaf between them. `before` is the header where no wallet comes before, `after` is null where none comes behind.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/runs/{runId}/payments/{wallet}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the proof of what a wallet got by a run, for checking it offline
         * @description One file with the whole chain: the record, its path to the root of the ledger, the event that recorded that root, its path to the root of the transparency log, and the signed checkpoint. `levy verify` and `examples/verify-payment.mjs --proof` check it without the service. The answer for a wallet that is not in the ledger is that of the route above it.
         */
        get: operations["getPaymentProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what a token's runs have paid, for a chart
         * @description Closed runs only, the oldest first. By run, runs that are not closed are left out; by day, days without a run.
         */
        get: operations["getSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a token's distribution settings
         * @description For the token's creator alone. Send the answer's `ETag` as `If-Match` with a change, so that nobody's change is lost.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a token's distribution settings
         * @description Any of the fields; the answer has all of them. What is so already records nothing. Where several may change the settings, send the `ETag` of what was read as `If-Match`: then nothing is overwritten that nobody has seen.
         */
        patch: operations["updateSettings"];
        trace?: never;
    };
    "/distribution/{tokenId}/settings/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a token's distribution settings
         * @description Newest first. Laid one over the other from the oldest on, what each holds in `to` gives the settings.
         */
        get: operations["listSettingsChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distribution/{tokenId}/tax": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what became of a token's tax
         * @description What was withheld, collected, burned, sold and paid so far, and when the next run is due or what it waits for.
         */
        get: operations["getTax"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{wallet}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a wallet was paid and is owed, in all tokens
         * @description As of each token’s last closed run: `paid` and `owed` are what `GET /distribution/{tokenId}/holders/{wallet}` answers. A token is in it once the wallet has earned something. Those in which it earned first come last. Tokens that operators hide are left out, so that a page may have fewer than `limit`, or none, and still a `next`. It shows a run some moments after the run was closed; `X-After-Position` does not wait for it.
         */
        get: operations["listWalletShares"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what was paid to holders of all tokens together
         * @description The numbers of a start page, of closed runs. Payments in tokens themselves are left out: base units of different tokens have no sum.
         */
        get: operations["getTotals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/featured": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the featured tokens
         * @description The promotions that run now, the latest first: no more than there are places, all at once. One leaves the list as soon as it ends.
         */
        get: operations["listFeatured"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/featured/create-unsigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the unsigned transaction that pays for a place on the featured list
         * @description For the token's creator: a payment to the operator of the service, with a memo that names the promotion. Sign it and send it to `POST /featured/submit`. Without a free place it is refused, with the time at which one is free.
         */
        post: operations["buyPromotion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/featured/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the signed payment of a promotion
         * @description Sends the signed payment and answers once it is final. The promotion starts then, or when the running promotion of the same token ends. The same call again gives the same outcome.
         */
        post: operations["submitPromotion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/launchpad/{mintAddress}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the launch of a token
         * @description Figures are of the launch's own position, at most five seconds old while the pool is active. `progress` is the part of the tokens for sale that is sold.
         */
        get: operations["getLaunchStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/launchpad/create-unsigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the transaction that launches a token in a pool of DAMM v2
         * @description For the token's creator. The transaction creates a pool of the launch venue (Meteora DAMM v2) with one position, whose price rises as tokens are sold and whose liquidity is locked for ever; the service holds no key of it. It has a recent blockhash, so sign and send it within a minute, yourself or by `POST /launchpad/submit`.
         */
        post: operations["createLaunch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/launchpad/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the signed launch
         * @description For clients that do not send the transaction to the chain themselves. Answers once it is final; the same call again gives the same outcome.
         */
        post: operations["submitLaunch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file of a distribution run
         * @description The allotment or the settlement of a run, byte by byte as it was written: its SHA-256 is its name. `docs/reference/ledger-files.md` describes both, and `examples/verify-payment.mjs` checks them. It was `/distribution/files/{sha256}` until 2026-11-24; that path stays, and is deprecated.
         */
        get: operations["getDistributionFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/images/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an image
         * @description The 512x512 JPEG behind an `imageUri`. It never changes and may be kept for ever.
         */
        get: operations["getImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metadata/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata that a mint points at
         * @description The JSON to which a mint's `uri` points, for wallets and explorers. It is there from the moment the draft exists.
         */
        get: operations["getTokenMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the checkpoint of the transparency log
         * @description A signed note as C2SP `tlog-checkpoint` describes it: the name of the log, its size, its root, the signature of the log and those of witnesses. `docs/explanation/transparency-log.md` says what it proves.
         */
        get: operations["getLogCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the verifier key of the transparency log
         * @description As C2SP `signed-note` writes it: name, id and key. Compare it with one that you were given by another way: whoever could replace the log could replace this answer.
         */
        get: operations["getLogKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/tile/{level}/{first}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tile of the transparency log, such as `/log/tile/0/000`
         * @description As C2SP `tlog-tiles` describes it: 256 hashes of 32 bytes, or fewer in a partial tile (`.p/`). Of the level `entries`: the entries, each the SHA-256 of an event, behind its length. A full tile never changes.
         */
        get: operations["getLogTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/tile/{level}/{first}/{second}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tile of the transparency log, such as `/log/tile/0/000.p/12`
         * @description As C2SP `tlog-tiles` describes it: 256 hashes of 32 bytes, or fewer in a partial tile (`.p/`). Of the level `entries`: the entries, each the SHA-256 of an event, behind its length. A full tile never changes.
         */
        get: operations["getLogTileOfTwoParts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/tile/{level}/{first}/{second}/{third}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tile of the transparency log, such as `/log/tile/0/x001/067.p/12`
         * @description As C2SP `tlog-tiles` describes it: 256 hashes of 32 bytes, or fewer in a partial tile (`.p/`). Of the level `entries`: the entries, each the SHA-256 of an event, behind its length. A full tile never changes.
         */
        get: operations["getLogTileOfThreeParts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/tile/{level}/{first}/{second}/{third}/{fourth}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tile of the transparency log, such as `/log/tile/0/x001/x234/067.p/12`
         * @description As C2SP `tlog-tiles` describes it: 256 hashes of 32 bytes, or fewer in a partial tile (`.p/`). Of the level `entries`: the entries, each the SHA-256 of an event, behind its length. A full tile never changes.
         */
        get: operations["getLogTileOfFourParts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the description of the messages to subscribers
         * @description An AsyncAPI 3.0 document of `GET /events`.
         */
        get: operations["getAsyncApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what happens (server-sent events)
         * @description An endless `text/event-stream`. Of each event `id` is its position with a mark of the store, `event` its type and `data` a CloudEvent in JSON; the
         *     forms are in `GET /asyncapi.json`. After a lost connection go on with `Last-Event-ID`, as browsers do by themselves: nothing is
         *     lost and nothing comes twice. Without it, and without `after`, the stream begins with what comes next.
         *
         *     `levy.checkpoint` says how far the stream has come where nothing else does. A subscriber that is too slow is cut off, and
         *     goes on where it was when it comes back.
         *
         *     The public is told public facts only, and nothing of a token that is hidden now but that it is (`tokens.hidden`). Who is signed in
         *     is told what becomes of their own submissions too (`submissions.*`), until the session ends; browsers' `EventSource` cannot sign in,
         *     `fetch` can. With an operator's key everything is told.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a partner's tokens
         * @description The visible tokens whose drafts were asked for with a key of the calling partner, newest first. `GET /tokens?partner=` shows the same to everybody.
         */
        get: operations["listPartnerTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a partner's usage
         * @description Of the process that answers, as limits are: each process counts for itself, and begins anew when it starts. A call counts when its answer has ended, so this one is not among them yet. Policies that count signed-in wallets alone (`settings`, `preview`, `transactions`) use up nothing of a partner.
         */
        get: operations["getPartnerUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metrics
         * @description Everything that is measured, in Prometheus' text format.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a backup
         * @description The log, the ledgers and the images as one stream of bytes, for `levy backup`, which writes and checks it: lines of JSON, each of a file's piece followed by its bytes. A stream without its last line (`end`) was cut off. Secrets are never in it. One backup at a time.
         */
        post: operations["takeBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/distributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List distributions
         * @description In the order in which the tokens were created. `allHalted` tells whether an operator has halted all. `name` and `symbol` are null where the list of tokens does not show the token yet.
         */
        get: operations["listDistributions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/distributions/{tokenId}/correct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Correct the balances of a token's distribution
         * @description For a halted distribution whose log has a balance that the chain never had, because a node said so. State what you looked up elsewhere: it is refused unless the node shows exactly the same as final. What an open run decided by the wrong balances is decided again once the distribution is resumed. Refused when the pots of the open run are open, since payments may have landed.
         */
        post: operations["correctBooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/distributions/{tokenId}/halt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Halt a token's distribution
         * @description No run of the token is opened, and an open one stops before its next transaction, until the distribution is resumed. What is halted already keeps its code and reason.
         */
        post: operations["haltDistribution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/distributions/{tokenId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a token's distribution
         * @description An open run goes on where it stopped. A check that fails again halts it again. A halt of all tokens stays in force.
         */
        post: operations["resumeDistribution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/distributions/{tokenId}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a run of a token's distribution
         * @description The distributor opens it as soon as it can. A run that cannot be opened is skipped, and `skipped` of the token says why. A second request before it is open records nothing: `requestReason` is then that of the first.
         */
        post: operations["requestRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/distributions/halt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Halt the distribution of all tokens
         * @description No run is opened, and open ones stop before their next transaction, until all are resumed. New tokens are halted with them.
         */
        post: operations["haltAllDistributions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/distributions/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume the distribution of all tokens
         * @description Open runs go on where they stopped. A token that is halted by itself stays halted.
         */
        post: operations["resumeAllDistributions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drafts
         * @description Drafts that were never submitted: those that wait for a signature, and those that ended without one.
         */
        get: operations["listDrafts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find events of the log
         * @description The events that match, as they were recorded, private facts included. One call looks at no more than 5000 events, whether they match or not: where `next` is not null there is more to look at, even if nothing was found; send it as `after`. `reached` says how far the call has come. An event whose metadata cannot be read counts as being as old as the one beside it.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/events/{eventId}/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quarantine an event that cannot be decoded
         * @description Every process skips the event from then on. `/ready` and `GET /operator/events/undecodable` tell its id. A process that has not met the event itself finds it by `stream` and `revision`.
         */
        post: operations["quarantineEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/events/quarantined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List quarantined events
         * @description Newest first.
         */
        get: operations["listQuarantinedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/events/undecodable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events that cannot be decoded
         * @description Those that this process has met since its start, the latest 100; other processes may have met others.
         */
        get: operations["listUndecodableEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the log
         * @description The recorded events in the order of their positions, as lines of JSON: everything that the log holds, private facts included. A page with fewer than `limit` lines has reached the end. An answer that breaks off is an error; go on after its last whole line.
         */
        get: operations["readLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/nonce-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List nonce accounts
         * @description Which accounts are free, which draft holds each of the others, and since when.
         */
        get: operations["listNonceAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get who does what, what the accounts that pay hold, and how much waits
         * @description Which process has each role that one process at a time may have, and until when; the balances of the accounts that pay for the service; and how many drafts and submissions are under way. `GET /ready` says what does not work.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/partners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List partners
         * @description Those that operators have made, also after they have ended, in the order in which they were made; then the entries of `PARTNER_KEYS` of the process that answers. All at once: operators name each by hand. Keys are not shown.
         */
        get: operations["listPartners"];
        put?: never;
        /**
         * Make a partner
         * @description Gives a launchpad a key by which its calls are counted. The answer shows the key once; only its hash is recorded. It is valid in all processes as soon as their read models show it. Without `quotas` the partner gets the recommended ones.
         */
        post: operations["createPartner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/partners/{partner}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a partner
         * @description None of its keys is valid any more. Its tokens go on, and keep its name. A partner that has ended stays as it is; its name can be given again. Keys of `PARTNER_KEYS` end with their entry there.
         */
        post: operations["endPartner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/partners/{partner}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a partner's key
         * @description Makes a new key, which the answer shows once. The key before it stays valid for `overlapSeconds` (a day unless told otherwise), so that the partner can change over; an older one ends at once.
         */
        post: operations["rotatePartnerKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/projections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projections
         * @description How far each read model has followed the log, whether it is being rebuilt, and why one stands still; all at once.
         */
        get: operations["listProjections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/projections/{name}/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rebuild a read model
         * @description The documents that are there are read and kept up to date until the new ones have caught up. Where each process has read models of its own, this concerns those of the process that answers. Where all processes share theirs, the one that writes them begins within a second or so, also if another one takes over meanwhile.
         */
        post: operations["rebuildProjection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/promotions/{promotionId}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a promotion
         * @description Takes it off the featured list early, and gives its place free. Nothing is refunded. A promotion that is over stays as it is.
         */
        post: operations["endPromotion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/streams/{stream}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of a stream at one of its events
         * @description As it was after the event, which is the last one unless `revision` names it: folded as the service folds it. `changes` says what the event changed, or with `sinceRevision` what changed since an earlier one. Folds at most 20000 events; `levy show` folds any number.
         */
        get: operations["getStreamState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List submissions
         * @description Which signed transactions are under way and since when, which landed, and which failed and why.
         */
        get: operations["listSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/submissions/{transactionId}/conclude": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what became of a transaction
         * @description For a transaction whose outcome nothing tells (`GET /operator/submissions?state=unknown`), after you looked it up elsewhere. It is refused while the bytes can still land, and where the chain contradicts it. `landed` is checked by the transaction where the node shows it, else by what it makes, else by the signature. `not-landed` is refused where what only this transaction can make is there. What follows is what follows from every outcome: the same events, outcomes and answers.
         */
        post: operations["concludeSubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List hidden tokens
         * @description Which tokens operators keep out of the public lists, who hid each, and why; what was hidden first comes last.
         */
        get: operations["listHiddenTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/tokens/{mintAddress}/hide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hide a token
         * @description Takes the token out of every public list and feed; its detail is shown only to its creator. Holders are still paid, and nothing on the chain changes.
         */
        post: operations["hideToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/tokens/{mintAddress}/show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show a hidden token again
         * @description Puts it back into its old place in the lists. A token that is not hidden stays as it is.
         */
        post: operations["showToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what a page must know of this service
         * @description The operator's limits, prices, quotas, and what there is. It changes when the service starts with another configuration, so any cache may keep it for five minutes; `If-None-Match` asks whether it has changed.
         */
        get: operations["getConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process runs
         * @description Answers 200 as long as the process runs, whatever else may be wrong: supervisors restart it where there is no answer.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the description of this API
         * @description An OpenAPI 3.1 document; `/docs` shows it in a browser.
         */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service can do its work
         * @description Each check with its state. Load balancers send calls where it answers 200. The checks run at most ten times a second.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AllDistributions: {
            halted: {
                reason: string;
            } | null;
        };
        BuyPromotionAnswer: {
            /** @description Base64, unsigned. */
            transaction: string;
            /** Format: uuid */
            transactionId: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description About when the blockhash of the bytes is over; refresh the transaction before they are signed later than that. Only where drafts are on recent blockhashes and the length of slots is known.
             */
            bytesExpireAt?: string;
            /** @description Lamports that the creator will pay in all. */
            cost: string;
            /** Format: uuid */
            promotionId: string;
            /** @description Lamports, fees not counted. */
            price: string;
        };
        BuyPromotionBody: {
            /** @description Mint address of a token of the caller. */
            tokenMint: string;
            /** Format: int32 */
            days: number;
        };
        CancelTransactionAnswer: {
            /** Format: uuid */
            transactionId: string;
            /** @constant */
            status: "cancelled";
        };
        /** @enum {string} */
        ChainName: "mainnet" | "devnet" | "testnet" | "localnet";
        ChangeTransferFeeAnswer: {
            /** @description Base64, unsigned. */
            transaction: string;
            /** Format: uuid */
            transactionId: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description About when the blockhash of the bytes is over; refresh the transaction before they are signed later than that. Only where drafts are on recent blockhashes and the length of slots is known.
             */
            bytesExpireAt?: string;
            /** @description Lamports that the creator will pay in all. */
            cost: string;
        };
        /** @enum {string} */
        CheckedBy: "transaction" | "signature" | "account" | "operator";
        ConcludeSubmissionAnswer: {
            /** Format: uuid */
            transactionId: string;
            outcome: components["schemas"]["ConcludedOutcome"];
            signature: string | null;
            /** @description What bears out the operator: `transaction`, the node shows it; `account`, what the transaction makes is there, or is not; `signature`, the payer has signed the message with it; `operator`, nothing else. */
            checked: components["schemas"]["CheckedBy"];
            reason: string;
            by: string;
        };
        ConcludeSubmissionBody: {
            outcome: components["schemas"]["ConcludedOutcome"];
            /** @description Of the transaction that landed; only with `landed`. */
            signature?: string;
            /** @description In which it landed: needed where the own node does not show the transaction. */
            slot?: string;
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason: string;
        };
        /** @enum {string} */
        ConcludedOutcome: "landed" | "not-landed";
        CorrectBooksBody: {
            /** @description Base units in the distribution wallet's own account of the token. */
            tokenAmount: string;
            /** @description Wrapped lamports in the last till, without its rent. */
            lamports: string;
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason: string;
        };
        CreateChallengeAnswer: {
            /** @description The text to sign, as it is (Sign-In-With-Solana). */
            challenge: string;
            /** @description The same message for a wallet's `signIn` (the wallet standard's `SolanaSignInInput`). Send the text of its `signedMessage` as `message`, and its `signature` in base58. */
            signInInput: components["schemas"]["SignInInput"];
            /** Format: date-time */
            expiresAt: string;
        };
        CreateChallengeBody: {
            walletAddress: string;
        };
        CreateLaunchAnswer: {
            /** @description Base64. Signed by the position's key; the creator's signature is missing. */
            transaction: string;
            /** Format: uuid */
            transactionId: string;
            /** @description The pool's address. */
            poolAddress: string;
            /**
             * @deprecated
             * @description The same as `poolAddress`, its name elsewhere: the venue has pools, and no bonding curves.
             */
            bondingCurveId: string;
            /** Format: date-time */
            expectedLaunchTime: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: int64
             * @description The transaction can be in no block above this.
             */
            lastValidBlockHeight: number;
            curve: {
                /** @description The first price. Lamports for one whole token, cut off after 12 significant digits. */
                startPrice: string;
                /** @description Where the target is reached; the price can go on beyond it. Lamports for one whole token, cut off after 12 significant digits. */
                endPrice: string;
                priceMultiplier: string;
            };
            /** @description For ever: nobody can take it out again. */
            liquidityLocked: boolean;
            /** @description Lamports that the creator will pay. */
            cost: string;
        };
        CreatePartnerBody: {
            /** @description 1 to 32 letters, digits, dots, dashes and underscores; tokens made through it show it for ever. */
            partner: string;
            /** @description Of the policies that are named; for the others the partner has the quotas of everybody. */
            quotas?: components["schemas"]["PartnerQuota"][];
        };
        CreateTestTransferAnswer: {
            /** @description Base64, unsigned; valid for about a minute. */
            transaction: string;
        };
        CreateTestTransferBody: {
            mintAddress: string;
            sender: string;
            recipient: string;
            /** @description Base units, the tax among them. */
            amount: string;
        };
        CreateUnsignedAnswer: {
            /** @description Base64, unsigned. */
            transaction: string;
            /** Format: uuid */
            transactionId: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description About when the blockhash of the bytes is over; refresh the transaction before they are signed later than that. Only where drafts are on recent blockhashes and the length of slots is known.
             */
            bytesExpireAt?: string;
            /** @description Lamports that the creator will pay in all. */
            cost: string;
            mintKeypair: {
                publicKey: string;
                /** @description ASCII bytes of a compact JWE to the creator's wallet key. */
                secretKey: number[];
            };
        };
        DistributionBatch: {
            signature: string;
            /**
             * Format: date-time
             * @description When the service recorded that it is final.
             */
            at: string;
            slot: string;
            asset: components["schemas"]["RewardAsset"];
            /** @description The account that paid. */
            pot: string;
            /**
             * Format: int64
             * @description That it made.
             */
            payments: number;
            /** @description Paid by it together, in the base units of its asset. */
            amount: string;
            /** @description Lamports. */
            fee: string;
        };
        DistributionHolderParts: {
            /** @description As a holder of the token. */
            holder: {
                /** @description Earned and not paid yet. */
                owed: {
                    /** @description Lamports. */
                    sol: string;
                    /** @description Base units of the token. */
                    token: string;
                };
                /** @description By all runs together. */
                paid: {
                    /** @description Lamports. */
                    sol: string;
                    /** @description Base units of the token. */
                    token: string;
                };
            };
            /** @description The developer's part of the tax. */
            developer: {
                /** @description Earned and not paid yet. */
                owed: {
                    /** @description Lamports. */
                    sol: string;
                    /** @description Base units of the token. */
                    token: string;
                };
                /** @description By all runs together. */
                paid: {
                    /** @description Lamports. */
                    sol: string;
                    /** @description Base units of the token. */
                    token: string;
                };
            };
            /** @description As the distributor, for its fees. */
            costs: {
                /** @description Earned and not paid yet. */
                owed: {
                    /** @description Lamports. */
                    sol: string;
                    /** @description Base units of the token. */
                    token: string;
                };
                /** @description By all runs together. */
                paid: {
                    /** @description Lamports. */
                    sol: string;
                    /** @description Base units of the token. */
                    token: string;
                };
            };
            /** @description Owed since before the reward token changed, as a holder and as the developer: it is in the other asset. */
            debt: {
                /** @description Earned and not paid yet. */
                owed: {
                    /** @description Lamports. */
                    sol: string;
                    /** @description Base units of the token. */
                    token: string;
                };
                /** @description By all runs together. */
                paid: {
                    /** @description Lamports. */
                    sol: string;
                    /** @description Base units of the token. */
                    token: string;
                };
            };
        };
        DistributionHolderRun: {
            /** Format: uuid */
            runId: string;
            /** Format: int64 */
            number: number;
            /** Format: date-time */
            closedAt: string | null;
            /** @description Empty if the wallet is not in the ledger of the run. */
            payments: components["schemas"]["DistributionPayment"][];
        };
        /** @enum {string} */
        DistributionInterval: "5m" | "10m" | "15m" | "30m" | "1h" | "6h" | "12h" | "24h";
        DistributionLedger: {
            /** @description The allotment: who is to get how much. */
            sha256: string;
            /** @description What became of each payment; null until the run is closed. */
            settlementSha256: string | null;
            /** @description Where the allotment is; the settlement is beside it, under its own SHA-256. */
            url: string;
            /** @description The root of the Merkle tree over the records. */
            root: string;
            /** Format: int64 */
            records: number;
        };
        /** @enum {string} */
        DistributionModel: "proportional" | "square-root";
        DistributionOwners: {
            /** @description Owners who get no share. What they are owed is paid all the same. */
            keptOut: string[];
            /** @description Programs' accounts, vaults for instance, that are paid like a wallet. */
            listedIn: string[];
            /**
             * Format: date-time
             * @description Null if nothing was ever listed.
             */
            listedAt: string | null;
            /**
             * Format: date-time
             * @description Runs that are opened from then on go by it: one whole interval after it was made.
             */
            validFrom: string | null;
            /** @description What runs go by until then. */
            before: {
                /** @description Owners who get no share. What they are owed is paid all the same. */
                keptOut: string[];
                /** @description Programs' accounts, vaults for instance, that are paid like a wallet. */
                listedIn: string[];
            };
        };
        DistributionOwnersInput: {
            /** @description Wallets that get no share from then on. What they are owed is paid all the same. */
            keptOut: string[];
            /** @description Programs' accounts that are to be paid: vaults, for instance. Programs themselves and sysvars never are. */
            listedIn: string[];
        };
        DistributionPaidTo: {
            /** @description To the distributor, for its fees. */
            costs: string;
            /** @description To the developer. What the developer gets as a holder is not in it. */
            developer: string;
            /** @description To holders. `costs + developer + holders = paid`. */
            holders: string;
            /**
             * Format: int64
             * @description Holders that were paid.
             */
            holdersPaid: number;
        };
        DistributionPayment: {
            /**
             * Format: int64
             * @description Among the records of the ledger.
             */
            index: number;
            /** @description `costs`: the distributor gets its fees back; `debt`: owed since before the reward token changed. */
            kind: components["schemas"]["DistributionPaymentKind"];
            /** @description What `share` and all that follow are counted in. */
            asset: components["schemas"]["RewardAsset"];
            wallet: string;
            /** @description Base units that the wallet held when the run looked. */
            balance: string;
            /** @description Earned by this run. */
            share: string;
            /** @description Earned by earlier runs and not paid. */
            owedBefore: string;
            /** @description To be paid by this run. */
            planned: string;
            /** @description 0 until the run is closed. */
            paid: string;
            /** @description `owedBefore + share - paid`: later runs pay it. */
            owedAfter: string;
            /** @description Why it was paid or not: `planned`, `below-minimum-holding`, `below-least-share`, `below-minimum-payout`, `no-account`, `under-rent-floor`, `excluded-by-creator`, `excluded`, `pool`, `program-owned`, `program`, `sysvar`; or what the chain refused: `frozen`, `needs-memo`, `under-rent-floor`, `read-only`, `closed`, `not-an-account-of-the-mint`, `unknown`. Others may be added. Each is explained in docs/explanation/who-is-paid.md. */
            reason: string;
            /** @description Of the transaction that paid it; null where nothing was paid, and until the run is closed. */
            signature: string | null;
            slot: string | null;
        };
        /** @enum {string} */
        DistributionPaymentKind: "costs" | "developer" | "holder" | "debt";
        DistributionPaymentOfProof: {
            payment: components["schemas"]["DistributionPayment"];
            /** @description The bytes of the leaf, in base64. */
            record: string;
            proof: components["schemas"]["DistributionProof"];
        };
        DistributionPoint: {
            /**
             * Format: date-time
             * @description When the run was closed, or the begin of the day (UTC).
             */
            at: string;
            /**
             * Format: int64
             * @description Runs that were closed.
             */
            runs: number;
            /**
             * Format: int64
             * @description The run's number; by run alone.
             */
            number?: number;
            /** @description Base units of tax. */
            collected: string;
            /** @description Base units. */
            burned: string;
            /** @description Base units. */
            sold: string;
            /** @description Lamports. */
            proceeds: string;
            /** @description By closed runs. All parts together are everything that they have paid. */
            paid: components["schemas"]["PaidParts"];
            /** @description `paid.holders` again: the line that a chart shows. */
            toHolders: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /**
             * Format: int64
             * @description One for each holder in each run that paid it.
             */
            paymentsToHolders: number;
            /**
             * Format: int64
             * @deprecated
             * @description The former name of `paymentsToHolders`.
             */
            holdersPaid: number;
        };
        DistributionPot: {
            asset: components["schemas"]["RewardAsset"];
            address: string;
            allowance: string;
            left: string;
        };
        DistributionPreview: {
            /** @description The look at all accounts of the token that it goes by: the last one where that is young. */
            scan: {
                /** Format: date-time */
                at: string;
                slots: string[];
                /** Format: int64 */
                accounts: number;
                /** Format: int64 */
                owners: number;
                /** @description Base units. */
                withheld: string;
            };
            asset: components["schemas"]["RewardAsset"];
            /** @description As in a run's `amounts`. */
            amounts: {
                kept: {
                    developer: string;
                    holders: string;
                };
                collected: string;
                burned: string;
                sold: {
                    developer: string;
                    holders: string;
                };
                keptAfter: {
                    developer: string;
                    holders: string;
                };
                ownTax: {
                    before: {
                        developer: string;
                        holders: string;
                    };
                    returned: {
                        developer: string;
                        holders: string;
                    };
                    after: {
                        developer: string;
                        holders: string;
                    };
                };
                /** @description Lamports, at the present price. */
                proceeds: string;
                costs: string;
                developer: string;
                holders: string;
                dust: string;
                dustAfter: string;
                shares: string;
                planned: string;
            };
            /** Format: int64 */
            payments: number;
            /** @description How many owners there are of each reason why they are paid or not. */
            owners: {
                reason: string;
                /** Format: int64 */
                count: number;
            }[];
            /** @description Why no run would be opened; null if one would. */
            skipped: {
                reason: components["schemas"]["SkipReason"];
                detail: string;
            } | null;
        };
        DistributionProof: {
            /**
             * Format: int64
             * @description Of the leaf; leaf 0 is the header.
             */
            index: number;
            /** Format: int64 */
            treeSize: number;
            /** @description From the leaf to the root (RFC 9162, 2.1.3.2), in hexadecimal. */
            path: string[];
        };
        DistributionProvedPayment: {
            payment: components["schemas"]["DistributionPayment"];
            /** @description The bytes of the leaf, in base64. */
            record: string;
            proof: components["schemas"]["DistributionProof"];
        };
        DistributionRun: {
            /** Format: uuid */
            runId: string;
            /**
             * Format: int64
             * @description The token's runs are counted from 1.
             */
            number: number;
            /** @description `halted`: it stands still until an operator resumes it. Nothing that was paid is lost. */
            status: components["schemas"]["DistributionRunStatus"];
            /** Format: date-time */
            dueAt: string;
            /** Format: date-time */
            openedAt: string;
            /** Format: date-time */
            closedAt: string | null;
            /** @description `SOL`, `SELF` or a mint address. */
            rewardToken: string;
            /** @description What it pays: SOL, or the token itself. */
            asset: components["schemas"]["RewardAsset"];
            /** @description Base units of tax, so far. */
            collected: string;
            /** @description Base units, so far. */
            burned: string;
            /** @description Base units, so far. */
            sold: string;
            /** @description Lamports that the sale brought, so far. */
            proceeds: string;
            /** @description Everything that it paid in its asset, so far: to holders, to the developer, and to the distributor for its costs. `paidTo` parts it. */
            paid: string;
            /**
             * Format: int64
             * @description Payments that are final, so far: to holders, to the developer and to the distributor, and of debts in the other asset. One wallet may get several.
             */
            payments: number;
            /**
             * Format: int64
             * @description Holders that were paid, each counted once: `paidTo.holdersPaid`. Null while it is open, and in runs that earlier versions have closed.
             */
            walletsPaid: number | null;
            /** @description Null while it is open, and in runs that earlier versions have closed. */
            paidTo: components["schemas"]["DistributionPaidTo"] | null;
        };
        DistributionRunAmounts: {
            /** @description Base units that earlier runs kept. */
            kept: {
                developer: string;
                holders: string;
            };
            /** @description Base units of tax. */
            collected: string | null;
            /** @description Base units. */
            burned: string | null;
            /** @description Base units. */
            sold: {
                developer: string;
                holders: string;
            } | null;
            /** @description Base units. */
            keptAfter: {
                developer: string;
                holders: string;
            } | null;
            /** @description Base units that the chain has withheld of the engine's own sales. Absent until the tax is split, and in runs that earlier versions have split. */
            ownTax?: {
                /** @description Withheld of earlier sales, and not collected yet. */
                before: {
                    developer: string;
                    holders: string;
                };
                /** @description Of `collected`: it goes back to its buckets, and is not burned again. */
                returned: {
                    developer: string;
                    holders: string;
                };
                /** @description With what was withheld of the run's own sale. */
                after: {
                    developer: string;
                    holders: string;
                };
            };
            /** @description Lamports. */
            proceeds: string | null;
            /** @description Repaid to the distributor. */
            costs: string | null;
            /** @description The developer's part. */
            developer: string | null;
            /** @description The holders' part. */
            holders: string | null;
            /** @description What earlier runs could not divide. */
            dust: string;
            /** @description What this run could not divide. */
            dustAfter: string | null;
            /** @description Of the holders, together. */
            shares: string | null;
            /** @description By earlier runs, to all wallets. */
            owed: string;
            /** @description To all wallets. */
            owedAfter: string | null;
            /** @description To be paid. */
            planned: string | null;
            /** @description What the chain has taken. */
            paid: string | null;
        };
        DistributionRunDetail: {
            /** Format: uuid */
            runId: string;
            /**
             * Format: int64
             * @description The token's runs are counted from 1.
             */
            number: number;
            /** @description `halted`: it stands still until an operator resumes it. Nothing that was paid is lost. */
            status: components["schemas"]["DistributionRunStatus"];
            /** Format: date-time */
            dueAt: string;
            /** Format: date-time */
            openedAt: string;
            /** Format: date-time */
            closedAt: string | null;
            /** @description `SOL`, `SELF` or a mint address. */
            rewardToken: string;
            /** @description What it pays: SOL, or the token itself. */
            asset: components["schemas"]["RewardAsset"];
            /** @description Base units of tax, so far. */
            collected: string;
            /** @description Base units, so far. */
            burned: string;
            /** @description Base units, so far. */
            sold: string;
            /** @description Lamports that the sale brought, so far. */
            proceeds: string;
            /** @description Everything that it paid in its asset, so far: to holders, to the developer, and to the distributor for its costs. `paidTo` parts it. */
            paid: string;
            /**
             * Format: int64
             * @description Payments that are final, so far: to holders, to the developer and to the distributor, and of debts in the other asset. One wallet may get several.
             */
            payments: number;
            /**
             * Format: int64
             * @description Holders that were paid, each counted once: `paidTo.holdersPaid`. Null while it is open, and in runs that earlier versions have closed.
             */
            walletsPaid: number | null;
            /** @description Null while it is open, and in runs that earlier versions have closed. */
            paidTo: components["schemas"]["DistributionPaidTo"] | null;
            /** @description Null when it is closed. */
            step: components["schemas"]["DistributionRunStep"] | null;
            /**
             * Format: date-time
             * @description When it began the step, as it was recorded. Null when it is closed.
             */
            since: string | null;
            /** @description What the run waits for. A process that does not distribute knows only of its sale and of the second node, as they were recorded last: each reason is recorded once in a run. Null while the run goes on, is closed or halted. */
            waitingFor: components["schemas"]["DistributionRunWaitingFor"] | null;
            /** @description An operator asked for it before it was due. */
            requested: boolean;
            /** @description Paid in the other asset: owed since before the reward token changed. */
            paidDebts: string;
            /** @description As they were when the run was opened. */
            settings: components["schemas"]["DistributionRunSettings"];
            /** @description What the scan of the holders found; null before it. */
            scanned: components["schemas"]["DistributionRunScan"] | null;
            /** @description Those that it has taken, in their order. */
            steps: components["schemas"]["DistributionRunStepTaken"][];
            /**
             * @description Base units of the token down to `keptAfter`, then the asset that is paid. Null until it is known.
             *
             *     `kept + collected = burned + sold + keptAfter`, `proceeds = costs + developer + holders`, `holders + dust = shares + dustAfter`, `owed + costs + developer + shares = paid + owedAfter`. Where the token itself is paid, what would be sold is paid as it is: `sold = developer + holders`.
             */
            amounts: components["schemas"]["DistributionRunAmounts"];
            /** @description Null until the collected tax is split, and where the token itself is paid. */
            sale: components["schemas"]["DistributionSale"] | null;
            /** @description Those of payments are in `GET …/batches`. `begin` is in the first run only. */
            transactions: components["schemas"]["DistributionRunTransactions"];
            pots: components["schemas"]["DistributionPot"][];
            ledger: components["schemas"]["DistributionLedger"] | null;
        };
        DistributionRunScan: {
            /**
             * Format: int64
             * @description Of the token.
             */
            accounts: number;
            /**
             * Format: int64
             * @description That hold some of it.
             */
            owners: number;
            /** @description Base units of tax in the accounts and in the mint. */
            withheld: string;
            /** @description Base units. */
            supply: string;
        };
        DistributionRunSettings: {
            /** @description `SOL`, `SELF` or a mint address. */
            rewardToken: string;
            distributionModel: components["schemas"]["DistributionModel"];
            /** @description Base units. */
            minimumHoldingRequirement: string;
            percentageToSellPerDistribution: number;
            distributionEnabled: boolean;
            distributionInterval: components["schemas"]["DistributionInterval"];
            burnPercent: number;
            developerFeePercent: number;
            developerWallet: string;
        };
        /** @enum {string} */
        DistributionRunStatus: "open" | "completed" | "halted";
        /** @enum {string} */
        DistributionRunStep: "begin" | "scan" | "collect" | "split" | "allot" | "announce" | "open" | "pay" | "close";
        DistributionRunStepTaken: {
            /** @description What the run does: `begin`: Makes the token's first till. In its first run only. `scan`: Reads all accounts of the token. `collect`: Collects the withheld tax into the distribution wallet's own account. `split`: Burns a part of the collected tax, and sells a part. `allot`: Decides what each owner gets, and writes and records the ledger. `announce`: Waits for the announced moment: the ledger is public, and nothing is paid before. `open`: Opens the pots that pay, or lends a key the fees of its payments. `pay`: Signs, sends and settles payments, batch by batch. `close`: Closes the pots, checks the books, and writes the settlement. */
            step: components["schemas"]["DistributionRunStep"];
            /** Format: date-time */
            begunAt: string;
            /**
             * Format: date-time
             * @description Null in the step that the run is in.
             */
            endedAt: string | null;
            /** @description What it waited for, as far as it was recorded: a sale, the second node, accounts that do not add up, a halt. Each reason is recorded once in a run, but for halts. What it waits for now is in `waitingFor` of the run. */
            waits: {
                /** @description As in `waitingFor`, or `halted`. */
                code: string;
                /** @description A sentence for people; null for a reason that this version does not know. */
                detail: string | null;
                /** Format: date-time */
                since: string;
                /**
                 * Format: date-time
                 * @description When something was recorded of the run again.
                 */
                until: string | null;
            }[];
            /** @description That landed, but for those of payments; `at` is when the service recorded it. */
            transactions: {
                signature: string;
                /** Format: date-time */
                at: string;
            }[];
            /**
             * Format: int64
             * @description Transactions of payments that landed. `GET …/batches` lists them.
             */
            batches: number;
        };
        DistributionRunTransactions: {
            begin: string[];
            withdraw: string[];
            split: string[];
            open: string[];
            close: string[];
        };
        DistributionRunWaitingFor: {
            /** @description `price-unknown`: the pool has not been watched for long enough for a sale. `price-below-reference`: it pays much less than in the last half hour. `witness-silent`: a second node, whose word is needed to close the books, does not answer. `witness-disagrees`: it shows something else. The reference of steps and waits has all of them. Others may be added. */
            code: string;
            /** @description A sentence for people. */
            detail: string;
            /** Format: date-time */
            since: string;
        };
        DistributionSale: {
            /** @description Why nothing was sold; the tokens are kept for a later run. Null if something was. */
            unsold: {
                code: string;
                detail: string | null;
            } | null;
            /**
             * Format: int64
             * @description Sales that were recorded.
             */
            tries: number | null;
            /** @description Those at a pool's price, in their order: at most one lands. */
            offers: components["schemas"]["DistributionSaleOffer"][];
        };
        DistributionSaleOffer: {
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            at: string;
            /** @description Base units to be sold. */
            amount: string;
            /** @description Lamports: the chain refuses the sale if it brings less. */
            minimum: string;
            /** @description Whether this sale was made. */
            landed: boolean;
            /** @description Base units that were to be sold. What the budget leaves out is kept for a later run. */
            wanted: string;
            /** @description Lamports at the price of that moment. */
            expected: string;
            received: string;
            /** @description The pool at that moment. Prices are square roots of lamports per base unit, in Q64.64; the fee is in billionths. */
            pool: {
                sqrtPrice: string;
                liquidity: string;
                tradingFee: string;
            };
            /** @description The median of the pool's final prices over 33 minutes. */
            reference: {
                sqrtPrice: string;
                /** Format: int64 */
                samples: number;
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
            } | null;
            /** @description How far under the reference it may be. */
            maxDiscountPercent: number;
            /** @description Lamports at the reference price, less the discount: no sale for less. */
            floor: string;
            /**
             * Format: int64
             * @description Millionths by which it moves the price, at most.
             */
            impact: number;
            /**
             * Format: int64
             * @description Millionths by which others of the half hour had moved it.
             */
            moved: number;
            /**
             * Format: int64
             * @description Millionths by which all of them may move it: the pool's fee and the token's tax, capped.
             */
            budget: number;
        };
        DistributionSettings: {
            /** @description `SOL`, `SELF` or a mint address. */
            rewardToken: string;
            distributionModel: components["schemas"]["DistributionModel"];
            /** @description Base units. */
            minimumHoldingRequirement: string;
            percentageToSellPerDistribution: number;
            distributionEnabled: boolean;
            distributionInterval: components["schemas"]["DistributionInterval"];
            burnPercent: number;
            developerFeePercent: number;
            developerWallet: string;
            telegramGroupId: string | null;
        };
        DistributionStanding: {
            /** Format: uuid */
            tokenId: string;
            /** Format: uuid */
            openRunId: string | null;
            /** @description A run is asked for that is not open yet. */
            requested: boolean;
            /** @description Why, as the log has it: of several requests before the run is open, the first is recorded. */
            requestReason: string | null;
            halted: {
                code: components["schemas"]["HaltCode"];
                reason: string;
            } | null;
        };
        /** @enum {string} */
        DistributionState: "idle" | "running" | "halted" | "disabled";
        DistributionTax: {
            /** Format: uuid */
            tokenId: string;
            mintAddress: string;
            /** @description As the last scan found it, before it was collected; null before the first. */
            withheld: {
                /** @description Base units, in the accounts and in the mint. */
                amount: string;
                /** @description When the chain showed it. */
                slot: string;
                /** Format: date-time */
                at: string;
            } | null;
            /** @description Base units. */
            collected: string;
            /** @description Base units. */
            burned: string;
            /** @description Base units; where the token itself is paid, what was paid instead of sold. */
            sold: string;
            /** @description Base units that were collected and neither burned nor sold yet. */
            kept: {
                developer: string;
                holders: string;
            };
            /** @description Lamports. */
            proceeds: string;
            /** @description Lamports that the distributor got back for its fees. */
            costs: string;
            /** @description Everything that was paid: to holders, to the developer, to the distributor for its costs, and debts from before the reward token changed. What the open run has paid is in it as soon as it is final. `paidTo` parts it. */
            paid: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description By closed runs. All parts together are everything that they have paid. */
            paidTo: components["schemas"]["PaidParts"];
            /** @description What holders got by closed runs. Nothing else is in it. */
            paidToHolders: components["schemas"]["PaidToHolders"];
            /**
             * Format: int64
             * @description Owners of accounts of the token, as the last scan found them; pools and programs are among them. Null before the first.
             */
            holderCount: number | null;
            /**
             * Format: int64
             * @description Runs that were closed.
             */
            runsClosed: number;
            /** @description Earned by wallets and not paid yet, as of the last closed run. */
            owed: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /**
             * Format: int64
             * @description Runs that were opened.
             */
            runs: number;
            /** Format: uuid */
            openRunId: string | null;
            /**
             * Format: date-time
             * @description When the last run was closed.
             */
            lastRunAt: string | null;
            /**
             * Format: date-time
             * @description Null while none is going to be opened.
             */
            nextRunAt: string | null;
            waitingFor: components["schemas"]["DistributionWaitingFor"];
        };
        DistributionWait: {
            /** @description Named in the reference of steps and waits. Others may be added. */
            code: string;
            /** @description A sentence with the particulars. */
            detail: string;
            /** Format: date-time */
            since: string;
            /** @description What the chain or a store said, word for word. */
            error: string | null;
        };
        DistributionWaitingFor: {
            /** @description `next-run`: nothing keeps it from distributing. `run`: a run is under way. `disabled`: its creator has switched it off. `hidden`: an operator hides the token. `all-halted`: operators have halted all distributions. Else why the last due run was not opened: `nothing-collected`, `not-worth-its-costs`, `no-market`, `reward-token-unsupported`, `distributor-unfunded`, `chain-unsuitable`, `scan-inconsistent`; or why it was halted: `OPERATOR`, `CHAIN_AHEAD_OF_LOG`, `PAYMENT_UNKNOWN`, `POT_MISSING`, `BOOKS_DISAGREE`, `CONTENT_MISMATCH`, `LEDGER_CORRUPT`, `SCAN_DISAGREES`. Others may be added. */
            code: string;
            /** @description A sentence for people. */
            detail: string;
            /** Format: date-time */
            since: string | null;
        };
        /** @enum {string} */
        DraftLifetimeKind: "durable-nonce" | "recent-blockhash";
        /** @enum {string} */
        DraftState: "open" | "superseded" | "expired" | "cancelled";
        EndPartnerBody: {
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason: string;
        };
        EndPromotionAnswer: {
            /** Format: uuid */
            promotionId: string;
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt: string;
        };
        EndPromotionBody: {
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason: string;
        };
        EndedPartner: {
            /** @description 1 to 32 letters, digits, dots, dashes and underscores; tokens made through it show it for ever. */
            partner: string;
            ended: boolean;
        };
        FeaturedPromotion: {
            /** Format: uuid */
            id: string;
            mintAddress: string;
            /**
             * @deprecated
             * @description The same as `mintAddress`, its name elsewhere.
             */
            tokenMint: string;
            token: {
                name: string;
                symbol: string;
                imageUri: string;
                description: string;
            };
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt: string;
            /** @description Whole days until `endsAt`, rounded up. */
            daysRemaining: number;
        };
        GenerateDistributionWalletAnswer: {
            /** Format: uuid */
            walletId: string;
            address: string;
        };
        GetAsyncApiDocumentAnswer: {
            asyncapi: string;
            info: {
                title: string;
                version: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        GetHealthAnswer: {
            /** @constant */
            status: "ok";
        };
        GetHolderAnswer: {
            /** Format: uuid */
            tokenId: string;
            wallet: string;
            /** @description Earned and not paid yet, in every capacity. */
            owed: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description By all runs together, in every capacity. `parts` keeps them apart. */
            paid: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            parts: components["schemas"]["DistributionHolderParts"];
            /** @description Why it was paid or not: `planned`, `below-minimum-holding`, `below-least-share`, `below-minimum-payout`, `no-account`, `under-rent-floor`, `excluded-by-creator`, `excluded`, `pool`, `program-owned`, `program`, `sysvar`; or what the chain refused: `frozen`, `needs-memo`, `under-rent-floor`, `read-only`, `closed`, `not-an-account-of-the-mint`, `unknown`. Others may be added. Each is explained in docs/explanation/who-is-paid.md. */
            reason: string | null;
            runs: components["schemas"]["DistributionHolderRun"][];
        };
        GetOpenApiDocumentAnswer: {
            openapi: string;
            info: {
                title: string;
                version: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        GetOverviewAnswer: {
            /** @description A role that is not needed and that no process has had is left out. */
            roles: components["schemas"]["RoleSeen"][];
            payers: components["schemas"]["Payer"][];
            waiting: components["schemas"]["Waiting"];
        };
        GetPaymentAnswer: {
            payment: components["schemas"]["DistributionPayment"];
            /** @description The bytes of the leaf, in base64. */
            record: string;
            proof: components["schemas"]["DistributionProof"];
            /** @description As on the page of the run, and in a memo on the chain. */
            root: string;
            others?: components["schemas"]["DistributionProvedPayment"][];
        };
        GetPaymentProofAnswer: {
            /** @constant */
            format: "levy-payment-proof-1";
            payment: components["schemas"]["DistributionPayment"];
            /** @description The bytes of the leaf, in base64. */
            record: string;
            proof: components["schemas"]["DistributionProof"];
            /** @description Of the ledger, as in the event. */
            root: string;
            others?: components["schemas"]["DistributionPaymentOfProof"][];
            /** @description The SHA-256 of its canonical JSON (RFC 8785) is the entry of the log. */
            event: components["schemas"]["LoggedEvent"];
            log: components["schemas"]["LogProof"];
        };
        GetReadinessAnswer: {
            /** @description `degraded`: one of many things does not work, and calls are answered as before. */
            status: components["schemas"]["ReadinessStatus"];
            checks: components["schemas"]["ReadinessCheck"][];
        };
        GetRunAnswer: {
            run: components["schemas"]["DistributionRunDetail"];
        };
        GetSeriesAnswer: {
            /** Format: uuid */
            tokenId: string;
            by: components["schemas"]["SeriesStep"];
            points: components["schemas"]["DistributionPoint"][];
        };
        GetSigningKeysAnswer: {
            keys: {
                [key: string]: unknown;
            }[];
        };
        GetStreamStateAnswer: {
            stream: string;
            /** Format: int64 */
            revision: number;
            /** @description One line for each event, each a JSON object of this form, ended by a line feed. */
            event: {
                id: string;
                type: string;
                /** @description As it was recorded, in the version that the metadata name. */
                data: {
                    [key: string]: unknown;
                };
                metadata: {
                    [key: string]: unknown;
                };
                stream: string;
                /**
                 * Format: int64
                 * @description 0 for the first event of its stream.
                 */
                revision: number;
                /** @description Where it is in the log: `after` of what comes next. */
                position: string;
                /** @description Why data or metadata are not JSON objects; both are then empty. */
                unreadable?: string;
            };
            /** @description The event is quarantined: it has no part in the state. */
            isQuarantined: boolean;
            /**
             * Format: int64
             * @description Of the first event that is still kept; the state says nothing of those before.
             */
            firstRevision: number;
            /** @description Null where there is none. Whole numbers of any size are texts. */
            state: unknown;
            changes: {
                /** @description The members that lead to it, joined by dots; empty for the whole state. */
                path: string;
                /** @description Absent where there was nothing. */
                before?: unknown;
                /** @description Absent where there is nothing any more. */
                after?: unknown;
            }[];
        };
        GetTokenAnswer: {
            token: components["schemas"]["TokenDetail"];
            /** @description What the open run has done is counted as far as it is final. */
            tax?: components["schemas"]["DistributionTax"];
            runs?: {
                runs: components["schemas"]["DistributionRun"][];
                /**
                 * Format: uuid
                 * @description Send it as `after` to get the next page; null at the end.
                 */
                next: string | null;
            };
            /** @description Null for a token without a launch. */
            launch?: components["schemas"]["LaunchStatus"] | null;
            /** @description Null without a promotion that runs now. */
            featured?: components["schemas"]["FeaturedPromotion"] | null;
            /** @description What its creator has promised, as it is now. The chat group is the creator's own affair. */
            settings?: components["schemas"]["PublicDistributionSettings"];
            /** @description Parts that cannot be told at this moment; their own routes say why. Absent if there are none. */
            unavailable?: components["schemas"]["TokenPart"][];
        };
        GetTransactionAnswer: {
            /** Format: uuid */
            transactionId: string;
            purpose: string;
            status: components["schemas"]["TransactionStatus"];
            signature: string | null;
            mintAddress: string;
            error: {
                code: string;
                message: string;
                logs: string[];
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description About when the blockhash of the bytes is over; refresh the transaction before they are signed later than that. Only where drafts are on recent blockhashes and the length of slots is known.
             */
            bytesExpireAt?: string;
            /** Format: date-time */
            settledAt: string | null;
            /** @description What keeps the outcome from being known; only while something unusual does. */
            waitingFor?: {
                code: components["schemas"]["TransactionWaitCode"];
                message: string;
            };
            /** @description Base64, as `create-unsigned` answered it, or `refresh` since then. Only while it waits to be signed and `expiresAt` has not passed. */
            transaction?: string;
            /** @description Lamports that the creator will pay in all. */
            cost?: string;
            /** @description Only of a launch: what it puts up for sale, and its prices. */
            launch?: {
                /** @description Base units that leave the wallet, the tax on their way included. */
                tokenAmount: string;
                /** Format: int32 */
                decimals: number;
                /** @description Lamports. */
                targetMarketCap: string;
                curve: {
                    /** @description The first price. Lamports for one whole token, cut off after 12 significant digits. */
                    startPrice: string;
                    /** @description Where the target is reached; the price can go on beyond it. Lamports for one whole token, cut off after 12 significant digits. */
                    endPrice: string;
                    priceMultiplier: string;
                };
            };
        };
        HaltAllDistributionsBody: {
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason: string;
        };
        /** @enum {string} */
        HaltCode: "OPERATOR" | "CHAIN_AHEAD_OF_LOG" | "PAYMENT_UNKNOWN" | "POT_MISSING" | "BOOKS_DISAGREE" | "CONTENT_MISMATCH" | "LEDGER_CORRUPT" | "SCAN_DISAGREES";
        HaltDistributionBody: {
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason: string;
        };
        HideTokenBody: {
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason: string;
        };
        LaunchInput: {
            /** @description Mint address of a token of the caller. */
            tokenMint: string;
            /** @description Base units that leave the wallet, the tax on their way included. */
            tokenAmount: string;
            /** @description Lamports. */
            targetMarketCap: string;
        };
        /** @enum {string} */
        LaunchPhase: "pending" | "active" | "completed" | "expired";
        /** @enum {string} */
        LaunchState: "none" | "active" | "completed";
        LaunchStatus: {
            mintAddress: string;
            /** @description The pool's address. */
            poolAddress: string;
            /**
             * @deprecated
             * @description The same as `poolAddress`, its name elsewhere: the venue has pools, and no bonding curves.
             */
            bondingCurveId: string;
            /** @description pending: issued, and on its way to being final; active: buyers can buy; completed: the target was reached, and the figures are those of that moment; expired: no transaction of it landed. All figures are those of the launch's own position: what others add to the pool is not among them. */
            status: components["schemas"]["LaunchPhase"];
            /** @description Percent of the way from the market cap at the start to the target, at most two decimals, rounded down. */
            progress: number;
            /** @description Lamports, of the supply at the launch; 0 while there is no pool. */
            currentMarketCap: string;
            /** @description Lamports; 0 to others than the creator of the token while nobody has signed the launch. */
            targetMarketCap: string;
            /** @description Base units. */
            tokensSold: string;
            /** @description Base units that the launch puts up for sale; 0 as long as `targetMarketCap` is. */
            totalTokens: string;
            /** @description Lamports in the pool; fees of the trades are not counted. */
            solCollected: string;
            /** @description Lamports for one whole token, cut off after 12 significant digits; 0 while there is no pool. */
            currentPrice: string;
            /** Format: date-time */
            launchedAt: string | null;
            /** Format: date-time */
            completedAt: string | null;
        };
        ListBatchesAnswer: {
            batches: components["schemas"]["DistributionBatch"][];
            /** @description Send it as `after` to get the next page; null at the end, as it is now. */
            next: string | null;
        };
        ListDistributionsAnswer: {
            allHalted: {
                reason: string;
                /** @description An operator's name, or a part of the service. */
                by: string;
                /** Format: date-time */
                since: string;
            } | null;
            distributions: {
                /** Format: uuid */
                tokenId: string;
                mintAddress: string;
                name: string | null;
                symbol: string | null;
                distributionWallet: string;
                state: components["schemas"]["DistributionState"];
                hidden: boolean;
                /** @description A run is asked for that is not open yet. */
                requested: boolean;
                /** Format: date-time */
                lastDueAt: string | null;
                openRun: {
                    /** Format: uuid */
                    runId: string;
                    /** Format: date-time */
                    openedAt: string;
                } | null;
                /** Format: date-time */
                lastClosedAt: string | null;
                halted: {
                    code: components["schemas"]["HaltCode"];
                    reason: string;
                    /** @description An operator's name, or a part of the service. */
                    by: string;
                    /** Format: date-time */
                    since: string;
                } | null;
                skipped: {
                    reason: components["schemas"]["SkipReason"];
                    detail: string;
                    /** Format: date-time */
                    since: string;
                } | null;
                /** @description Why the last run that had tax to sell sold nothing; null if it sold. */
                unsold: {
                    reason: string;
                    detail: string | null;
                    /**
                     * Format: int64
                     * @description Sales that were recorded.
                     */
                    tries: number | null;
                    /** Format: uuid */
                    runId: string;
                    /** Format: date-time */
                    since: string;
                } | null;
                /** @description What wallets have earned and were not paid: lamports, and base units of the token. */
                owed: {
                    sol: string;
                    token: string;
                };
                /** @description Keys of runs that the distributor lent lamports for fees: of the open run, and of closed ones that have not given back what is left. */
                lentTo: string[];
                /** @description What is done for the open run, or for a run that is due or requested and not opened yet (`consider`, in the process that distributes). Absent where there is neither. What it waits for is known in the process that distributes, and null in others. */
                progress?: {
                    /** @description One of the steps of a run. */
                    step: string;
                    /**
                     * Format: date-time
                     * @description When it began the step, as it was recorded.
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @description When something was recorded of the run last.
                     */
                    movedAt: string;
                    waitingFor: components["schemas"]["DistributionWait"] | null;
                };
            }[];
            /**
             * Format: uuid
             * @description Send it as `after` to get the next page; null at the end.
             */
            next: string | null;
        };
        ListDraftsAnswer: {
            drafts: {
                state: components["schemas"]["DraftState"];
                /** Format: uuid */
                transactionId: string;
                purpose: string;
                creator: string;
                /** Format: uuid */
                tokenId: string;
                mintAddress: string;
                nonceAccount: string | null;
                /** Format: int64 */
                lastValidBlockHeight: number | null;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description Since when its outcome is searched slowly, because somebody names its account in very many transactions.
                 */
                historyFloodedSince: string | null;
                /** @description Why nothing on the chain tells its outcome: look it up with another node, and conclude it. */
                outcomeUnknown: {
                    /** Format: date-time */
                    since: string;
                    code: components["schemas"]["UnknownOutcomeCode"];
                    message: string;
                    /** @description Whose history was read. */
                    address: string;
                    /** @description Some that the node lists there and does not show. */
                    signatures: string[];
                } | null;
                /** @description How an operator ended it. */
                conclusion: {
                    /** Format: date-time */
                    at: string;
                    outcome: components["schemas"]["ConcludedOutcome"];
                    signature: string | null;
                    /** @description What bears out the operator: `transaction`, the node shows it; `account`, what the transaction makes is there, or is not; `signature`, the payer has signed the message with it; `operator`, nothing else. */
                    checked: components["schemas"]["CheckedBy"];
                    reason: string;
                    by: string;
                } | null;
                /**
                 * Format: int64
                 * @description Of a draft since its issue, of a submission since its acceptance.
                 */
                ageSeconds: number;
            }[];
            /**
             * Format: uuid
             * @description Send it as `after` to get the next page; null at the end. With `olderThan`, pages before the last may hold fewer than the limit.
             */
            next: string | null;
        };
        ListEventsAnswer: {
            events: {
                id: string;
                type: string;
                /** @description As it was recorded, in the version that the metadata name. */
                data: {
                    [key: string]: unknown;
                };
                metadata: {
                    [key: string]: unknown;
                };
                stream: string;
                /**
                 * Format: int64
                 * @description 0 for the first event of its stream.
                 */
                revision: number;
                /** @description Where it is in the log: `after` of what comes next. */
                position: string;
                /** @description Why data or metadata are not JSON objects; both are then empty. */
                unreadable?: string;
            }[];
            next: string | null;
            /**
             * Format: int64
             * @description Events that this call has looked at.
             */
            lookedAt: number;
            /** @description The last event that this call has looked at; null if there was none. */
            reached: {
                /** @description Where it is in the log: `after` of what comes next. */
                position: string;
                /** @description Null where it cannot be read. */
                time: string | null;
            } | null;
        };
        ListFeaturedAnswer: {
            featured: components["schemas"]["FeaturedPromotion"][];
        };
        ListHiddenTokensAnswer: {
            tokens: {
                /** Format: uuid */
                tokenId: string;
                mintAddress: string;
                name: string;
                symbol: string;
                imageUri: string;
                creator: string;
                /** Format: date-time */
                createdAt: string;
                hidden: {
                    reason: string;
                    /** @description The operator's name. */
                    by: string;
                    /** Format: date-time */
                    since: string;
                };
            }[];
            pagination: components["schemas"]["Pagination"];
            /**
             * Format: uuid
             * @description Send it as `after` to get the next page; null at the end.
             */
            next: string | null;
        };
        ListNonceAccountsAnswer: {
            nonceAccounts: {
                account: string;
                /** Format: int64 */
                index: number;
                state: components["schemas"]["NonceAccountState"];
                value: string;
                /** Format: date-time */
                since: string;
                /**
                 * Format: int64
                 * @description Since it is free or leased.
                 */
                ageSeconds: number;
                lease: {
                    /** Format: uuid */
                    transactionId: string;
                    draft: {
                        purpose: string;
                        state: string;
                        creator: string;
                        /** Format: date-time */
                        expiresAt: string;
                    } | null;
                } | null;
            }[];
            /** @description Send it as `after` to get the next page; null at the end. */
            next: string | null;
        };
        /** @enum {string} */
        ListOrder: "oldest" | "newest";
        ListOwnTokensAnswer: {
            tokens: components["schemas"]["OwnToken"][];
            /**
             * Format: uuid
             * @description Send it as `after` to get the next page; null at the end. Only with `limit` or `after`.
             */
            next?: string | null;
        };
        ListPartnerTokensAnswer: {
            tokens: components["schemas"]["TokenCard"][];
            /**
             * Format: uuid
             * @description Send it as `after` to get the next page; null at the end.
             */
            next: string | null;
        };
        ListPartnersAnswer: {
            partners: components["schemas"]["Partner"][];
        };
        ListPaymentsAnswer: {
            payments: components["schemas"]["DistributionPayment"][];
            /** @description Send it as `after` to get the next page; null at the end. */
            next: string | null;
        };
        ListProjectionsAnswer: {
            /** @description The position of the log's last event. */
            head: string;
            projections: {
                name: string;
                /** Format: int64 */
                projectionVersion: number;
                state: components["schemas"]["ProjectionState"];
                /** Format: int64 */
                served: number | null;
                current: boolean;
                position: string;
                behind: boolean;
                /** @description How much of the log it has not handled: in bytes where the store does not count events. */
                lag: {
                    unit: components["schemas"]["ProgressUnit"];
                    /** Format: int64 */
                    count: number;
                };
                progress: {
                    unit: components["schemas"]["ProgressUnit"];
                    /** Format: int64 */
                    done: number;
                    /** Format: int64 */
                    of: number;
                    percent: number;
                    /** Format: int64 */
                    perSecond: number | null;
                    /** Format: int64 */
                    secondsLeft: number | null;
                } | null;
                /** Format: date-time */
                lastEventAt: string | null;
                error: string | null;
                /** @description The event that it cannot decode and waits at, until that is quarantined. */
                blockedBy: {
                    eventId: string;
                    stream: string;
                    /** Format: int64 */
                    revision: number;
                    position: string;
                    eventType: string;
                    /** @description Why it cannot be decoded. */
                    problem: string;
                } | null;
            }[];
        };
        ListQuarantinedEventsAnswer: {
            events: {
                eventId: string;
                stream: string;
                /** Format: int64 */
                revision: number;
                position: string;
                eventType: string;
                /** @description Why it cannot be decoded. */
                problem: string;
                reason: string;
                /** @description The operator's name. */
                by: string;
                /** Format: date-time */
                quarantinedAt: string;
            }[];
            pagination: components["schemas"]["Pagination"];
            /** @description Send it as `after` to get the next page; null at the end. */
            next: string | null;
        };
        ListRunsAnswer: {
            runs: components["schemas"]["DistributionRun"][];
            /**
             * Format: uuid
             * @description Send it as `after` to get the next page; null at the end.
             */
            next: string | null;
        };
        ListSettingsChangesAnswer: {
            changes: components["schemas"]["SettingsChange"][];
            pagination: components["schemas"]["Pagination"];
            /** @description Send it as `after` to get the next page; null at the end. */
            next: string | null;
        };
        ListSubmissionsAnswer: {
            submissions: {
                state: components["schemas"]["SubmissionState"];
                /** Format: uuid */
                transactionId: string;
                purpose: string;
                creator: string;
                /** Format: uuid */
                tokenId: string;
                mintAddress: string;
                nonceAccount: string | null;
                /** Format: int64 */
                lastValidBlockHeight: number | null;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description Since when its outcome is searched slowly, because somebody names its account in very many transactions.
                 */
                historyFloodedSince: string | null;
                /** @description Why nothing on the chain tells its outcome: look it up with another node, and conclude it. */
                outcomeUnknown: {
                    /** Format: date-time */
                    since: string;
                    code: components["schemas"]["UnknownOutcomeCode"];
                    message: string;
                    /** @description Whose history was read. */
                    address: string;
                    /** @description Some that the node lists there and does not show. */
                    signatures: string[];
                } | null;
                /** @description How an operator ended it. */
                conclusion: {
                    /** Format: date-time */
                    at: string;
                    outcome: components["schemas"]["ConcludedOutcome"];
                    signature: string | null;
                    /** @description What bears out the operator: `transaction`, the node shows it; `account`, what the transaction makes is there, or is not; `signature`, the payer has signed the message with it; `operator`, nothing else. */
                    checked: components["schemas"]["CheckedBy"];
                    reason: string;
                    by: string;
                } | null;
                /**
                 * Format: int64
                 * @description Of a draft since its issue, of a submission since its acceptance.
                 */
                ageSeconds: number;
                signature: string | null;
                /** Format: date-time */
                acceptedAt: string | null;
                /** Format: date-time */
                deadline: string | null;
                /** Format: date-time */
                overdueSince: string | null;
                /** Format: date-time */
                settledAt: string | null;
                /** @description Whether what it is for has been recorded. */
                recorded: boolean;
                failure: {
                    code: string;
                    message: string;
                    logs: string[];
                } | null;
            }[];
            /**
             * Format: uuid
             * @description Send it as `after` to get the next page; null at the end. With `olderThan`, pages before the last may hold fewer than the limit.
             */
            next: string | null;
        };
        ListTokensAnswer: {
            tokens: components["schemas"]["TokenCard"][];
            pagination: components["schemas"]["Pagination"];
            /** @description Send it as `after`, with the same `sort`, `search` and filters, to get the tokens behind this page: those that are made meanwhile shift nothing. Null at the end. */
            next: string | null;
        };
        ListTransactionsAnswer: {
            transactions: components["schemas"]["Transaction"][];
            /**
             * Format: uuid
             * @description Send it as `after` to get the next page; null at the end.
             */
            next: string | null;
        };
        ListUndecodableEventsAnswer: {
            events: {
                eventId: string;
                stream: string;
                /** Format: int64 */
                revision: number;
                position: string;
                eventType: string;
                /** @description Why it cannot be decoded. */
                problem: string;
                /** @description A newer release recorded it and can decode it, so it cannot be quarantined. */
                isNewer: boolean;
                /** Format: date-time */
                since: string;
            }[];
        };
        ListWalletSharesAnswer: {
            wallet: string;
            shares: components["schemas"]["WalletShare"][];
            /**
             * Format: uuid
             * @description Send it as `after` to get the next page; null at the end.
             */
            next: string | null;
        };
        LogProof: {
            /** @description The verifier key of the log. Compare it with one that you know. */
            key: string;
            /** @description A C2SP `tlog-proof` of the event. */
            proof: string;
        };
        LoggedEvent: {
            /** Format: uuid */
            id: string;
            type: string;
            stream: string;
            /** Format: int64 */
            revision: number;
            data: {
                [key: string]: unknown;
            };
            metadata: {
                [key: string]: unknown;
            };
        };
        NewPartnerKey: {
            /** @description 1 to 32 letters, digits, dots, dashes and underscores; tokens made through it show it for ever. */
            partner: string;
            /** Format: uuid */
            keyId: string;
            /** @description For `X-Partner-Key`. It is in this answer alone, and in those of the same call with the same Idempotency-Key. */
            key: string;
        };
        /** @enum {string} */
        NonceAccountState: "free" | "leased";
        OwnToken: {
            /** Format: uuid */
            id: string;
            mintAddress: string;
            name: string;
            symbol: string;
            imageUri: string;
            distributionEnabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description An operator hides it: only its creator sees it here. */
            hidden?: boolean;
        };
        Pagination: {
            /** Format: int64 */
            total: number;
            /**
             * Format: int64
             * @description 1 with `after`, wherever the page is.
             */
            page: number;
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            totalPages: number;
        };
        PaidParts: {
            /** @description To holders. */
            holders: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description To the developer. What the developer got as a holder is not in it. */
            developer: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description To the distributor, for its fees. */
            costs: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description Owed since before the reward token changed, to holders and to the developer. */
            debts: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description By runs that earlier versions have closed: it was not recorded to whom. */
            unattributed: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
        };
        PaidToHolders: {
            /** @description By all closed runs. */
            lifetime: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description Counted by whole hours (UTC): the hour that began 24 hours ago is in it. */
            last24Hours: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description Counted by whole hours (UTC), as `last24Hours` is. */
            last7Days: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description `lifetime` divided by the number of closed runs, rounded down; 0 before the first. */
            averagePerRun: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
        };
        Partner: {
            /** @description 1 to 32 letters, digits, dots, dashes and underscores; tokens made through it show it for ever. */
            partner: string;
            /** @description `operator`: made by these routes. `environment`: an entry of `PARTNER_KEYS`, changed there. */
            source: components["schemas"]["PartnerSource"];
            /** @description Of the policies that are named; for the others the partner has the quotas of everybody. */
            quotas: components["schemas"]["PartnerQuota"][];
            /** @description Newest first. Neither keys nor their hashes are shown. */
            keys: {
                /** Format: uuid */
                keyId: string;
                /** Format: date-time */
                madeAt: string;
                /** @description The operator's name. */
                madeBy: string;
                /**
                 * Format: date-time
                 * @description Until when it is valid; null while nothing ends it.
                 */
                endsAt: string | null;
            }[];
            /** @description Null while its keys are valid. */
            ended: {
                reason: string;
                by: string;
                /** Format: date-time */
                at: string;
            } | null;
        };
        PartnerQuota: {
            /** @description A rate-limit policy. */
            policy: string;
            /** Format: int32 */
            calls: number;
            /** Format: int32 */
            windowSeconds: number;
        };
        /** @enum {string} */
        PartnerSource: "operator" | "environment";
        PartnerUsage: {
            /** @description 1 to 32 letters, digits, dots, dashes and underscores; tokens made through it show it for ever. */
            partner: string;
            /** Format: date-time */
            since: string;
            /** Format: int64 */
            calls: number;
            byStatus: {
                /** Format: int64 */
                httpStatus: number;
                /** Format: int64 */
                calls: number;
            }[];
            /** @description By the `code` of the problem. */
            refusals: {
                code: string;
                /** Format: int64 */
                calls: number;
            }[];
            /** @description Empty where nothing is limited. */
            quotas: {
                policy: string;
                /**
                 * Format: int64
                 * @description Allowed in a window.
                 */
                calls: number;
                /** Format: int64 */
                windowSeconds: number;
                /**
                 * Format: int64
                 * @description Left of the window that runs now.
                 */
                remaining: number;
                /**
                 * Format: date-time
                 * @description When that window ends; null while no call has begun one.
                 */
                endsAt: string | null;
                /**
                 * Format: int64
                 * @description Calls that the policy refused, for the partner's quota or a wallet's.
                 */
                refused: number;
            }[];
        };
        Payer: {
            name: components["schemas"]["PayerName"];
            address: string;
            /** @description At most a few seconds old. Null while the chain does not tell. */
            lamports: string | null;
            /** @description In lamports. With less, the service issues no drafts (the fee payer) or opens no runs (the distributor). */
            floor: string;
            isEnough: boolean | null;
        };
        /** @enum {string} */
        PayerName: "fee payer" | "distributor";
        PendingTransferFee: {
            transferFeePercent: number;
            /**
             * @deprecated
             * @description The same as `transferFeePercent`, its name elsewhere.
             */
            percent: number;
            /** @description The most that one transfer is taxed, in base units; null where only the percentage counts. */
            transferFeeMaximum: string | null;
            /** @description The first epoch of the chain in which it is taken. */
            fromEpoch: string;
        };
        /** @enum {string} */
        ProgressUnit: "events" | "bytes";
        /** @enum {string} */
        ProjectionName: "all_distribution_days" | "distribution_days" | "distribution_owners" | "distribution_runs" | "distribution_settings" | "distribution_switch" | "distributions" | "distribution_totals" | "featured" | "hidden_tokens" | "images" | "launches" | "nonce_accounts" | "partners" | "revoked_sessions" | "settings_changes" | "tokens" | "transactions" | "wallet_shares";
        /** @enum {string} */
        ProjectionState: "building" | "live" | "failed";
        PublicConfiguration: {
            /** @description The release that answers. */
            version: string;
            /** @description The cluster whose wallets sign here; `localnet` for any other chain, null where a service answers from the past. */
            chain: components["schemas"]["ChainName"] | null;
            /** @description Whether `POST /faucet` gives SOL to try the service out with: only on the embedded chain. */
            faucet: boolean;
            tokens: {
                /** @description The highest tax that a token can be created with, or changed to, here. */
                maxTransferFeePercent: number;
                /** Format: int64 */
                maxDecimals: number;
                name: {
                    /**
                     * Format: int64
                     * @description Of Unicode.
                     */
                    characters: number;
                    /**
                     * Format: int64
                     * @description Of UTF-8.
                     */
                    bytes: number;
                };
                symbol: {
                    /**
                     * Format: int64
                     * @description Of Unicode.
                     */
                    characters: number;
                    /**
                     * Format: int64
                     * @description Of UTF-8.
                     */
                    bytes: number;
                };
                description: {
                    /**
                     * Format: int64
                     * @description Of Unicode.
                     */
                    characters: number;
                };
                link: {
                    /**
                     * Format: int64
                     * @description Of Unicode.
                     */
                    characters: number;
                };
            };
            images: {
                /**
                 * Format: int64
                 * @description Of an upload.
                 */
                maxBytes: number;
                types: string[];
                /**
                 * Format: int64
                 * @description Pixels: what is stored is a square JPEG.
                 */
                side: number;
            };
            distribution: {
                intervals: components["schemas"]["DistributionInterval"][];
                models: components["schemas"]["DistributionModel"][];
                /** @description `SOL`, or the token itself. */
                rewardTokens: string[];
                /** @description Of the tax that is not burned and not the developer’s: nothing goes to partners or to the operator, so it is 0. */
                partnerSharePercent: number;
            };
            promotions: {
                /** @description Whether places on the featured list are sold. */
                available: boolean;
                /** @description Lamports. */
                pricePerDay: string;
                /**
                 * Format: int64
                 * @description Tokens that the featured list holds at a time.
                 */
                places: number;
                /**
                 * Format: int64
                 * @description Of one purchase.
                 */
                maxDays: number;
                /** @description Null where none are sold. */
                paidTo: string | null;
            };
            launches: {
                /** @description Whether the launch venue is on the chain; null while the chain does not say. */
                available: boolean | null;
                /** @description A launch’s target as a multiple of its market cap at the start. */
                startRatio: number;
            };
            drafts: {
                /**
                 * Format: int64
                 * @description How long a draft can be signed.
                 */
                lifetimeSeconds: number;
                /** @description With `recent-blockhash`, bytes that expire before the draft does are refreshed. */
                lifetimeKind: components["schemas"]["DraftLifetimeKind"];
                /** Format: int64 */
                maxOpenPerWallet: number;
                /**
                 * Format: int64
                 * @description For how long a submission waits for the outcome before it answers 504.
                 */
                submitWaitSeconds: number;
            };
            /** @description Without a partner’s key, at each process. Empty where nothing is limited. */
            quotas: {
                policy: string;
                /**
                 * Format: int64
                 * @description Allowed in a window.
                 */
                calls: number;
                /** Format: int64 */
                windowSeconds: number;
                /** @description `wallet-and-ip`: both, and the one with fewer left decides. `wallet-or-ip`: the wallet when signed in, else the address. A partner is counted in place of its address. */
                countedBy: components["schemas"]["QuotaCounting"];
            }[];
        };
        PublicDistributionSettings: {
            /** @description `SOL`, `SELF` or a mint address. */
            rewardToken: string;
            distributionModel: components["schemas"]["DistributionModel"];
            /** @description Base units. */
            minimumHoldingRequirement: string;
            percentageToSellPerDistribution: number;
            distributionEnabled: boolean;
            distributionInterval: components["schemas"]["DistributionInterval"];
            burnPercent: number;
            developerFeePercent: number;
            developerWallet: string;
        };
        QuarantineEventAnswer: {
            eventId: string;
            stream: string;
            /** Format: int64 */
            revision: number;
            position: string;
            eventType: string;
            /** @description Why it cannot be decoded. */
            problem: string;
            reason: string;
            /** @description The operator's name. */
            by: string;
            /** Format: date-time */
            quarantinedAt: string;
        };
        QuarantineEventBody: {
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason: string;
            stream?: string;
            /** Format: int64 */
            revision?: number;
        };
        /** @enum {string} */
        QuotaCounting: "wallet-and-ip" | "wallet-or-ip" | "ip";
        ReadinessCheck: {
            name: string;
            ok: boolean;
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        ReadinessStatus: "ready" | "degraded" | "not ready";
        RebuildProjectionAnswer: {
            /** @description False if it is being built already. */
            started: boolean;
        };
        RefreshTransactionAnswer: {
            /** @description Base64, unsigned. */
            transaction: string;
            /** Format: uuid */
            transactionId: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description About when the blockhash of the bytes is over; refresh the transaction before they are signed later than that. Only where drafts are on recent blockhashes and the length of slots is known.
             */
            bytesExpireAt?: string;
            /** @description Lamports that the creator will pay in all. */
            cost: string;
        };
        RequestRunBody: {
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason: string;
        };
        RequestTestLamportsAnswer: {
            walletAddress: string;
            /** @description What has arrived. */
            lamports: string;
        };
        RequestTestLamportsBody: {
            walletAddress: string;
        };
        ResumeAllDistributionsBody: {
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason: string;
        };
        ResumeDistributionBody: {
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason: string;
        };
        /** @enum {string} */
        RewardAsset: "sol" | "token";
        RoleSeen: {
            role: string;
            /** @description `lapsed`: the lease was not renewed, and the next process takes it over, if there is one. `free`: no process has the role. */
            state: components["schemas"]["RoleState"];
            /** @description The host and the number of the process. Null where the role is free. */
            holder: string | null;
            /**
             * Format: date-time
             * @description When the lease ends unless it is renewed before, by its holder's clock. Null without a lease: where the log is one process's own, that has the role while it runs.
             */
            until: string | null;
        };
        /** @enum {string} */
        RoleState: "held" | "lapsed" | "free";
        RotatePartnerKeyBody: {
            /**
             * Format: int32
             * @description How long the key before it stays valid; 0 ends it at once.
             * @default 86400
             */
            overlapSeconds?: number;
        };
        /** @enum {string} */
        SeriesStep: "run" | "day";
        SettingsChange: {
            /** @description As in `X-Position`; later changes compare greater. */
            position: string;
            /** Format: date-time */
            changedAt: string;
            changedBy: string;
            /** @description What changed, as it was; null in the first entry: what the token was created with. */
            from: components["schemas"]["SomeDistributionSettings"] | null;
            to: components["schemas"]["SomeDistributionSettings"];
        };
        SettingsInput: {
            /** @description Share of the tax that is burned. At most two decimals. */
            burnPercent?: number;
            /** @description Share of the tax for the developer. At most two decimals. */
            developerFeePercent?: number;
            /** @description Base58 address; at creation the creator when absent. */
            developerWallet?: string;
            distributionInterval?: components["schemas"]["DistributionInterval"];
            /** @description Sold on each distribution. At most two decimals. */
            percentageToSellPerDistribution?: number;
            /** @description `SOL` (or the mint of wrapped SOL), or `SELF` for the token itself (or its mint). Holders are paid in no other token. */
            rewardToken?: string;
            /** @description Base units. */
            minimumHoldingRequirement?: string;
            distributionModel?: components["schemas"]["DistributionModel"];
            distributionEnabled?: boolean;
            /** @description Such as `-1001234567890` or `@name`. Null or "" for none: many typed clients leave null out. */
            telegramGroupId?: string | null;
        };
        ShowTokenBody: {
            /** @description 1-500 characters on one line; recorded for ever, and shown to operators only. */
            reason?: string;
        };
        SignInInput: {
            domain: string;
            address: string;
            statement: string;
            uri: string;
            /** @constant */
            version: "1";
            chainId: string;
            nonce: string;
            /** Format: date-time */
            issuedAt: string;
            /** Format: date-time */
            expirationTime: string;
        };
        SignOutAnswer: {
            success: boolean;
        };
        SignedTransaction: {
            /** Format: uuid */
            transactionId: string;
            /** @description Base64 or base64url, padded or not; line breaks are ignored. */
            signedTransaction: string;
        };
        /** @enum {string} */
        SkipReason: "nothing-collected" | "not-worth-its-costs" | "no-market" | "reward-token-unsupported" | "distributor-unfunded" | "chain-unsuitable" | "scan-inconsistent";
        SomeDistributionSettings: {
            /** @description `SOL`, `SELF` or a mint address. */
            rewardToken?: string;
            distributionModel?: components["schemas"]["DistributionModel"];
            /** @description Base units. */
            minimumHoldingRequirement?: string;
            percentageToSellPerDistribution?: number;
            distributionEnabled?: boolean;
            distributionInterval?: components["schemas"]["DistributionInterval"];
            burnPercent?: number;
            developerFeePercent?: number;
            developerWallet?: string;
            telegramGroupId?: string | null;
        };
        /** @enum {string} */
        SubmissionFilter: "submitted" | "confirmed" | "finalized" | "failed" | "unrecorded" | "unknown";
        /** @enum {string} */
        SubmissionState: "open" | "cancelled" | "submitted" | "confirmed" | "finalized" | "failed";
        SubmitLaunchAnswer: {
            success: boolean;
            signature: string;
            mintAddress: string;
            /** @description The pool's address. */
            poolAddress: string;
            /**
             * @deprecated
             * @description The same as `poolAddress`, its name elsewhere: the venue has pools, and no bonding curves.
             */
            bondingCurveId: string;
            /** Format: date-time */
            launchedAt: string;
        };
        SubmitPromotionAnswer: {
            success: boolean;
            signature: string;
            promotion: components["schemas"]["FeaturedPromotion"];
        };
        SubmitTestTransferAnswer: {
            signature: string;
        };
        SubmitTestTransferBody: {
            /** @description Base64 or base64url, padded or not; line breaks are ignored. */
            signedTransaction: string;
        };
        SubmitTokenAnswer: {
            success: boolean;
            signature: string;
            mintAddress: string;
            token: {
                /** Format: uuid */
                id: string;
                mintAddress: string;
                name: string;
                symbol: string;
                imageUri: string;
                /** Format: date-time */
                createdAt: string;
            };
        };
        SubmitTransferFeeAnswer: {
            success: boolean;
            signature: string;
            mintAddress: string;
            /** @description Valid now. */
            transferFeePercent: number;
            /** @description The most that one transfer is taxed, in base units; null where only the percentage counts. */
            transferFeeMaximum: string | null;
            pendingTransferFee?: components["schemas"]["PendingTransferFee"];
        };
        TokenCard: {
            /** Format: uuid */
            id: string;
            mintAddress: string;
            name: string;
            symbol: string;
            imageUri: string;
            description: string;
            transferFeePercent: number;
            poolAddress: string | null;
            /** Format: date-time */
            createdAt: string;
            creator: string;
            /** Format: int64 */
            decimals: number;
            /** @description The supply at creation, in base units; it never changes here. `currentSupply` is what is left of it. */
            supply: string;
            /** @description As of the last run: what its scan found, less what the run itself has burned since. Null before the first scan. */
            currentSupply: {
                /** @description Base units that exist. */
                amount: string;
                /** @description `supply` less `amount`, by whomever it was burned. */
                burned: string;
                /** Format: date-time */
                at: string;
            } | null;
            /**
             * Format: int64
             * @description Owners of accounts of the token, as the last scan found them; pools and programs are among them. Null before the first.
             */
            holderCount: number | null;
            /** @description What holders got by closed runs. Nothing else is in it. */
            paidToHolders: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description `idle`: waits for the next run. `running`: a run is under way. `halted`: an operator or a failed check has halted it. `disabled`: its creator has switched it off. */
            distributionState: components["schemas"]["DistributionState"];
            /** @description `active`: buyers can buy. `completed`: the launch has reached its target. */
            launchState: components["schemas"]["LaunchState"];
            /** @description Of a launched token, when its price was last recorded: at the launch, when the target was reached, and at the scan of each run. For lists: `GET /launchpad/{mintAddress}/status` has the price of now while the launch is active. Null without a launch. */
            marketCap: {
                /** @description The price of its pool times the supply. */
                lamports: string;
                /** Format: date-time */
                at: string;
            } | null;
            /** @description The promotion that runs now; null without one. */
            featured: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                startsAt: string;
                /** Format: date-time */
                endsAt: string;
            } | null;
            /** @description The partner whose key came with the call that made its draft; null without one. */
            partner: string | null;
            /** @description What its holders are paid in: `SOL`, `SELF` or a mint address. */
            rewardToken: string;
            /**
             * Format: date-time
             * @description When the last run was closed; absent before the first.
             */
            lastDistributionAt?: string;
            /**
             * Format: date-time
             * @description Absent while none is going to be opened.
             */
            nextDistributionAt?: string;
            /** @description Percent of the tax that is burned. What neither burns nor goes to the developer is the holders'. */
            burnPercent: number;
            /** @description Percent of the tax for the developer. */
            developerFeePercent: number;
            distributionInterval: components["schemas"]["DistributionInterval"];
        };
        TokenDetail: {
            /** Format: uuid */
            id: string;
            mintAddress: string;
            name: string;
            symbol: string;
            /** Format: int64 */
            decimals: number;
            imageUri: string;
            description: string;
            twitter: string;
            telegram: string;
            website: string;
            /** @description The supply at creation, in base units; it never changes here. `currentSupply` is what is left of it. */
            supply: string;
            /** @description As of the last run: what its scan found, less what the run itself has burned since. Null before the first scan. */
            currentSupply: {
                /** @description Base units that exist. */
                amount: string;
                /** @description `supply` less `amount`, by whomever it was burned. */
                burned: string;
                /** Format: date-time */
                at: string;
            } | null;
            /**
             * Format: int64
             * @description Owners of accounts of the token, as the last scan found them; pools and programs are among them. Null before the first.
             */
            holderCount: number | null;
            /** @description What holders got by closed runs. Nothing else is in it. */
            paidToHolders: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description `idle`: waits for the next run. `running`: a run is under way. `halted`: an operator or a failed check has halted it. `disabled`: its creator has switched it off. */
            distributionState: components["schemas"]["DistributionState"];
            /** @description `active`: buyers can buy. `completed`: the launch has reached its target. */
            launchState: components["schemas"]["LaunchState"];
            /** @description Of a launched token, when its price was last recorded: at the launch, when the target was reached, and at the scan of each run. For lists: `GET /launchpad/{mintAddress}/status` has the price of now while the launch is active. Null without a launch. */
            marketCap: {
                /** @description The price of its pool times the supply. */
                lamports: string;
                /** Format: date-time */
                at: string;
            } | null;
            /** @description The promotion that runs now; null without one. */
            featured: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                startsAt: string;
                /** Format: date-time */
                endsAt: string;
            } | null;
            /** @description The partner whose key came with the call that made its draft; null without one. */
            partner: string | null;
            /** @description What its holders are paid in: `SOL`, `SELF` or a mint address. */
            rewardToken: string;
            /**
             * Format: date-time
             * @description When the last run was closed; absent before the first.
             */
            lastDistributionAt?: string;
            /**
             * Format: date-time
             * @description Absent while none is going to be opened.
             */
            nextDistributionAt?: string;
            transferFeePercent: number;
            /** @description Whether its creator can change the tax on the chain. */
            transferFeeAdjustable: boolean;
            /** @description Whether name, symbol and picture can never be changed on the chain. */
            immutableMetadata: boolean;
            /** @description The most that one transfer is taxed, in base units; null where only the percentage counts. */
            transferFeeMaximum: string | null;
            pendingTransferFee?: components["schemas"]["PendingTransferFee"];
            burnPercent: number;
            developerFeePercent: number;
            developerWallet: string;
            distributionWallet: string;
            distributionInterval: components["schemas"]["DistributionInterval"];
            distributionEnabled: boolean;
            distributionModel: components["schemas"]["DistributionModel"];
            /** @description Base units that a wallet must hold to be paid. */
            minimumHoldingRequirement: string;
            /** @description Percent of the collected tax that a run sells. */
            percentageToSellPerDistribution: number;
            poolAddress: string | null;
            /** Format: date-time */
            poolCreatedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The wallet that signed the creation. */
            creator: string;
            /** @description Of the transaction that created the token. */
            signature?: string;
            /** @description An operator hides it: only its creator sees it here. */
            hidden?: boolean;
        };
        TokenInput: {
            /**
             * Format: uuid
             * @description From generate-distribution-wallet.
             */
            walletId: string;
            /** @description 1-32 characters and at most 32 bytes of UTF-8. No character that is invisible, turns the direction of writing, or means nothing; emoji of several characters are taken. */
            name: string;
            /** @description 1-10 characters and at most 10 bytes of UTF-8. No character that is invisible, turns the direction of writing, or means nothing; emoji of several characters are taken. */
            symbol: string;
            /** @description Up to 1000 characters; line breaks and tabs may be among them. No character that is invisible, turns the direction of writing, or means nothing; emoji of several characters are taken. */
            description: string;
            /** @description From upload-image. */
            imageUri: string;
            /**
             * @description Social link. An https address of a public host by name, or "" for none. Stored as browsers write it.
             * @default
             */
            twitter?: string;
            /**
             * @description Social link. An https address of a public host by name, or "" for none. Stored as browsers write it.
             * @default
             */
            telegram?: string;
            /**
             * @description Website. An https address of a public host by name, or "" for none. Stored as browsers write it.
             * @default
             */
            website?: string;
            /** @description Tax taken on each transfer. At most two decimals. */
            transferFeePercent: number;
            /**
             * @description Share of the tax that is burned. At most two decimals.
             * @default 0
             */
            burnPercent?: number;
            /**
             * @description Share of the tax for the developer. At most two decimals.
             * @default 0
             */
            developerFeePercent?: number;
            /** @description Base58 address; at creation the creator when absent. */
            developerWallet?: string;
            /** @default 1h */
            distributionInterval?: components["schemas"]["DistributionInterval"];
            /**
             * @description Sold on each distribution. At most two decimals.
             * @default 100
             */
            percentageToSellPerDistribution?: number;
            /**
             * @description `SOL` (or the mint of wrapped SOL), or `SELF` for the token itself (or its mint). Holders are paid in no other token.
             * @default SOL
             */
            rewardToken?: string;
            /**
             * @description Base units.
             * @default 0
             */
            minimumHoldingRequirement?: string;
            /** Format: int32 */
            decimals: number;
            /** @description Base units, at least 1. */
            supply: string;
            /** @default false */
            transferFeeAdjustable?: boolean;
            /** @default true */
            immutableMetadata?: boolean;
        };
        TokenMetadata: {
            name: string;
            symbol: string;
            description: string;
            image: string;
            external_url?: string;
            twitter?: string;
            telegram?: string;
            website?: string;
        };
        /** @enum {string} */
        TokenPart: "tax" | "runs" | "launch" | "featured" | "settings";
        /** @enum {string} */
        TokenSort: "newest" | "paid" | "market-cap" | "next-run";
        TokenVisibility: {
            /** Format: uuid */
            tokenId: string;
            mintAddress: string;
            hidden: boolean;
        };
        Totals: {
            /**
             * Format: int64
             * @description Tokens that the list shows.
             */
            tokens: number;
            /**
             * Format: int64
             * @description Runs that were closed.
             */
            runs: number;
            /**
             * Format: int64
             * @description One for each holder in each run that paid it, where they were counted apart from others.
             */
            paymentsToHolders: number;
            /**
             * Format: int64
             * @deprecated
             * @description The former name of `paymentsToHolders`.
             */
            holdersPaid: number;
            /** @description Lamports that sales of the tax brought. */
            proceeds: string;
            /** @description Lamports that holders got. Nothing else is in it. */
            paidToHolders: {
                /** @description By all closed runs. */
                lifetime: string;
                /** @description Counted by whole hours (UTC): the hour that began 24 hours ago is in it. */
                last24Hours: string;
                /** @description Counted by whole hours (UTC). */
                last7Days: string;
            };
            /** @description Lamports. */
            paidToDevelopers: string;
            /** @description Lamports that the distributor got back for its fees. */
            costs: string;
            /** @description Lamports paid by runs that earlier versions have closed: it was not recorded to whom. */
            unattributed: string;
        };
        Transaction: {
            /** Format: uuid */
            transactionId: string;
            purpose: string;
            status: components["schemas"]["TransactionStatus"];
            signature: string | null;
            mintAddress: string;
            error: {
                code: string;
                message: string;
                logs: string[];
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description About when the blockhash of the bytes is over; refresh the transaction before they are signed later than that. Only where drafts are on recent blockhashes and the length of slots is known.
             */
            bytesExpireAt?: string;
            /** Format: date-time */
            settledAt: string | null;
            /** @description What keeps the outcome from being known; only while something unusual does. */
            waitingFor?: {
                code: components["schemas"]["TransactionWaitCode"];
                message: string;
            };
        };
        /** @enum {string} */
        TransactionStatus: "awaiting_signature" | "submitted" | "confirmed" | "failed" | "expired" | "cancelled";
        /** @enum {string} */
        TransactionWaitCode: "HISTORY_SEARCH" | "OUTCOME_UNKNOWN";
        TransferFeeChange: {
            /** @description Tax taken on each transfer. At most two decimals. */
            transferFeePercent: number;
        };
        /** @enum {string} */
        UnknownOutcomeCode: "TRANSACTION_NOT_SHOWN" | "TRANSACTION_NOT_FOUND";
        UploadImageAnswer: {
            success: boolean;
            imageUri: string;
            imageCid: string;
        };
        VerifySignInAnswer: {
            /** @description A JWT. */
            token: string;
            /** Format: date-time */
            expiresAt: string;
            user: {
                /** Format: uuid */
                id: string;
                walletAddress: string;
            };
        };
        VerifySignInBody: {
            walletAddress: string;
            /** @description Base58. */
            signature: string;
            /** @description The challenge, unchanged. */
            message: string;
        };
        Waiting: {
            /**
             * Format: int64
             * @description Drafts that wait for a signature.
             */
            open: number;
            /**
             * Format: int64
             * @description Submissions that are on their way to the chain.
             */
            submitted: number;
            /**
             * Format: int64
             * @description Submissions that have landed and are not final yet.
             */
            confirmed: number;
            /**
             * Format: int64
             * @description Drafts whose outcome nothing on the chain shows: an operator concludes them.
             */
            unknown: number;
            /**
             * Format: date-time
             * @description When the oldest submission that is not final was accepted. Null where there is none.
             */
            oldestAcceptedAt: string | null;
        };
        WalletShare: {
            /** Format: uuid */
            tokenId: string;
            mintAddress: string;
            name: string;
            symbol: string;
            /** Format: int32 */
            decimals: number;
            imageUri: string;
            /** @description What its holders are paid in: `SOL`, `SELF` or a mint address. */
            rewardToken: string;
            /** @description Earned and not paid yet, in every capacity. */
            owed: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            /** @description By all runs together, in every capacity. `parts` keeps them apart. */
            paid: {
                /** @description Lamports. */
                sol: string;
                /** @description Base units of the token. */
                token: string;
            };
            parts: components["schemas"]["DistributionHolderParts"];
            /** @description Why it was paid or not: `planned`, `below-minimum-holding`, `below-least-share`, `below-minimum-payout`, `no-account`, `under-rent-floor`, `excluded-by-creator`, `excluded`, `pool`, `program-owned`, `program`, `sysvar`; or what the chain refused: `frozen`, `needs-memo`, `under-rent-floor`, `read-only`, `closed`, `not-an-account-of-the-mint`, `unknown`. Others may be added. Each is explained in docs/explanation/who-is-paid.md. */
            reason: string | null;
            /** @description The last closed run. */
            lastRun: {
                /** Format: uuid */
                runId: string;
                /** Format: date-time */
                closedAt: string;
            };
            /** @description `idle`: waits for the next run. `running`: a run is under way. `halted`: an operator or a failed check has halted it. `disabled`: its creator has switched it off. */
            distributionState: components["schemas"]["DistributionState"];
            /**
             * Format: date-time
             * @description Absent while none is going to be opened.
             */
            nextDistributionAt?: string;
        };
        /**
         * @description A refusal (RFC 9457). Programs compare `code`:
         *
         *     | Status | Code | Meaning |
         *     | --- | --- | --- |
         *     | 400 | `VALIDATION_FAILED` | The request is not valid |
         *     | 400 | `INVALID_ADDRESS` | Not a valid address for this use |
         *     | 400 | `SPLIT_EXCEEDS_100` | Burn and developer share exceed 100 percent |
         *     | 400 | `TOO_MANY_OWNERS` | More owners than a token may list |
         *     | 400 | `OWNER_LISTED_TWICE` | An owner is listed twice |
         *     | 400 | `PROGRAM_KEPT_OUT` | A program's address cannot be kept out |
         *     | 401 | `UNAUTHENTICATED` | Valid credentials are needed |
         *     | 401 | `TOKEN_EXPIRED` | The access token has expired |
         *     | 401 | `SIGN_IN_FAILED` | The sign-in could not be verified |
         *     | 403 | `NOT_TOKEN_CREATOR` | Only the creator of the token may do this |
         *     | 403 | `NOT_TRANSACTION_OWNER` | The transaction belongs to another wallet |
         *     | 404 | `ROUTE_NOT_FOUND` | There is no such route |
         *     | 404 | `TOKEN_NOT_FOUND` | There is no such token |
         *     | 404 | `TRANSACTION_NOT_FOUND` | There is no such transaction |
         *     | 404 | `WALLET_NOT_FOUND` | There is no such distribution wallet |
         *     | 404 | `IMAGE_NOT_FOUND` | There is no such image |
         *     | 404 | `FILE_NOT_FOUND` | There is no such file |
         *     | 404 | `LAUNCH_NOT_FOUND` | There is no such launch |
         *     | 404 | `PROMOTION_NOT_FOUND` | There is no such promotion |
         *     | 404 | `RUN_NOT_FOUND` | There is no such run |
         *     | 404 | `PAYMENT_NOT_FOUND` | The wallet is not in the ledger of the run |
         *     | 404 | `PARTNER_NOT_FOUND` | There is no such partner |
         *     | 404 | `NO_FAUCET` | The chain of this service gives nothing away |
         *     | 404 | `EVENT_NOT_FOUND` | There is no such event |
         *     | 405 | `METHOD_NOT_ALLOWED` | The path does not answer this method |
         *     | 408 | `REQUEST_TIMED_OUT` | The request did not arrive in time |
         *     | 409 | `WALLET_ALREADY_USED` | The distribution wallet belongs to another token |
         *     | 409 | `LAUNCH_ALREADY_EXISTS` | The token is launched already |
         *     | 409 | `POOL_ADDRESS_TAKEN` | Somebody else made the pool of the token |
         *     | 409 | `CONCURRENT_CHANGE` | Somebody else changed this at the same moment |
         *     | 409 | `TOO_MANY_DRAFTS` | Too many open drafts |
         *     | 409 | `TRANSACTION_SUBMITTED` | The transaction was submitted |
         *     | 409 | `TRANSACTION_NOT_SUBMITTED` | The transaction was not submitted |
         *     | 409 | `OUTCOME_KNOWN` | The outcome of the transaction is known |
         *     | 409 | `OUTCOME_OPEN` | The transaction can still land |
         *     | 409 | `OUTCOME_CONTRADICTED` | The chain contradicts this outcome |
         *     | 409 | `TRANSACTION_LANDED` | The transaction is on the chain |
         *     | 409 | `TRANSACTION_FAILED` | The transaction failed on the chain |
         *     | 409 | `TRANSACTION_NOT_REFRESHABLE` | The bytes of the transaction cannot be made anew |
         *     | 409 | `TRANSFER_FEE_FIXED` | The tax of this token can never change |
         *     | 409 | `TOKEN_HIDDEN` | An operator has hidden the token |
         *     | 409 | `RUN_ALREADY_OPEN` | A run of the token is open |
         *     | 409 | `DISTRIBUTION_HALTED` | The distribution is halted |
         *     | 409 | `CORRECTION_REFUSED` | The books cannot be corrected like this |
         *     | 409 | `DISTRIBUTION_DISABLED` | The creator has disabled the distribution |
         *     | 409 | `PARTNER_EXISTS` | There is a partner of this name |
         *     | 409 | `PARTNER_KEY_REPLACED` | The key has been replaced or ended |
         *     | 409 | `BACKUP_UNDER_WAY` | Another backup is being taken |
         *     | 409 | `EVENT_DECODABLE` | The event can be decoded |
         *     | 409 | `EVENT_OF_NEWER_VERSION` | A newer release can decode the event |
         *     | 409 | `EVENT_INDISPENSABLE` | The event cannot be skipped |
         *     | 409 | `VENUE_UNAVAILABLE` | The launch venue is not on this chain |
         *     | 409 | `PROMOTIONS_UNAVAILABLE` | Promotions are not sold here |
         *     | 409 | `FEATURED_LIST_FULL` | Every place on the featured list is taken |
         *     | 410 | `TRANSACTION_EXPIRED` | The transaction has expired |
         *     | 410 | `TRANSACTION_SUPERSEDED` | A newer draft took the place of this transaction |
         *     | 410 | `TRANSACTION_CANCELLED` | The transaction was cancelled |
         *     | 410 | `BYTES_EXPIRED` | The bytes have expired; refresh the transaction |
         *     | 412 | `PRECONDITION_FAILED` | It has changed since it was read |
         *     | 413 | `BODY_TOO_LARGE` | The body is too large |
         *     | 413 | `IMAGE_TOO_LARGE` | The image is over 1 MB |
         *     | 414 | `URI_TOO_LONG` | The address is too long |
         *     | 415 | `UNSUPPORTED_MEDIA_TYPE` | This content type is not accepted here |
         *     | 415 | `IMAGE_TYPE_UNSUPPORTED` | The image is neither PNG nor JPEG |
         *     | 416 | `RANGE_NOT_SATISFIABLE` | The file ends before this range |
         *     | 422 | `IMAGE_UNREADABLE` | The image cannot be read |
         *     | 422 | `TRANSACTION_MISMATCH` | Not the transaction that was issued |
         *     | 422 | `SIGNATURE_MISSING` | The creator has not signed |
         *     | 422 | `SIGNATURE_INVALID` | The signature is not valid |
         *     | 422 | `IDEMPOTENCY_KEY_REUSED` | The Idempotency-Key was used for another request |
         *     | 422 | `REWARD_TOKEN_UNSUPPORTED` | Holders cannot be paid in this token |
         *     | 422 | `INSUFFICIENT_FUNDS` | The wallet does not hold enough SOL |
         *     | 422 | `CHAIN_REJECTED` | The chain refused the transaction |
         *     | 429 | `RATE_LIMITED` | Too many requests |
         *     | 431 | `HEADERS_TOO_LARGE` | The headers are too large |
         *     | 502 | `CHAIN_UNAVAILABLE` | The chain does not answer |
         *     | 503 | `CHAIN_UNAVAILABLE` | The chain does not answer |
         *     | 503 | `STORE_UNAVAILABLE` | The store does not answer |
         *     | 503 | `LEDGER_UNAVAILABLE` | A ledger file is not there at the moment |
         *     | 503 | `LEDGER_CORRUPT` | A ledger file is damaged |
         *     | 503 | `IMAGE_CORRUPT` | The stored image is damaged |
         *     | 503 | `EVENT_UNDECODABLE` | A recorded event cannot be decoded |
         *     | 503 | `SERVICE_BUSY` | The service has too much to do at the moment |
         *     | 503 | `STREAMS_EXHAUSTED` | No stream can be opened at the moment |
         *     | 503 | `DRAFTS_EXHAUSTED` | No draft can be issued at the moment |
         *     | 503 | `SERVICE_UNFUNDED` | The service's fee payer needs SOL |
         *     | 503 | `PREVIEW_UNAVAILABLE` | No preview can be made at the moment |
         *     | 504 | `CONFIRMATION_PENDING` | The outcome is not known yet |
         */
        Problem: {
            /** @description The address of a page about the code, relative to that of the call. */
            type: string;
            /** @description The same for every problem with this code. */
            title: string;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description What was wrong, in a sentence for people. Its wording may change. */
            detail: string;
            /** @description The path that was asked for. */
            instance: string;
            code: components["schemas"]["ProblemCode"];
            /** @description The same sentence as `detail`. */
            error: string;
            /** @description The same as `X-Request-Id`. */
            requestId: string;
            /** @description Each invalid field; lamports needed and found; what the chain logged. */
            details?: {
                /** @description The members that lead to it; places in a list as digits. */
                path: string[];
                message: string;
            }[];
            /** @description With `PAYMENT_NOT_FOUND`: the two leaves of the ledger between which the wallet would stand, as in the answer of `getPayment`. `after` is null behind the last. */
            neighbours?: {
                before: {
                    [key: string]: unknown;
                };
                after: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description With `neighbours`: the root of the ledger's Merkle tree. */
            root?: string;
        };
        /** @enum {string} */
        ProblemCode: "VALIDATION_FAILED" | "INVALID_ADDRESS" | "SPLIT_EXCEEDS_100" | "TOO_MANY_OWNERS" | "OWNER_LISTED_TWICE" | "PROGRAM_KEPT_OUT" | "UNAUTHENTICATED" | "TOKEN_EXPIRED" | "SIGN_IN_FAILED" | "NOT_TOKEN_CREATOR" | "NOT_TRANSACTION_OWNER" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TOKEN_NOT_FOUND" | "TRANSACTION_NOT_FOUND" | "WALLET_NOT_FOUND" | "IMAGE_NOT_FOUND" | "FILE_NOT_FOUND" | "LAUNCH_NOT_FOUND" | "PROMOTION_NOT_FOUND" | "RUN_NOT_FOUND" | "PAYMENT_NOT_FOUND" | "PARTNER_NOT_FOUND" | "NO_FAUCET" | "EVENT_NOT_FOUND" | "REQUEST_TIMED_OUT" | "WALLET_ALREADY_USED" | "LAUNCH_ALREADY_EXISTS" | "POOL_ADDRESS_TAKEN" | "CONCURRENT_CHANGE" | "TOO_MANY_DRAFTS" | "TRANSACTION_SUBMITTED" | "TRANSACTION_NOT_SUBMITTED" | "OUTCOME_KNOWN" | "OUTCOME_OPEN" | "OUTCOME_CONTRADICTED" | "TRANSACTION_LANDED" | "TRANSACTION_FAILED" | "TRANSACTION_NOT_REFRESHABLE" | "TRANSFER_FEE_FIXED" | "TOKEN_HIDDEN" | "RUN_ALREADY_OPEN" | "DISTRIBUTION_HALTED" | "CORRECTION_REFUSED" | "DISTRIBUTION_DISABLED" | "PARTNER_EXISTS" | "PARTNER_KEY_REPLACED" | "BACKUP_UNDER_WAY" | "EVENT_DECODABLE" | "EVENT_OF_NEWER_VERSION" | "EVENT_INDISPENSABLE" | "VENUE_UNAVAILABLE" | "PROMOTIONS_UNAVAILABLE" | "FEATURED_LIST_FULL" | "TRANSACTION_EXPIRED" | "TRANSACTION_SUPERSEDED" | "TRANSACTION_CANCELLED" | "BYTES_EXPIRED" | "PRECONDITION_FAILED" | "BODY_TOO_LARGE" | "IMAGE_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "IMAGE_TYPE_UNSUPPORTED" | "RANGE_NOT_SATISFIABLE" | "IMAGE_UNREADABLE" | "TRANSACTION_MISMATCH" | "SIGNATURE_MISSING" | "SIGNATURE_INVALID" | "IDEMPOTENCY_KEY_REUSED" | "REWARD_TOKEN_UNSUPPORTED" | "INSUFFICIENT_FUNDS" | "CHAIN_REJECTED" | "HEADERS_TOO_LARGE" | "RATE_LIMITED" | "CHAIN_UNAVAILABLE" | "STORE_UNAVAILABLE" | "LEDGER_UNAVAILABLE" | "LEDGER_CORRUPT" | "IMAGE_CORRUPT" | "EVENT_UNDECODABLE" | "SERVICE_BUSY" | "STREAMS_EXHAUSTED" | "DRAFTS_EXHAUSTED" | "SERVICE_UNFUNDED" | "PREVIEW_UNAVAILABLE" | "CONFIRMATION_PENDING" | "INTERNAL_ERROR";
    };
    responses: {
        /**
         * @description The request is not valid.
         *
         *     `VALIDATION_FAILED`: The request is not valid.
         */
        VALIDATION_FAILED_400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `SERVICE_BUSY`: The service has too much to do at the moment.
         */
        STORE_UNAVAILABLE_SERVICE_BUSY_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is not valid.
         *
         *     `VALIDATION_FAILED`: The request is not valid.
         *
         *     `INVALID_ADDRESS`: Not a valid address for this use.
         */
        VALIDATION_FAILED_INVALID_ADDRESS_400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The caller is not signed in.
         *
         *     `UNAUTHENTICATED`: Valid credentials are needed.
         */
        UNAUTHENTICATED_401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It is too large.
         *
         *     `BODY_TOO_LARGE`: The body is too large.
         */
        BODY_TOO_LARGE_413: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It is of the wrong type.
         *
         *     `UNSUPPORTED_MEDIA_TYPE`: This content type is not accepted here.
         */
        UNSUPPORTED_MEDIA_TYPE_415: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Accept-Encoding": components["headers"]["Accept-Encoding"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Too many calls.
         *
         *     `RATE_LIMITED`: Too many requests.
         */
        RATE_LIMITED_429: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The caller is not signed in.
         *
         *     `UNAUTHENTICATED`: Valid credentials are needed.
         *
         *     `TOKEN_EXPIRED`: The access token has expired.
         */
        UNAUTHENTICATED_TOKEN_EXPIRED_401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         */
        CONCURRENT_CHANGE_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `EVENT_UNDECODABLE`: A recorded event cannot be decoded.
         *
         *     `SERVICE_BUSY`: The service has too much to do at the moment.
         */
        STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The caller is not signed in.
         *
         *     `UNAUTHENTICATED`: Valid credentials are needed.
         *
         *     `SIGN_IN_FAILED`: The sign-in could not be verified.
         */
        UNAUTHENTICATED_SIGN_IN_FAILED_401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `NO_FAUCET`: The chain of this service gives nothing away.
         */
        NO_FAUCET_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The chain node gave an invalid answer.
         *
         *     `CHAIN_UNAVAILABLE`: The chain does not answer.
         */
        CHAIN_UNAVAILABLE_502: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `CHAIN_UNAVAILABLE`: The chain does not answer.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `SERVICE_BUSY`: The service has too much to do at the moment.
         */
        CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_SERVICE_BUSY_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `TOKEN_NOT_FOUND`: There is no such token.
         *
         *     `NO_FAUCET`: The chain of this service gives nothing away.
         */
        TOKEN_NOT_FOUND_NO_FAUCET_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `TRANSACTION_FAILED`: The transaction failed on the chain.
         */
        TRANSACTION_FAILED_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is well-formed, but cannot be carried out.
         *
         *     `SIGNATURE_INVALID`: The signature is not valid.
         */
        SIGNATURE_INVALID_422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `TOKEN_NOT_FOUND`: There is no such token.
         */
        TOKEN_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The caller may not do this.
         *
         *     `NOT_TOKEN_CREATOR`: Only the creator of the token may do this.
         */
        NOT_TOKEN_CREATOR_403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `TOO_MANY_DRAFTS`: Too many open drafts.
         *
         *     `TRANSFER_FEE_FIXED`: The tax of this token can never change.
         */
        CONCURRENT_CHANGE_TOO_MANY_DRAFTS_TRANSFER_FEE_FIXED_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is well-formed, but cannot be carried out.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used for another request.
         *
         *     `INSUFFICIENT_FUNDS`: The wallet does not hold enough SOL.
         *
         *     `CHAIN_REJECTED`: The chain refused the transaction.
         */
        IDEMPOTENCY_KEY_REUSED_INSUFFICIENT_FUNDS_CHAIN_REJECTED_422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `CHAIN_UNAVAILABLE`: The chain does not answer.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `EVENT_UNDECODABLE`: A recorded event cannot be decoded.
         *
         *     `SERVICE_BUSY`: The service has too much to do at the moment.
         *
         *     `DRAFTS_EXHAUSTED`: No draft can be issued at the moment.
         *
         *     `SERVICE_UNFUNDED`: The service's fee payer needs SOL.
         */
        CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_DRAFTS_EXHAUSTED_SERVICE_UNFUNDED_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The outcome is not known yet.
         *
         *     `CONFIRMATION_PENDING`: The outcome is not known yet.
         */
        CONFIRMATION_PENDING_504: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The caller may not do this.
         *
         *     `NOT_TRANSACTION_OWNER`: The transaction belongs to another wallet.
         */
        NOT_TRANSACTION_OWNER_403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `TRANSACTION_NOT_FOUND`: There is no such transaction.
         */
        TRANSACTION_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It has expired or was replaced.
         *
         *     `TRANSACTION_EXPIRED`: The transaction has expired.
         *
         *     `TRANSACTION_SUPERSEDED`: A newer draft took the place of this transaction.
         *
         *     `TRANSACTION_CANCELLED`: The transaction was cancelled.
         *
         *     `BYTES_EXPIRED`: The bytes have expired; refresh the transaction.
         */
        TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_TRANSACTION_CANCELLED_BYTES_EXPIRED_410: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is well-formed, but cannot be carried out.
         *
         *     `TRANSACTION_MISMATCH`: Not the transaction that was issued.
         *
         *     `SIGNATURE_MISSING`: The creator has not signed.
         *
         *     `SIGNATURE_INVALID`: The signature is not valid.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used for another request.
         *
         *     `CHAIN_REJECTED`: The chain refused the transaction.
         */
        TRANSACTION_MISMATCH_SIGNATURE_MISSING_SIGNATURE_INVALID_IDEMPOTENCY_KEY_REUSED_CHAIN_REJECTED_422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `CHAIN_UNAVAILABLE`: The chain does not answer.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `EVENT_UNDECODABLE`: A recorded event cannot be decoded.
         *
         *     `SERVICE_BUSY`: The service has too much to do at the moment.
         */
        CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is not valid.
         *
         *     `VALIDATION_FAILED`: The request is not valid.
         *
         *     `INVALID_ADDRESS`: Not a valid address for this use.
         *
         *     `SPLIT_EXCEEDS_100`: Burn and developer share exceed 100 percent.
         */
        VALIDATION_FAILED_INVALID_ADDRESS_SPLIT_EXCEEDS_100_400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `WALLET_NOT_FOUND`: There is no such distribution wallet.
         *
         *     `IMAGE_NOT_FOUND`: There is no such image.
         */
        WALLET_NOT_FOUND_IMAGE_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `WALLET_ALREADY_USED`: The distribution wallet belongs to another token.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `TOO_MANY_DRAFTS`: Too many open drafts.
         */
        WALLET_ALREADY_USED_CONCURRENT_CHANGE_TOO_MANY_DRAFTS_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is well-formed, but cannot be carried out.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used for another request.
         *
         *     `REWARD_TOKEN_UNSUPPORTED`: Holders cannot be paid in this token.
         *
         *     `INSUFFICIENT_FUNDS`: The wallet does not hold enough SOL.
         *
         *     `CHAIN_REJECTED`: The chain refused the transaction.
         */
        IDEMPOTENCY_KEY_REUSED_REWARD_TOKEN_UNSUPPORTED_INSUFFICIENT_FUNDS_CHAIN_REJECTED_422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `WALLET_ALREADY_USED`: The distribution wallet belongs to another token.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         */
        WALLET_ALREADY_USED_CONCURRENT_CHANGE_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `IMAGE_NOT_FOUND`: There is no such image.
         */
        IMAGE_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It is too large.
         *
         *     `BODY_TOO_LARGE`: The body is too large.
         *
         *     `IMAGE_TOO_LARGE`: The image is over 1 MB.
         */
        BODY_TOO_LARGE_IMAGE_TOO_LARGE_413: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It is of the wrong type.
         *
         *     `UNSUPPORTED_MEDIA_TYPE`: This content type is not accepted here.
         *
         *     `IMAGE_TYPE_UNSUPPORTED`: The image is neither PNG nor JPEG.
         */
        UNSUPPORTED_MEDIA_TYPE_IMAGE_TYPE_UNSUPPORTED_415: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Accept-Encoding": components["headers"]["Accept-Encoding"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is well-formed, but cannot be carried out.
         *
         *     `IMAGE_UNREADABLE`: The image cannot be read.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used for another request.
         */
        IMAGE_UNREADABLE_IDEMPOTENCY_KEY_REUSED_422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `TRANSACTION_SUBMITTED`: The transaction was submitted.
         */
        CONCURRENT_CHANGE_TRANSACTION_SUBMITTED_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It has expired or was replaced.
         *
         *     `TRANSACTION_EXPIRED`: The transaction has expired.
         *
         *     `TRANSACTION_SUPERSEDED`: A newer draft took the place of this transaction.
         */
        TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_410: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is well-formed, but cannot be carried out.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used for another request.
         */
        IDEMPOTENCY_KEY_REUSED_422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `TRANSACTION_SUBMITTED`: The transaction was submitted.
         *
         *     `TRANSACTION_LANDED`: The transaction is on the chain.
         *
         *     `TRANSACTION_FAILED`: The transaction failed on the chain.
         *
         *     `TRANSACTION_NOT_REFRESHABLE`: The bytes of the transaction cannot be made anew.
         */
        CONCURRENT_CHANGE_TRANSACTION_SUBMITTED_TRANSACTION_LANDED_TRANSACTION_FAILED_TRANSACTION_NOT_REFRESHABLE_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It has expired or was replaced.
         *
         *     `TRANSACTION_EXPIRED`: The transaction has expired.
         *
         *     `TRANSACTION_SUPERSEDED`: A newer draft took the place of this transaction.
         *
         *     `TRANSACTION_CANCELLED`: The transaction was cancelled.
         */
        TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_TRANSACTION_CANCELLED_410: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `LEDGER_UNAVAILABLE`: A ledger file is not there at the moment.
         *
         *     `LEDGER_CORRUPT`: A ledger file is damaged.
         *
         *     `EVENT_UNDECODABLE`: A recorded event cannot be decoded.
         *
         *     `SERVICE_BUSY`: The service has too much to do at the moment.
         */
        STORE_UNAVAILABLE_LEDGER_UNAVAILABLE_LEDGER_CORRUPT_EVENT_UNDECODABLE_SERVICE_BUSY_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is not valid.
         *
         *     `VALIDATION_FAILED`: The request is not valid.
         *
         *     `INVALID_ADDRESS`: Not a valid address for this use.
         *
         *     `TOO_MANY_OWNERS`: More owners than a token may list.
         *
         *     `OWNER_LISTED_TWICE`: An owner is listed twice.
         *
         *     `PROGRAM_KEPT_OUT`: A program's address cannot be kept out.
         */
        VALIDATION_FAILED_INVALID_ADDRESS_TOO_MANY_OWNERS_OWNER_LISTED_TWICE_PROGRAM_KEPT_OUT_400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It has changed since it was read.
         *
         *     `PRECONDITION_FAILED`: It has changed since it was read.
         */
        PRECONDITION_FAILED_412: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `CHAIN_UNAVAILABLE`: The chain does not answer.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `LEDGER_UNAVAILABLE`: A ledger file is not there at the moment.
         *
         *     `LEDGER_CORRUPT`: A ledger file is damaged.
         *
         *     `EVENT_UNDECODABLE`: A recorded event cannot be decoded.
         *
         *     `SERVICE_BUSY`: The service has too much to do at the moment.
         *
         *     `PREVIEW_UNAVAILABLE`: No preview can be made at the moment.
         */
        CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_LEDGER_UNAVAILABLE_LEDGER_CORRUPT_EVENT_UNDECODABLE_SERVICE_BUSY_PREVIEW_UNAVAILABLE_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `TOKEN_NOT_FOUND`: There is no such token.
         *
         *     `RUN_NOT_FOUND`: There is no such run.
         */
        TOKEN_NOT_FOUND_RUN_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `TOKEN_NOT_FOUND`: There is no such token.
         *
         *     `RUN_NOT_FOUND`: There is no such run.
         *
         *     `PAYMENT_NOT_FOUND`: The wallet is not in the ledger of the run.
         */
        TOKEN_NOT_FOUND_RUN_NOT_FOUND_PAYMENT_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is well-formed, but cannot be carried out.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used for another request.
         *
         *     `REWARD_TOKEN_UNSUPPORTED`: Holders cannot be paid in this token.
         */
        IDEMPOTENCY_KEY_REUSED_REWARD_TOKEN_UNSUPPORTED_422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `TOO_MANY_DRAFTS`: Too many open drafts.
         *
         *     `TOKEN_HIDDEN`: An operator has hidden the token.
         *
         *     `PROMOTIONS_UNAVAILABLE`: Promotions are not sold here.
         *
         *     `FEATURED_LIST_FULL`: Every place on the featured list is taken.
         */
        CONCURRENT_CHANGE_TOO_MANY_DRAFTS_TOKEN_HIDDEN_PROMOTIONS_UNAVAILABLE_FEATURED_LIST_FULL_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `TOKEN_NOT_FOUND`: There is no such token.
         *
         *     `TRANSACTION_NOT_FOUND`: There is no such transaction.
         */
        TOKEN_NOT_FOUND_TRANSACTION_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `TOKEN_HIDDEN`: An operator has hidden the token.
         *
         *     `FEATURED_LIST_FULL`: Every place on the featured list is taken.
         */
        CONCURRENT_CHANGE_TOKEN_HIDDEN_FEATURED_LIST_FULL_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `LAUNCH_NOT_FOUND`: There is no such launch.
         */
        LAUNCH_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `LAUNCH_ALREADY_EXISTS`: The token is launched already.
         *
         *     `POOL_ADDRESS_TAKEN`: Somebody else made the pool of the token.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `TOO_MANY_DRAFTS`: Too many open drafts.
         *
         *     `TOKEN_HIDDEN`: An operator has hidden the token.
         *
         *     `VENUE_UNAVAILABLE`: The launch venue is not on this chain.
         */
        LAUNCH_ALREADY_EXISTS_POOL_ADDRESS_TAKEN_CONCURRENT_CHANGE_TOO_MANY_DRAFTS_TOKEN_HIDDEN_VENUE_UNAVAILABLE_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `LAUNCH_ALREADY_EXISTS`: The token is launched already.
         *
         *     `POOL_ADDRESS_TAKEN`: Somebody else made the pool of the token.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `TOKEN_HIDDEN`: An operator has hidden the token.
         */
        LAUNCH_ALREADY_EXISTS_POOL_ADDRESS_TAKEN_CONCURRENT_CHANGE_TOKEN_HIDDEN_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `FILE_NOT_FOUND`: There is no such file.
         */
        FILE_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `RANGE_NOT_SATISFIABLE`: The file ends before this range. */
        RANGE_NOT_SATISFIABLE_416: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `LEDGER_CORRUPT`: A ledger file is damaged.
         *
         *     `SERVICE_BUSY`: The service has too much to do at the moment.
         */
        STORE_UNAVAILABLE_LEDGER_CORRUPT_SERVICE_BUSY_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `IMAGE_CORRUPT`: The stored image is damaged.
         *
         *     `SERVICE_BUSY`: The service has too much to do at the moment.
         */
        STORE_UNAVAILABLE_IMAGE_CORRUPT_SERVICE_BUSY_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `EVENT_UNDECODABLE`: A recorded event cannot be decoded.
         *
         *     `SERVICE_BUSY`: The service has too much to do at the moment.
         *
         *     `STREAMS_EXHAUSTED`: No stream can be opened at the moment.
         */
        STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_STREAMS_EXHAUSTED_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `EVENT_UNDECODABLE`: A recorded event cannot be decoded.
         */
        STORE_UNAVAILABLE_EVENT_UNDECODABLE_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `BACKUP_UNDER_WAY`: Another backup is being taken.
         */
        BACKUP_UNDER_WAY_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `CORRECTION_REFUSED`: The books cannot be corrected like this.
         */
        CONCURRENT_CHANGE_CORRECTION_REFUSED_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `CHAIN_UNAVAILABLE`: The chain does not answer.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         *
         *     `EVENT_UNDECODABLE`: A recorded event cannot be decoded.
         */
        CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `TOKEN_HIDDEN`: An operator has hidden the token.
         *
         *     `RUN_ALREADY_OPEN`: A run of the token is open.
         *
         *     `DISTRIBUTION_HALTED`: The distribution is halted.
         *
         *     `DISTRIBUTION_DISABLED`: The creator has disabled the distribution.
         */
        CONCURRENT_CHANGE_TOKEN_HIDDEN_RUN_ALREADY_OPEN_DISTRIBUTION_HALTED_DISTRIBUTION_DISABLED_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `EVENT_NOT_FOUND`: There is no such event.
         */
        EVENT_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `EVENT_DECODABLE`: The event can be decoded.
         *
         *     `EVENT_OF_NEWER_VERSION`: A newer release can decode the event.
         *
         *     `EVENT_INDISPENSABLE`: The event cannot be skipped.
         */
        CONCURRENT_CHANGE_EVENT_DECODABLE_EVENT_OF_NEWER_VERSION_EVENT_INDISPENSABLE_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `PARTNER_EXISTS`: There is a partner of this name.
         *
         *     `PARTNER_KEY_REPLACED`: The key has been replaced or ended.
         */
        CONCURRENT_CHANGE_PARTNER_EXISTS_PARTNER_KEY_REPLACED_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `PARTNER_NOT_FOUND`: There is no such partner.
         */
        PARTNER_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `PARTNER_KEY_REPLACED`: The key has been replaced or ended.
         */
        CONCURRENT_CHANGE_PARTNER_KEY_REPLACED_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It does not exist.
         *
         *     `PROMOTION_NOT_FOUND`: There is no such promotion.
         */
        PROMOTION_NOT_FOUND_404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description It conflicts with the present state.
         *
         *     `CONCURRENT_CHANGE`: Somebody else changed this at the same moment.
         *
         *     `TRANSACTION_NOT_SUBMITTED`: The transaction was not submitted.
         *
         *     `OUTCOME_KNOWN`: The outcome of the transaction is known.
         *
         *     `OUTCOME_OPEN`: The transaction can still land.
         *
         *     `OUTCOME_CONTRADICTED`: The chain contradicts this outcome.
         */
        CONCURRENT_CHANGE_TRANSACTION_NOT_SUBMITTED_OUTCOME_KNOWN_OUTCOME_OPEN_OUTCOME_CONTRADICTED_409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Unavailable at the moment; try again later.
         *
         *     `STORE_UNAVAILABLE`: The store does not answer.
         */
        STORE_UNAVAILABLE_503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Names the call in its answer and in the log; generated if none is sent. */
        RequestId: string;
        /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
        IdempotencyKey: string;
        /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
        AfterPosition: string;
        /** @description The `id` of the last event received: the stream continues after it. */
        LastEventId: string;
        /** @description The `ETag` of what was read before: the change is refused if it is no longer the latest. */
        IfMatch: string;
        /** @description `respond-async`: answered with 202 at once instead of waiting for the outcome; `respond-async, wait=10` after ten seconds at the latest (RFC 7240). */
        Prefer: string;
        /** @description One range of bytes, answered with 206. Several ranges, or what is no range of bytes, get the whole file. */
        Range: string;
        /** @description The `ETag` of what was read before: `Range` counts only if it is still the latest. */
        IfRange: string;
        /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description Names the call, in the log too. */
        "X-Request-Id": string;
        /** @description The position of the log up to which the answer shows events; send it as `X-After-Position`. */
        "X-Position": string;
        /** @description Where the outcome can be asked for. */
        Location: string;
        /** @description The preference of the call that was honoured. */
        "Preference-Applied": string;
        /** @description The version of what the answer shows; send it as `If-Match` or `If-None-Match`. */
        ETag: string;
        /** @description How long the answer may be cached, and by whom. `no-store` for every answer to a caller with a token or a key. */
        "Cache-Control": string;
        /** @description The unit in which parts can be asked for. */
        "Accept-Ranges": string;
        /** @description Which bytes these are, and how many there are in all. */
        "Content-Range": string;
        /** @description What is left of the limit that counted the call, and for how many seconds. */
        RateLimit: string;
        /** @description The limit that counted the call: its quota, and its window in seconds. */
        "RateLimit-Policy": string;
        /** @description Calls allowed in a window. */
        "X-RateLimit-Limit": number;
        /** @description Calls left in the window. */
        "X-RateLimit-Remaining": number;
        /** @description When the window ends, in Unix seconds. */
        "X-RateLimit-Reset": number;
        /** @description Seconds after which it is worth trying again. */
        "Retry-After": number;
        /** @description The only coding of a body that is accepted. */
        "Accept-Encoding": string;
        /** @description How to sign in. */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type AllDistributions = components['schemas']['AllDistributions'];
export type BuyPromotionAnswer = components['schemas']['BuyPromotionAnswer'];
export type BuyPromotionBody = components['schemas']['BuyPromotionBody'];
export type CancelTransactionAnswer = components['schemas']['CancelTransactionAnswer'];
export type ChainName = components['schemas']['ChainName'];
export type ChangeTransferFeeAnswer = components['schemas']['ChangeTransferFeeAnswer'];
export type CheckedBy = components['schemas']['CheckedBy'];
export type ConcludeSubmissionAnswer = components['schemas']['ConcludeSubmissionAnswer'];
export type ConcludeSubmissionBody = components['schemas']['ConcludeSubmissionBody'];
export type ConcludedOutcome = components['schemas']['ConcludedOutcome'];
export type CorrectBooksBody = components['schemas']['CorrectBooksBody'];
export type CreateChallengeAnswer = components['schemas']['CreateChallengeAnswer'];
export type CreateChallengeBody = components['schemas']['CreateChallengeBody'];
export type CreateLaunchAnswer = components['schemas']['CreateLaunchAnswer'];
export type CreatePartnerBody = components['schemas']['CreatePartnerBody'];
export type CreateTestTransferAnswer = components['schemas']['CreateTestTransferAnswer'];
export type CreateTestTransferBody = components['schemas']['CreateTestTransferBody'];
export type CreateUnsignedAnswer = components['schemas']['CreateUnsignedAnswer'];
export type DistributionBatch = components['schemas']['DistributionBatch'];
export type DistributionHolderParts = components['schemas']['DistributionHolderParts'];
export type DistributionHolderRun = components['schemas']['DistributionHolderRun'];
export type DistributionInterval = components['schemas']['DistributionInterval'];
export type DistributionLedger = components['schemas']['DistributionLedger'];
export type DistributionModel = components['schemas']['DistributionModel'];
export type DistributionOwners = components['schemas']['DistributionOwners'];
export type DistributionOwnersInput = components['schemas']['DistributionOwnersInput'];
export type DistributionPaidTo = components['schemas']['DistributionPaidTo'];
export type DistributionPayment = components['schemas']['DistributionPayment'];
export type DistributionPaymentKind = components['schemas']['DistributionPaymentKind'];
export type DistributionPaymentOfProof = components['schemas']['DistributionPaymentOfProof'];
export type DistributionPoint = components['schemas']['DistributionPoint'];
export type DistributionPot = components['schemas']['DistributionPot'];
export type DistributionPreview = components['schemas']['DistributionPreview'];
export type DistributionProof = components['schemas']['DistributionProof'];
export type DistributionProvedPayment = components['schemas']['DistributionProvedPayment'];
export type DistributionRun = components['schemas']['DistributionRun'];
export type DistributionRunAmounts = components['schemas']['DistributionRunAmounts'];
export type DistributionRunDetail = components['schemas']['DistributionRunDetail'];
export type DistributionRunScan = components['schemas']['DistributionRunScan'];
export type DistributionRunSettings = components['schemas']['DistributionRunSettings'];
export type DistributionRunStatus = components['schemas']['DistributionRunStatus'];
export type DistributionRunStep = components['schemas']['DistributionRunStep'];
export type DistributionRunStepTaken = components['schemas']['DistributionRunStepTaken'];
export type DistributionRunTransactions = components['schemas']['DistributionRunTransactions'];
export type DistributionRunWaitingFor = components['schemas']['DistributionRunWaitingFor'];
export type DistributionSale = components['schemas']['DistributionSale'];
export type DistributionSaleOffer = components['schemas']['DistributionSaleOffer'];
export type DistributionSettings = components['schemas']['DistributionSettings'];
export type DistributionStanding = components['schemas']['DistributionStanding'];
export type DistributionState = components['schemas']['DistributionState'];
export type DistributionTax = components['schemas']['DistributionTax'];
export type DistributionWait = components['schemas']['DistributionWait'];
export type DistributionWaitingFor = components['schemas']['DistributionWaitingFor'];
export type DraftLifetimeKind = components['schemas']['DraftLifetimeKind'];
export type DraftState = components['schemas']['DraftState'];
export type EndPartnerBody = components['schemas']['EndPartnerBody'];
export type EndPromotionAnswer = components['schemas']['EndPromotionAnswer'];
export type EndPromotionBody = components['schemas']['EndPromotionBody'];
export type EndedPartner = components['schemas']['EndedPartner'];
export type FeaturedPromotion = components['schemas']['FeaturedPromotion'];
export type GenerateDistributionWalletAnswer = components['schemas']['GenerateDistributionWalletAnswer'];
export type GetAsyncApiDocumentAnswer = components['schemas']['GetAsyncApiDocumentAnswer'];
export type GetHealthAnswer = components['schemas']['GetHealthAnswer'];
export type GetHolderAnswer = components['schemas']['GetHolderAnswer'];
export type GetOpenApiDocumentAnswer = components['schemas']['GetOpenApiDocumentAnswer'];
export type GetOverviewAnswer = components['schemas']['GetOverviewAnswer'];
export type GetPaymentAnswer = components['schemas']['GetPaymentAnswer'];
export type GetPaymentProofAnswer = components['schemas']['GetPaymentProofAnswer'];
export type GetReadinessAnswer = components['schemas']['GetReadinessAnswer'];
export type GetRunAnswer = components['schemas']['GetRunAnswer'];
export type GetSeriesAnswer = components['schemas']['GetSeriesAnswer'];
export type GetSigningKeysAnswer = components['schemas']['GetSigningKeysAnswer'];
export type GetStreamStateAnswer = components['schemas']['GetStreamStateAnswer'];
export type GetTokenAnswer = components['schemas']['GetTokenAnswer'];
export type GetTransactionAnswer = components['schemas']['GetTransactionAnswer'];
export type HaltAllDistributionsBody = components['schemas']['HaltAllDistributionsBody'];
export type HaltCode = components['schemas']['HaltCode'];
export type HaltDistributionBody = components['schemas']['HaltDistributionBody'];
export type HideTokenBody = components['schemas']['HideTokenBody'];
export type LaunchInput = components['schemas']['LaunchInput'];
export type LaunchPhase = components['schemas']['LaunchPhase'];
export type LaunchState = components['schemas']['LaunchState'];
export type LaunchStatus = components['schemas']['LaunchStatus'];
export type ListBatchesAnswer = components['schemas']['ListBatchesAnswer'];
export type ListDistributionsAnswer = components['schemas']['ListDistributionsAnswer'];
export type ListDraftsAnswer = components['schemas']['ListDraftsAnswer'];
export type ListEventsAnswer = components['schemas']['ListEventsAnswer'];
export type ListFeaturedAnswer = components['schemas']['ListFeaturedAnswer'];
export type ListHiddenTokensAnswer = components['schemas']['ListHiddenTokensAnswer'];
export type ListNonceAccountsAnswer = components['schemas']['ListNonceAccountsAnswer'];
export type ListOrder = components['schemas']['ListOrder'];
export type ListOwnTokensAnswer = components['schemas']['ListOwnTokensAnswer'];
export type ListPartnerTokensAnswer = components['schemas']['ListPartnerTokensAnswer'];
export type ListPartnersAnswer = components['schemas']['ListPartnersAnswer'];
export type ListPaymentsAnswer = components['schemas']['ListPaymentsAnswer'];
export type ListProjectionsAnswer = components['schemas']['ListProjectionsAnswer'];
export type ListQuarantinedEventsAnswer = components['schemas']['ListQuarantinedEventsAnswer'];
export type ListRunsAnswer = components['schemas']['ListRunsAnswer'];
export type ListSettingsChangesAnswer = components['schemas']['ListSettingsChangesAnswer'];
export type ListSubmissionsAnswer = components['schemas']['ListSubmissionsAnswer'];
export type ListTokensAnswer = components['schemas']['ListTokensAnswer'];
export type ListTransactionsAnswer = components['schemas']['ListTransactionsAnswer'];
export type ListUndecodableEventsAnswer = components['schemas']['ListUndecodableEventsAnswer'];
export type ListWalletSharesAnswer = components['schemas']['ListWalletSharesAnswer'];
export type LogProof = components['schemas']['LogProof'];
export type LoggedEvent = components['schemas']['LoggedEvent'];
export type NewPartnerKey = components['schemas']['NewPartnerKey'];
export type NonceAccountState = components['schemas']['NonceAccountState'];
export type OwnToken = components['schemas']['OwnToken'];
export type Pagination = components['schemas']['Pagination'];
export type PaidParts = components['schemas']['PaidParts'];
export type PaidToHolders = components['schemas']['PaidToHolders'];
export type Partner = components['schemas']['Partner'];
export type PartnerQuota = components['schemas']['PartnerQuota'];
export type PartnerSource = components['schemas']['PartnerSource'];
export type PartnerUsage = components['schemas']['PartnerUsage'];
export type Payer = components['schemas']['Payer'];
export type PayerName = components['schemas']['PayerName'];
export type PendingTransferFee = components['schemas']['PendingTransferFee'];
export type ProgressUnit = components['schemas']['ProgressUnit'];
export type ProjectionName = components['schemas']['ProjectionName'];
export type ProjectionState = components['schemas']['ProjectionState'];
export type PublicConfiguration = components['schemas']['PublicConfiguration'];
export type PublicDistributionSettings = components['schemas']['PublicDistributionSettings'];
export type QuarantineEventAnswer = components['schemas']['QuarantineEventAnswer'];
export type QuarantineEventBody = components['schemas']['QuarantineEventBody'];
export type QuotaCounting = components['schemas']['QuotaCounting'];
export type ReadinessCheck = components['schemas']['ReadinessCheck'];
export type ReadinessStatus = components['schemas']['ReadinessStatus'];
export type RebuildProjectionAnswer = components['schemas']['RebuildProjectionAnswer'];
export type RefreshTransactionAnswer = components['schemas']['RefreshTransactionAnswer'];
export type RequestRunBody = components['schemas']['RequestRunBody'];
export type RequestTestLamportsAnswer = components['schemas']['RequestTestLamportsAnswer'];
export type RequestTestLamportsBody = components['schemas']['RequestTestLamportsBody'];
export type ResumeAllDistributionsBody = components['schemas']['ResumeAllDistributionsBody'];
export type ResumeDistributionBody = components['schemas']['ResumeDistributionBody'];
export type RewardAsset = components['schemas']['RewardAsset'];
export type RoleSeen = components['schemas']['RoleSeen'];
export type RoleState = components['schemas']['RoleState'];
export type RotatePartnerKeyBody = components['schemas']['RotatePartnerKeyBody'];
export type SeriesStep = components['schemas']['SeriesStep'];
export type SettingsChange = components['schemas']['SettingsChange'];
export type SettingsInput = components['schemas']['SettingsInput'];
export type ShowTokenBody = components['schemas']['ShowTokenBody'];
export type SignInInput = components['schemas']['SignInInput'];
export type SignOutAnswer = components['schemas']['SignOutAnswer'];
export type SignedTransaction = components['schemas']['SignedTransaction'];
export type SkipReason = components['schemas']['SkipReason'];
export type SomeDistributionSettings = components['schemas']['SomeDistributionSettings'];
export type SubmissionFilter = components['schemas']['SubmissionFilter'];
export type SubmissionState = components['schemas']['SubmissionState'];
export type SubmitLaunchAnswer = components['schemas']['SubmitLaunchAnswer'];
export type SubmitPromotionAnswer = components['schemas']['SubmitPromotionAnswer'];
export type SubmitTestTransferAnswer = components['schemas']['SubmitTestTransferAnswer'];
export type SubmitTestTransferBody = components['schemas']['SubmitTestTransferBody'];
export type SubmitTokenAnswer = components['schemas']['SubmitTokenAnswer'];
export type SubmitTransferFeeAnswer = components['schemas']['SubmitTransferFeeAnswer'];
export type TokenCard = components['schemas']['TokenCard'];
export type TokenDetail = components['schemas']['TokenDetail'];
export type TokenInput = components['schemas']['TokenInput'];
export type TokenMetadata = components['schemas']['TokenMetadata'];
export type TokenPart = components['schemas']['TokenPart'];
export type TokenSort = components['schemas']['TokenSort'];
export type TokenVisibility = components['schemas']['TokenVisibility'];
export type Totals = components['schemas']['Totals'];
export type Transaction = components['schemas']['Transaction'];
export type TransactionStatus = components['schemas']['TransactionStatus'];
export type TransactionWaitCode = components['schemas']['TransactionWaitCode'];
export type TransferFeeChange = components['schemas']['TransferFeeChange'];
export type UnknownOutcomeCode = components['schemas']['UnknownOutcomeCode'];
export type UploadImageAnswer = components['schemas']['UploadImageAnswer'];
export type VerifySignInAnswer = components['schemas']['VerifySignInAnswer'];
export type VerifySignInBody = components['schemas']['VerifySignInBody'];
export type Waiting = components['schemas']['Waiting'];
export type WalletShare = components['schemas']['WalletShare'];
export type Problem = components['schemas']['Problem'];
export type ProblemCode = components['schemas']['ProblemCode'];
export type ResponseValidationFailed_400 = components['responses']['VALIDATION_FAILED_400'];
export type ResponseStoreUnavailableServiceBusy_503 = components['responses']['STORE_UNAVAILABLE_SERVICE_BUSY_503'];
export type ResponseValidationFailedInvalidAddress_400 = components['responses']['VALIDATION_FAILED_INVALID_ADDRESS_400'];
export type ResponseUnauthenticated_401 = components['responses']['UNAUTHENTICATED_401'];
export type ResponseBodyTooLarge_413 = components['responses']['BODY_TOO_LARGE_413'];
export type ResponseUnsupportedMediaType_415 = components['responses']['UNSUPPORTED_MEDIA_TYPE_415'];
export type ResponseRateLimited_429 = components['responses']['RATE_LIMITED_429'];
export type ResponseUnauthenticatedTokenExpired_401 = components['responses']['UNAUTHENTICATED_TOKEN_EXPIRED_401'];
export type ResponseConcurrentChange_409 = components['responses']['CONCURRENT_CHANGE_409'];
export type ResponseStoreUnavailableEventUndecodableServiceBusy_503 = components['responses']['STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503'];
export type ResponseUnauthenticatedSignInFailed_401 = components['responses']['UNAUTHENTICATED_SIGN_IN_FAILED_401'];
export type ResponseNoFaucet_404 = components['responses']['NO_FAUCET_404'];
export type ResponseChainUnavailable_502 = components['responses']['CHAIN_UNAVAILABLE_502'];
export type ResponseChainUnavailableStoreUnavailableServiceBusy_503 = components['responses']['CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_SERVICE_BUSY_503'];
export type ResponseTokenNotFoundNoFaucet_404 = components['responses']['TOKEN_NOT_FOUND_NO_FAUCET_404'];
export type ResponseTransactionFailed_409 = components['responses']['TRANSACTION_FAILED_409'];
export type ResponseSignatureInvalid_422 = components['responses']['SIGNATURE_INVALID_422'];
export type ResponseTokenNotFound_404 = components['responses']['TOKEN_NOT_FOUND_404'];
export type ResponseNotTokenCreator_403 = components['responses']['NOT_TOKEN_CREATOR_403'];
export type ResponseConcurrentChangeTooManyDraftsTransferFeeFixed_409 = components['responses']['CONCURRENT_CHANGE_TOO_MANY_DRAFTS_TRANSFER_FEE_FIXED_409'];
export type ResponseIdempotencyKeyReusedInsufficientFundsChainRejected_422 = components['responses']['IDEMPOTENCY_KEY_REUSED_INSUFFICIENT_FUNDS_CHAIN_REJECTED_422'];
export type ResponseChainUnavailableStoreUnavailableEventUndecodableServiceBusyDraftsExhaustedServiceUnfunded_503 = components['responses']['CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_DRAFTS_EXHAUSTED_SERVICE_UNFUNDED_503'];
export type ResponseConfirmationPending_504 = components['responses']['CONFIRMATION_PENDING_504'];
export type ResponseNotTransactionOwner_403 = components['responses']['NOT_TRANSACTION_OWNER_403'];
export type ResponseTransactionNotFound_404 = components['responses']['TRANSACTION_NOT_FOUND_404'];
export type ResponseTransactionExpiredTransactionSupersededTransactionCancelledBytesExpired_410 = components['responses']['TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_TRANSACTION_CANCELLED_BYTES_EXPIRED_410'];
export type ResponseTransactionMismatchSignatureMissingSignatureInvalidIdempotencyKeyReusedChainRejected_422 = components['responses']['TRANSACTION_MISMATCH_SIGNATURE_MISSING_SIGNATURE_INVALID_IDEMPOTENCY_KEY_REUSED_CHAIN_REJECTED_422'];
export type ResponseChainUnavailableStoreUnavailableEventUndecodableServiceBusy_503 = components['responses']['CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503'];
export type ResponseValidationFailedInvalidAddressSplitExceeds_100_400 = components['responses']['VALIDATION_FAILED_INVALID_ADDRESS_SPLIT_EXCEEDS_100_400'];
export type ResponseWalletNotFoundImageNotFound_404 = components['responses']['WALLET_NOT_FOUND_IMAGE_NOT_FOUND_404'];
export type ResponseWalletAlreadyUsedConcurrentChangeTooManyDrafts_409 = components['responses']['WALLET_ALREADY_USED_CONCURRENT_CHANGE_TOO_MANY_DRAFTS_409'];
export type ResponseIdempotencyKeyReusedRewardTokenUnsupportedInsufficientFundsChainRejected_422 = components['responses']['IDEMPOTENCY_KEY_REUSED_REWARD_TOKEN_UNSUPPORTED_INSUFFICIENT_FUNDS_CHAIN_REJECTED_422'];
export type ResponseWalletAlreadyUsedConcurrentChange_409 = components['responses']['WALLET_ALREADY_USED_CONCURRENT_CHANGE_409'];
export type ResponseImageNotFound_404 = components['responses']['IMAGE_NOT_FOUND_404'];
export type ResponseBodyTooLargeImageTooLarge_413 = components['responses']['BODY_TOO_LARGE_IMAGE_TOO_LARGE_413'];
export type ResponseUnsupportedMediaTypeImageTypeUnsupported_415 = components['responses']['UNSUPPORTED_MEDIA_TYPE_IMAGE_TYPE_UNSUPPORTED_415'];
export type ResponseImageUnreadableIdempotencyKeyReused_422 = components['responses']['IMAGE_UNREADABLE_IDEMPOTENCY_KEY_REUSED_422'];
export type ResponseConcurrentChangeTransactionSubmitted_409 = components['responses']['CONCURRENT_CHANGE_TRANSACTION_SUBMITTED_409'];
export type ResponseTransactionExpiredTransactionSuperseded_410 = components['responses']['TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_410'];
export type ResponseIdempotencyKeyReused_422 = components['responses']['IDEMPOTENCY_KEY_REUSED_422'];
export type ResponseConcurrentChangeTransactionSubmittedTransactionLandedTransactionFailedTransactionNotRefreshable_409 = components['responses']['CONCURRENT_CHANGE_TRANSACTION_SUBMITTED_TRANSACTION_LANDED_TRANSACTION_FAILED_TRANSACTION_NOT_REFRESHABLE_409'];
export type ResponseTransactionExpiredTransactionSupersededTransactionCancelled_410 = components['responses']['TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_TRANSACTION_CANCELLED_410'];
export type ResponseStoreUnavailableLedgerUnavailableLedgerCorruptEventUndecodableServiceBusy_503 = components['responses']['STORE_UNAVAILABLE_LEDGER_UNAVAILABLE_LEDGER_CORRUPT_EVENT_UNDECODABLE_SERVICE_BUSY_503'];
export type ResponseValidationFailedInvalidAddressTooManyOwnersOwnerListedTwiceProgramKeptOut_400 = components['responses']['VALIDATION_FAILED_INVALID_ADDRESS_TOO_MANY_OWNERS_OWNER_LISTED_TWICE_PROGRAM_KEPT_OUT_400'];
export type ResponsePreconditionFailed_412 = components['responses']['PRECONDITION_FAILED_412'];
export type ResponseChainUnavailableStoreUnavailableLedgerUnavailableLedgerCorruptEventUndecodableServiceBusyPreviewUnavailable_503 = components['responses']['CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_LEDGER_UNAVAILABLE_LEDGER_CORRUPT_EVENT_UNDECODABLE_SERVICE_BUSY_PREVIEW_UNAVAILABLE_503'];
export type ResponseTokenNotFoundRunNotFound_404 = components['responses']['TOKEN_NOT_FOUND_RUN_NOT_FOUND_404'];
export type ResponseTokenNotFoundRunNotFoundPaymentNotFound_404 = components['responses']['TOKEN_NOT_FOUND_RUN_NOT_FOUND_PAYMENT_NOT_FOUND_404'];
export type ResponseIdempotencyKeyReusedRewardTokenUnsupported_422 = components['responses']['IDEMPOTENCY_KEY_REUSED_REWARD_TOKEN_UNSUPPORTED_422'];
export type ResponseConcurrentChangeTooManyDraftsTokenHiddenPromotionsUnavailableFeaturedListFull_409 = components['responses']['CONCURRENT_CHANGE_TOO_MANY_DRAFTS_TOKEN_HIDDEN_PROMOTIONS_UNAVAILABLE_FEATURED_LIST_FULL_409'];
export type ResponseTokenNotFoundTransactionNotFound_404 = components['responses']['TOKEN_NOT_FOUND_TRANSACTION_NOT_FOUND_404'];
export type ResponseConcurrentChangeTokenHiddenFeaturedListFull_409 = components['responses']['CONCURRENT_CHANGE_TOKEN_HIDDEN_FEATURED_LIST_FULL_409'];
export type ResponseLaunchNotFound_404 = components['responses']['LAUNCH_NOT_FOUND_404'];
export type ResponseLaunchAlreadyExistsPoolAddressTakenConcurrentChangeTooManyDraftsTokenHiddenVenueUnavailable_409 = components['responses']['LAUNCH_ALREADY_EXISTS_POOL_ADDRESS_TAKEN_CONCURRENT_CHANGE_TOO_MANY_DRAFTS_TOKEN_HIDDEN_VENUE_UNAVAILABLE_409'];
export type ResponseLaunchAlreadyExistsPoolAddressTakenConcurrentChangeTokenHidden_409 = components['responses']['LAUNCH_ALREADY_EXISTS_POOL_ADDRESS_TAKEN_CONCURRENT_CHANGE_TOKEN_HIDDEN_409'];
export type ResponseFileNotFound_404 = components['responses']['FILE_NOT_FOUND_404'];
export type ResponseRangeNotSatisfiable_416 = components['responses']['RANGE_NOT_SATISFIABLE_416'];
export type ResponseStoreUnavailableLedgerCorruptServiceBusy_503 = components['responses']['STORE_UNAVAILABLE_LEDGER_CORRUPT_SERVICE_BUSY_503'];
export type ResponseStoreUnavailableImageCorruptServiceBusy_503 = components['responses']['STORE_UNAVAILABLE_IMAGE_CORRUPT_SERVICE_BUSY_503'];
export type ResponseStoreUnavailableEventUndecodableServiceBusyStreamsExhausted_503 = components['responses']['STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_STREAMS_EXHAUSTED_503'];
export type ResponseStoreUnavailableEventUndecodable_503 = components['responses']['STORE_UNAVAILABLE_EVENT_UNDECODABLE_503'];
export type ResponseBackupUnderWay_409 = components['responses']['BACKUP_UNDER_WAY_409'];
export type ResponseConcurrentChangeCorrectionRefused_409 = components['responses']['CONCURRENT_CHANGE_CORRECTION_REFUSED_409'];
export type ResponseChainUnavailableStoreUnavailableEventUndecodable_503 = components['responses']['CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_503'];
export type ResponseConcurrentChangeTokenHiddenRunAlreadyOpenDistributionHaltedDistributionDisabled_409 = components['responses']['CONCURRENT_CHANGE_TOKEN_HIDDEN_RUN_ALREADY_OPEN_DISTRIBUTION_HALTED_DISTRIBUTION_DISABLED_409'];
export type ResponseEventNotFound_404 = components['responses']['EVENT_NOT_FOUND_404'];
export type ResponseConcurrentChangeEventDecodableEventOfNewerVersionEventIndispensable_409 = components['responses']['CONCURRENT_CHANGE_EVENT_DECODABLE_EVENT_OF_NEWER_VERSION_EVENT_INDISPENSABLE_409'];
export type ResponseConcurrentChangePartnerExistsPartnerKeyReplaced_409 = components['responses']['CONCURRENT_CHANGE_PARTNER_EXISTS_PARTNER_KEY_REPLACED_409'];
export type ResponsePartnerNotFound_404 = components['responses']['PARTNER_NOT_FOUND_404'];
export type ResponseConcurrentChangePartnerKeyReplaced_409 = components['responses']['CONCURRENT_CHANGE_PARTNER_KEY_REPLACED_409'];
export type ResponsePromotionNotFound_404 = components['responses']['PROMOTION_NOT_FOUND_404'];
export type ResponseConcurrentChangeTransactionNotSubmittedOutcomeKnownOutcomeOpenOutcomeContradicted_409 = components['responses']['CONCURRENT_CHANGE_TRANSACTION_NOT_SUBMITTED_OUTCOME_KNOWN_OUTCOME_OPEN_OUTCOME_CONTRADICTED_409'];
export type ResponseStoreUnavailable_503 = components['responses']['STORE_UNAVAILABLE_503'];
export type ParameterRequestId = components['parameters']['RequestId'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterAfterPosition = components['parameters']['AfterPosition'];
export type ParameterLastEventId = components['parameters']['LastEventId'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterPrefer = components['parameters']['Prefer'];
export type ParameterRange = components['parameters']['Range'];
export type ParameterIfRange = components['parameters']['IfRange'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderXPosition = components['headers']['X-Position'];
export type HeaderLocation = components['headers']['Location'];
export type HeaderPreferenceApplied = components['headers']['Preference-Applied'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderCacheControl = components['headers']['Cache-Control'];
export type HeaderAcceptRanges = components['headers']['Accept-Ranges'];
export type HeaderContentRange = components['headers']['Content-Range'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderXRateLimitLimit = components['headers']['X-RateLimit-Limit'];
export type HeaderXRateLimitRemaining = components['headers']['X-RateLimit-Remaining'];
export type HeaderXRateLimitReset = components['headers']['X-RateLimit-Reset'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderAcceptEncoding = components['headers']['Accept-Encoding'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type $defs = Record<string, never>;
export interface operations {
    getSigningKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSigningKeysAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    createChallenge: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChallengeBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateChallengeAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    revokeAccessToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignOutAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    verifySignIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifySignInBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifySignInAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_SIGN_IN_FAILED_401"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    requestTestLamports: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestTestLamportsBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTestLamportsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["NO_FAUCET_404"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    createTestTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTestTransferBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTestTransferAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_NO_FAUCET_404"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    submitTestTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitTestTransferBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitTestTransferAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["NO_FAUCET_404"];
            409: components["responses"]["TRANSACTION_FAILED_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["SIGNATURE_INVALID_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description The first page if absent. Ignored beside `after`. Pages behind the first 10,000 items are read one at a time, and other calls for them get 503 `SERVICE_BUSY` meanwhile: walk with `after` instead. */
                page?: number;
                limit?: number;
                /** @description `next` of the page before, under the same `sort`, `search` and filters. */
                after?: string;
                /** @description `paid`: by the lamports that holders were paid, the most first; what was paid in the token itself does not count. `market-cap`: by `marketCap`, the most first, and last those without. `next-run`: by `nextDistributionAt`, the soonest first, and last those without. Equal ones come newest first with `paid` and `market-cap`. */
                sort?: components["schemas"]["TokenSort"];
                /** @description Any part of a name or symbol, or the beginning of a mint address. */
                search?: string;
                /** @description The creator's address. */
                creator?: string;
                /** @description The partner whose key made them. */
                partner?: string;
                /** @description What holders are paid in, as the settings have it. */
                rewardToken?: string;
                launchState?: components["schemas"]["LaunchState"];
                /** @description Those with a promotion that runs now, all at once. */
                featured?: "true";
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTokensAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    getToken: {
        parameters: {
            query?: {
                /** @description Parts to add, separated by commas: `tax`, `runs`, `launch`, `featured`, `settings`. */
                include?: string;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's mint address, or its id. */
                mintAddress: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTokenAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    changeTransferFee: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                mintAddress: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferFeeChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeTransferFeeAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TOKEN_CREATOR_403"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_TOO_MANY_DRAFTS_TRANSFER_FEE_FIXED_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_INSUFFICIENT_FUNDS_CHAIN_REJECTED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_DRAFTS_EXHAUSTED_SERVICE_UNFUNDED_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    submitTransferFee: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async`: answered with 202 at once instead of waiting for the outcome; `respond-async, wait=10` after ten seconds at the latest (RFC 7240). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                mintAddress: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignedTransaction"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitTransferFeeAnswer"];
                };
            };
            /** @description Recorded, and the call prefers not to wait: `Location` names the transaction that tells the outcome, and so does `submissions.*` on `GET /events`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TRANSACTION_OWNER_403"];
            404: components["responses"]["TRANSACTION_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            410: components["responses"]["TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_TRANSACTION_CANCELLED_BYTES_EXPIRED_410"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["TRANSACTION_MISMATCH_SIGNATURE_MISSING_SIGNATURE_INVALID_IDEMPOTENCY_KEY_REUSED_CHAIN_REJECTED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    createTokenDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenInput"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateUnsignedAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_SPLIT_EXCEEDS_100_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["WALLET_NOT_FOUND_IMAGE_NOT_FOUND_404"];
            409: components["responses"]["WALLET_ALREADY_USED_CONCURRENT_CHANGE_TOO_MANY_DRAFTS_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_REWARD_TOKEN_UNSUPPORTED_INSUFFICIENT_FUNDS_CHAIN_REJECTED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_DRAFTS_EXHAUSTED_SERVICE_UNFUNDED_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    generateDistributionWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerateDistributionWalletAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    listOwnTokens: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: string;
                /** @description All of them come at once without it. */
                limit?: number;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOwnTokensAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    submitToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async`: answered with 202 at once instead of waiting for the outcome; `respond-async, wait=10` after ten seconds at the latest (RFC 7240). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignedTransaction"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitTokenAnswer"];
                };
            };
            /** @description Recorded, and the call prefers not to wait: `Location` names the transaction that tells the outcome, and so does `submissions.*` on `GET /events`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TRANSACTION_OWNER_403"];
            404: components["responses"]["TRANSACTION_NOT_FOUND_404"];
            409: components["responses"]["WALLET_ALREADY_USED_CONCURRENT_CHANGE_409"];
            410: components["responses"]["TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_TRANSACTION_CANCELLED_BYTES_EXPIRED_410"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["TRANSACTION_MISMATCH_SIGNATURE_MISSING_SIGNATURE_INVALID_IDEMPOTENCY_KEY_REUSED_CHAIN_REJECTED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    uploadImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A PNG or JPEG of at most 1048576 bytes; the only part.
                     */
                    image: Blob;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadImageAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["IMAGE_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_IMAGE_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_IMAGE_TYPE_UNSUPPORTED_415"];
            422: components["responses"]["IMAGE_UNREADABLE_IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                status?: components["schemas"]["TransactionStatus"];
                /** @description `next` of the page before. */
                after?: string;
                limit?: number;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTransactionsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTransactionAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TRANSACTION_OWNER_403"];
            404: components["responses"]["TRANSACTION_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    cancelTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelTransactionAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TRANSACTION_OWNER_403"];
            404: components["responses"]["TRANSACTION_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_TRANSACTION_SUBMITTED_409"];
            410: components["responses"]["TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_410"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    refreshTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshTransactionAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TRANSACTION_OWNER_403"];
            404: components["responses"]["TRANSACTION_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_TRANSACTION_SUBMITTED_TRANSACTION_LANDED_TRANSACTION_FAILED_TRANSACTION_NOT_REFRESHABLE_409"];
            410: components["responses"]["TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_TRANSACTION_CANCELLED_410"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    getHolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
                /** @description The owner's address: not that of its token account. */
                wallet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHolderAnswer"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_LEDGER_UNAVAILABLE_LEDGER_CORRUPT_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    getOwners: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 200 owners on both lists together. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DistributionOwners"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    setOwners: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of what was read before: the change is refused if it is no longer the latest. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DistributionOwnersInput"];
            };
        };
        responses: {
            /** @description At most 200 owners on both lists together. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DistributionOwners"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_TOO_MANY_OWNERS_OWNER_LISTED_TWICE_PROGRAM_KEPT_OUT_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TOKEN_CREATOR_403"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            412: components["responses"]["PRECONDITION_FAILED_412"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    previewRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DistributionPreview"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TOKEN_CREATOR_403"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_LEDGER_UNAVAILABLE_LEDGER_CORRUPT_EVENT_UNDECODABLE_SERVICE_BUSY_PREVIEW_UNAVAILABLE_503"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: string;
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunsAnswer"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRunAnswer"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_RUN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    listBatches: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: string;
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBatchesAnswer"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_RUN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: string;
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPaymentsAnswer"];
                    "text/csv": string;
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_RUN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_LEDGER_UNAVAILABLE_LEDGER_CORRUPT_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
                runId: string;
                /** @description The owner's address: not that of its token account. */
                wallet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPaymentAnswer"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_RUN_NOT_FOUND_PAYMENT_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_LEDGER_UNAVAILABLE_LEDGER_CORRUPT_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    getPaymentProof: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
                runId: string;
                /** @description The owner's address: not that of its token account. */
                wallet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPaymentProofAnswer"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_RUN_NOT_FOUND_PAYMENT_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_LEDGER_UNAVAILABLE_LEDGER_CORRUPT_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    getSeries: {
        parameters: {
            query?: {
                by?: components["schemas"]["SeriesStep"];
                /** @description By day 90 unless told otherwise; by run 50, and at most 100. */
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSeriesAnswer"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DistributionSettings"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TOKEN_CREATOR_403"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of what was read before: the change is refused if it is no longer the latest. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsInput"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DistributionSettings"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_SPLIT_EXCEEDS_100_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TOKEN_CREATOR_403"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            412: components["responses"]["PRECONDITION_FAILED_412"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_REWARD_TOKEN_UNSUPPORTED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    listSettingsChanges: {
        parameters: {
            query?: {
                /** @description The first page if absent. Ignored beside `after`. Pages behind the first 10,000 items are read one at a time, and other calls for them get 503 `SERVICE_BUSY` meanwhile: walk with `after` instead. */
                page?: number;
                limit?: number;
                /** @description `next` of the page before. */
                after?: string;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSettingsChangesAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TOKEN_CREATOR_403"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    getTax: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the open run has done is counted as far as it is final. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DistributionTax"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    listWalletShares: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: string;
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The owner's address: not that of its token account. */
                wallet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWalletSharesAnswer"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    getTotals: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is paid in tokens themselves is not in it: base units of different tokens have no sum. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Totals"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    listFeatured: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListFeaturedAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    buyPromotion: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuyPromotionBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuyPromotionAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TOKEN_CREATOR_403"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_TOO_MANY_DRAFTS_TOKEN_HIDDEN_PROMOTIONS_UNAVAILABLE_FEATURED_LIST_FULL_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_INSUFFICIENT_FUNDS_CHAIN_REJECTED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_DRAFTS_EXHAUSTED_SERVICE_UNFUNDED_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    submitPromotion: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async`: answered with 202 at once instead of waiting for the outcome; `respond-async, wait=10` after ten seconds at the latest (RFC 7240). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignedTransaction"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitPromotionAnswer"];
                };
            };
            /** @description Recorded, and the call prefers not to wait: `Location` names the transaction that tells the outcome, and so does `submissions.*` on `GET /events`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TRANSACTION_OWNER_403"];
            404: components["responses"]["TOKEN_NOT_FOUND_TRANSACTION_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_TOKEN_HIDDEN_FEATURED_LIST_FULL_409"];
            410: components["responses"]["TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_TRANSACTION_CANCELLED_BYTES_EXPIRED_410"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["TRANSACTION_MISMATCH_SIGNATURE_MISSING_SIGNATURE_INVALID_IDEMPOTENCY_KEY_REUSED_CHAIN_REJECTED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    getLaunchStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                mintAddress: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LaunchStatus"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            404: components["responses"]["LAUNCH_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    createLaunch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LaunchInput"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateLaunchAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TOKEN_CREATOR_403"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            409: components["responses"]["LAUNCH_ALREADY_EXISTS_POOL_ADDRESS_TAKEN_CONCURRENT_CHANGE_TOO_MANY_DRAFTS_TOKEN_HIDDEN_VENUE_UNAVAILABLE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_INSUFFICIENT_FUNDS_CHAIN_REJECTED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_DRAFTS_EXHAUSTED_SERVICE_UNFUNDED_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    submitLaunch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async`: answered with 202 at once instead of waiting for the outcome; `respond-async, wait=10` after ten seconds at the latest (RFC 7240). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignedTransaction"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitLaunchAnswer"];
                };
            };
            /** @description Recorded, and the call prefers not to wait: `Location` names the transaction that tells the outcome, and so does `submissions.*` on `GET /events`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            403: components["responses"]["NOT_TRANSACTION_OWNER_403"];
            404: components["responses"]["TOKEN_NOT_FOUND_TRANSACTION_NOT_FOUND_404"];
            409: components["responses"]["LAUNCH_ALREADY_EXISTS_POOL_ADDRESS_TAKEN_CONCURRENT_CHANGE_TOKEN_HIDDEN_409"];
            410: components["responses"]["TRANSACTION_EXPIRED_TRANSACTION_SUPERSEDED_TRANSACTION_CANCELLED_BYTES_EXPIRED_410"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["TRANSACTION_MISMATCH_SIGNATURE_MISSING_SIGNATURE_INVALID_IDEMPOTENCY_KEY_REUSED_CHAIN_REJECTED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    getDistributionFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description One range of bytes, answered with 206. Several ranges, or what is no range of bytes, get the whole file. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` of what was read before: `Range` counts only if it is still the latest. */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description 64 lower-case hex digits. */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description The part that Range asks for. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            404: components["responses"]["FILE_NOT_FOUND_404"];
            416: components["responses"]["RANGE_NOT_SATISFIABLE_416"];
            503: components["responses"]["STORE_UNAVAILABLE_LEDGER_CORRUPT_SERVICE_BUSY_503"];
        };
    };
    getImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description `<cid>.jpg` */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": Blob;
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            404: components["responses"]["IMAGE_NOT_FOUND_404"];
            503: components["responses"]["STORE_UNAVAILABLE_IMAGE_CORRUPT_SERVICE_BUSY_503"];
        };
    };
    getTokenMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description `<mint address>.json` */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A link that the creator left empty is absent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenMetadata"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    getLogCheckpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description One range of bytes, answered with 206. Several ranges, or what is no range of bytes, get the whole file. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` of what was read before: `Range` counts only if it is still the latest. */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The part that Range asks for. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            404: components["responses"]["FILE_NOT_FOUND_404"];
            416: components["responses"]["RANGE_NOT_SATISFIABLE_416"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    getLogKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description One range of bytes, answered with 206. Several ranges, or what is no range of bytes, get the whole file. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` of what was read before: `Range` counts only if it is still the latest. */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The part that Range asks for. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            404: components["responses"]["FILE_NOT_FOUND_404"];
            416: components["responses"]["RANGE_NOT_SATISFIABLE_416"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    getLogTile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description One range of bytes, answered with 206. Several ranges, or what is no range of bytes, get the whole file. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` of what was read before: `Range` counts only if it is still the latest. */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description `0` to `63`, or `entries`. */
                level: string;
                first: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description The part that Range asks for. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            404: components["responses"]["FILE_NOT_FOUND_404"];
            416: components["responses"]["RANGE_NOT_SATISFIABLE_416"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    getLogTileOfTwoParts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description One range of bytes, answered with 206. Several ranges, or what is no range of bytes, get the whole file. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` of what was read before: `Range` counts only if it is still the latest. */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description `0` to `63`, or `entries`. */
                level: string;
                first: string;
                second: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description The part that Range asks for. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            404: components["responses"]["FILE_NOT_FOUND_404"];
            416: components["responses"]["RANGE_NOT_SATISFIABLE_416"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    getLogTileOfThreeParts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description One range of bytes, answered with 206. Several ranges, or what is no range of bytes, get the whole file. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` of what was read before: `Range` counts only if it is still the latest. */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description `0` to `63`, or `entries`. */
                level: string;
                first: string;
                second: string;
                third: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description The part that Range asks for. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            404: components["responses"]["FILE_NOT_FOUND_404"];
            416: components["responses"]["RANGE_NOT_SATISFIABLE_416"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    getLogTileOfFourParts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description One range of bytes, answered with 206. Several ranges, or what is no range of bytes, get the whole file. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` of what was read before: `Range` counts only if it is still the latest. */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description `0` to `63`, or `entries`. */
                level: string;
                first: string;
                second: string;
                third: string;
                fourth: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description The part that Range asks for. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            404: components["responses"]["FILE_NOT_FOUND_404"];
            416: components["responses"]["RANGE_NOT_SATISFIABLE_416"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    getAsyncApiDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAsyncApiDocumentAnswer"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description The id of the event to go on after, or `start`. `Last-Event-ID` and `lastEventId` count before it. */
                after?: string;
                /** @description What clients send that cannot set `Last-Event-ID`, which counts before it. */
                lastEventId?: string;
                /** @description Which events, separated by commas: names (`tokens.created`), families (`tokens.*`). */
                types?: string;
                /** @description Only what is about this token: its id, or its mint address. */
                token?: string;
                /** @description Only what is about tokens that this wallet created. */
                creator?: string;
            };
            header?: {
                /** @description The `id` of the last event received: the stream continues after it. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream, for as long as both sides like. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["VALIDATION_FAILED_INVALID_ADDRESS_400"];
            401: components["responses"]["UNAUTHENTICATED_TOKEN_EXPIRED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_STREAMS_EXHAUSTED_503"];
        };
    };
    listPartnerTokens: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: string;
                limit?: number;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPartnerTokensAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    getPartnerUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartnerUsage"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    takeBackup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.levy.backup": Blob;
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            409: components["responses"]["BACKUP_UNDER_WAY_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    listDistributions: {
        parameters: {
            query?: {
                /** @description All of them if absent. `running`: a run is open. */
                state?: components["schemas"]["DistributionState"];
                /** @description `next` of the page before. */
                after?: string;
                limit?: number;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDistributionsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    correctBooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CorrectBooksBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DistributionStanding"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_CORRECTION_REFUSED_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    haltDistribution: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HaltDistributionBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DistributionStanding"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    resumeDistribution: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResumeDistributionBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DistributionStanding"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    requestRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token's id, or its mint address. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestRunBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DistributionStanding"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_TOKEN_HIDDEN_RUN_ALREADY_OPEN_DISTRIBUTION_HALTED_DISTRIBUTION_DISABLED_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    haltAllDistributions: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HaltAllDistributionsBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllDistributions"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    resumeAllDistributions: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResumeAllDistributionsBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllDistributions"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    listDrafts: {
        parameters: {
            query?: {
                state?: components["schemas"]["DraftState"];
                /** @description An age such as `90s`, `10m`, `2h` or `7d`, or a point in time such as `2026-05-04T10:00:00Z`. */
                olderThan?: string;
                /** @description First. */
                order?: components["schemas"]["ListOrder"];
                /** @description `next` of the page before. */
                after?: string;
                limit?: number;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDraftsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only the events of this stream. */
                stream?: string;
                /** @description Only streams of this category, which is the part of a name before the first hyphen. */
                category?: string;
                type?: string;
                /** @description What one request has led to, in all streams: the id of that request. */
                correlationId?: string;
                /** @description The earliest time, which is included. An age such as `90s`, `10m`, `2h` or `7d`, or a point in time such as `2026-05-04T10:00:00Z`. */
                since?: string;
                /** @description The latest time, which is included. An age such as `90s`, `10m`, `2h` or `7d`, or a point in time such as `2026-05-04T10:00:00Z`. */
                until?: string;
                /** @description First. */
                order?: components["schemas"]["ListOrder"];
                limit?: number;
                /** @description `next` of the call before, with the same filters. */
                after?: string;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    quarantineEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuarantineEventBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuarantineEventAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["EVENT_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_EVENT_DECODABLE_EVENT_OF_NEWER_VERSION_EVENT_INDISPENSABLE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    listQuarantinedEvents: {
        parameters: {
            query?: {
                /** @description The first page if absent. Ignored beside `after`. Pages behind the first 10,000 items are read one at a time, and other calls for them get 503 `SERVICE_BUSY` meanwhile: walk with `after` instead. */
                page?: number;
                limit?: number;
                /** @description `next` of the page before. */
                after?: string;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListQuarantinedEventsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    listUndecodableEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUndecodableEventsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    readLog: {
        parameters: {
            query?: {
                /** @description The `position` of the last event that is known; without it, from the beginning. */
                after?: string;
                /** @description Only the events of this stream, by their revisions; `after` is not for it. */
                stream?: string;
                /** @description With `stream`: the revision to begin with. */
                fromRevision?: number;
                limit?: number;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each event, each a JSON object of this form, ended by a line feed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": {
                        id: string;
                        type: string;
                        /** @description As it was recorded, in the version that the metadata name. */
                        data: {
                            [key: string]: unknown;
                        };
                        metadata: {
                            [key: string]: unknown;
                        };
                        stream: string;
                        /**
                         * Format: int64
                         * @description 0 for the first event of its stream.
                         */
                        revision: number;
                        /** @description Where it is in the log: `after` of what comes next. */
                        position: string;
                        /** @description Why data or metadata are not JSON objects; both are then empty. */
                        unreadable?: string;
                    };
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    listNonceAccounts: {
        parameters: {
            query?: {
                state?: components["schemas"]["NonceAccountState"];
                /** @description An age such as `90s`, `10m`, `2h` or `7d`, or a point in time such as `2026-05-04T10:00:00Z`. */
                olderThan?: string;
                limit?: number;
                /** @description `next` of the page before. */
                after?: string;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListNonceAccountsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetOverviewAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    listPartners: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPartnersAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    createPartner: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePartnerBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewPartnerKey"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            409: components["responses"]["CONCURRENT_CHANGE_PARTNER_EXISTS_PARTNER_KEY_REPLACED_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    endPartner: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description 1 to 32 letters, digits, dots, dashes and underscores; tokens made through it show it for ever. */
                partner: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndPartnerBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedPartner"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["PARTNER_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    rotatePartnerKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description 1 to 32 letters, digits, dots, dashes and underscores; tokens made through it show it for ever. */
                partner: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotatePartnerKeyBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewPartnerKey"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["PARTNER_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_PARTNER_KEY_REPLACED_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    listProjections: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListProjectionsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    rebuildProjection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A read model of `GET /operator/projections`. */
                name: components["schemas"]["ProjectionName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RebuildProjectionAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    endPromotion: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                promotionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndPromotionBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndPromotionAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["PROMOTION_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    getStreamState: {
        parameters: {
            query?: {
                /** @description Of the event. */
                revision?: number;
                /** @description The revision of an earlier event, to compare with. */
                sinceRevision?: number;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStreamStateAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["EVENT_NOT_FOUND_404"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    listSubmissions: {
        parameters: {
            query?: {
                /** @description `unrecorded`: landed, and what it was for is still to be recorded. `unknown`: nothing on the chain tells its outcome; launches that their creators sent are among them. */
                state?: components["schemas"]["SubmissionFilter"];
                /** @description An age such as `90s`, `10m`, `2h` or `7d`, or a point in time such as `2026-05-04T10:00:00Z`. */
                olderThan?: string;
                /** @description First. */
                order?: components["schemas"]["ListOrder"];
                /** @description `next` of the page before. */
                after?: string;
                limit?: number;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSubmissionsAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
        };
    };
    concludeSubmission: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConcludeSubmissionBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConcludeSubmissionAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["TRANSACTION_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_TRANSACTION_NOT_SUBMITTED_OUTCOME_KNOWN_OUTCOME_OPEN_OUTCOME_CONTRADICTED_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            502: components["responses"]["CHAIN_UNAVAILABLE_502"];
            503: components["responses"]["CHAIN_UNAVAILABLE_STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    listHiddenTokens: {
        parameters: {
            query?: {
                /** @description The first page if absent. Ignored beside `after`. Pages behind the first 10,000 items are read one at a time, and other calls for them get 503 `SERVICE_BUSY` meanwhile: walk with `after` instead. */
                page?: number;
                limit?: number;
                /** @description `next` of the page before. */
                after?: string;
            };
            header?: {
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListHiddenTokensAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_SERVICE_BUSY_503"];
        };
    };
    hideToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                mintAddress: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HideTokenBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenVisibility"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    showToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated call with the same key gets the first answer again, and nothing is done twice. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                mintAddress: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShowTokenBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Position": components["headers"]["X-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenVisibility"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            404: components["responses"]["TOKEN_NOT_FOUND_404"];
            409: components["responses"]["CONCURRENT_CHANGE_409"];
            413: components["responses"]["BODY_TOO_LARGE_413"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE_415"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED_422"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_EVENT_UNDECODABLE_503"];
            504: components["responses"]["CONFIRMATION_PENDING_504"];
        };
    };
    getConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Position` of an earlier answer: this one shows at least what that one recorded. */
                "X-After-Position"?: components["parameters"]["AfterPosition"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicConfiguration"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            401: components["responses"]["UNAUTHENTICATED_401"];
            429: components["responses"]["RATE_LIMITED_429"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHealthAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            503: components["responses"]["STORE_UNAVAILABLE_503"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read before: answered with 304 and no body if it is still the latest. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetOpenApiDocumentAnswer"];
                };
            };
            /** @description Not changed: what If-None-Match names is still the latest. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            503: components["responses"]["STORE_UNAVAILABLE_SERVICE_BUSY_503"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the call in its answer and in the log; generated if none is sent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReadinessAnswer"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED_400"];
            /**
             * @description Something does not work; `checks` says what.
             *
             *     Unavailable at the moment; try again later.
             *
             *     `STORE_UNAVAILABLE`: The store does not answer.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReadinessAnswer"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
