"""Makes a token, walks the list and changes settings with the client of openapi-python-client, and reads a refusal as data."""

import json
import sys
from io import BytesIO
from pathlib import Path

import httpx
from levy_client import AuthenticatedClient, Client
from levy_client.api.distribution import list_settings_changes, update_settings
from levy_client.api.sign_in import create_challenge, verify_sign_in
from levy_client.api.tokens import (
    create_token_draft,
    generate_distribution_wallet,
    list_tokens,
    submit_token,
    upload_image,
)
from levy_client.models import (
    CreateChallengeBody,
    CreateUnsignedAnswer,
    LaunchState,
    Problem,
    SettingsInput,
    SignedTransaction,
    SubmitTokenAnswer,
    TokenInput,
    TokenSort,
    UploadImageBody,
    VerifySignInBody,
)
from levy_client.types import File

url, wallet, address, image = sys.argv[1:]


def signed(what: str, text: str) -> str:
    return httpx.post(f"{wallet}/{what}", content=text).raise_for_status().text


everybody = Client(base_url=url)
challenge = create_challenge.sync(client=everybody, body=CreateChallengeBody(wallet_address=address)).challenge
session = verify_sign_in.sync(
    client=everybody,
    body=VerifySignInBody(wallet_address=address, message=challenge, signature=signed("message", challenge)),
)
creator = AuthenticatedClient(base_url=url, token=session.token)
picture = File(payload=BytesIO(Path(image).read_bytes()), file_name="token.png", mime_type="image/png")
wished = TokenInput(
    wallet_id=generate_distribution_wallet.sync(client=everybody).wallet_id,
    image_uri=upload_image.sync(client=creator, body=UploadImageBody(image=picture)).image_uri,
    name="Sunrise",
    symbol="SUN",
    description="Made with a generated client.",
    transfer_fee_percent=3.5,
    decimals=6,
    supply="1000000000000000",
)
draft = create_token_draft.sync(client=creator, body=wished)
assert isinstance(draft, CreateUnsignedAnswer), draft
created = submit_token.sync(
    client=creator,
    body=SignedTransaction(
        transaction_id=draft.transaction_id, signed_transaction=signed("transaction", draft.transaction)
    ),
)
assert isinstance(created, SubmitTokenAnswer), created



def listed(page: int, **more):
    filters = {"sort": TokenSort.TOKEN_SORT_PAID, "reward_token": "SOL", "launch_state": LaunchState.LAUNCH_STATE_NONE}
    return list_tokens.sync(client=everybody, page=page, limit=1, **filters, **more)


page = listed(1)
walked = [card.mint_address for card in page.tokens]
while page.next_ is not None:
    page = listed(1, after=page.next_)
    walked += [card.mint_address for card in page.tokens]
token_id = str(created.token.id)
changed = update_settings.sync(token_id, client=creator, body=SettingsInput(burn_percent=7, telegram_group_id=""))
changes = list_settings_changes.sync(token_id, client=creator).changes

wished.supply = "none"
refused = create_token_draft.sync(client=creator, body=wished)
assert isinstance(refused, Problem), refused
print(
    json.dumps(
        {
            "mintAddress": created.token.mint_address,
            "refused": {"status": refused.status, "code": refused.code.value, "field": refused.details[0].path[0]},
            "walked": walked,
            "second": listed(2).tokens[0].mint_address,
            "changed": [changed.burn_percent, changed.distribution_interval.value, changed.distribution_enabled],
            "burnedBefore": [change.before and change.before.burn_percent for change in changes],
        }
    )
)
