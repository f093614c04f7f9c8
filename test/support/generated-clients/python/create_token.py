"""Makes a token with the client that openapi-python-client generates, and reads a refusal as data."""

import json
import sys
from io import BytesIO
from pathlib import Path

import httpx
from levy_client import AuthenticatedClient, Client
from levy_client.api.sign_in import create_challenge, verify_sign_in
from levy_client.api.tokens import create_token_draft, generate_distribution_wallet, submit_token, upload_image
from levy_client.models import (
    CreateChallengeBody,
    CreateUnsignedAnswer,
    Problem,
    SignedTransaction,
    SubmitTokenAnswer,
    TokenInput,
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

wished.supply = "none"
refused = create_token_draft.sync(client=creator, body=wished)
assert isinstance(refused, Problem), refused
print(
    json.dumps(
        {
            "mintAddress": created.token.mint_address,
            "refused": {"status": refused.status, "code": refused.code.value, "field": refused.details[0].path[0]},
        }
    )
)
