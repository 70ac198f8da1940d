"""A TPP on Authlib: from the registration to the end of the consent, in one way to authenticate.

It is told where everything is by one line of JSON, prints the address that the PSU has to open, reads the address that
the PSU came back to, and prints what it has seen: one JSON object a line. Of the server it knows no more than its
metadata (RFC 8414), which Authlib checks.
"""

import json
import sys
from urllib.parse import parse_qsl, urlencode

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata

TIMEOUT_SECONDS = 20


def tell(**facts):
    print(json.dumps(facts), flush=True)


def discover(web, issuer):
    answer = web.get(f"{issuer}/.well-known/oauth-authorization-server", timeout=TIMEOUT_SECONDS)
    metadata = AuthorizationServerMetadata(answer.json())
    metadata.validate()
    if metadata["issuer"] != issuer:
        raise SystemExit("the metadata are another issuer's")
    return metadata


def register(web, order, key):
    members = {
        "applicationType": "web",
        "client_name": "An application on Authlib",
        "redirect_uris": [order["redirectUri"]],
        "scopes": ["aisp"],
        "token_endpoint_auth_method": order["method"],
    }
    if key is not None:
        members["jwks"] = {"keys": [key.as_dict(is_private=False)]}
    answer = web.post(order["applications"], json=members, timeout=TIMEOUT_SECONDS)
    answer.raise_for_status()
    return answer.json()


def open_session(order, application, key, issuer):
    """Authlib has no name for tls_client_auth: on the wire it is the client_id beside the certificate (RFC 8705 2.1)."""
    method = {"tls_client_auth": "none"}.get(order["method"], order["method"])
    session = OAuth2Session(
        application["client_id"],
        key if key is not None else application.get("client_secret"),
        token_endpoint_auth_method=method,
        revocation_endpoint_auth_method=method,
        code_challenge_method="S256" if order["pkce"] else None,
        redirect_uri=order["redirectUri"],
        scope="aisp",
        default_timeout=TIMEOUT_SECONDS,
    )
    # FAPI 2.0 5.3.2.1: the audience is the issuer; of itself Authlib names the endpoint.
    session.register_client_auth_method(PrivateKeyJWT(issuer, alg="ES256"))
    present_certificate(session, order)
    return session


def present_certificate(web, order):
    web.verify = order["ca"]
    web.cert = (order["certificate"], order["key"])


def push(session, metadata, address):
    """Authlib knows no pushed requests: its parameters are pushed, authenticated as it does everywhere (RFC 9126)."""
    parameters = dict(parse_qsl(address.split("?", 1)[1]))
    if session.token_endpoint_auth_method == "none":
        # This authentication adds it, and it may not come twice.
        del parameters["client_id"]
    answer = session.post(
        metadata["pushed_authorization_request_endpoint"],
        data=parameters,
        auth=session.client_auth(session.token_endpoint_auth_method),
        withhold_token=True,
    )
    answer.raise_for_status()
    carried = {"client_id": session.client_id, "request_uri": answer.json()["request_uri"]}
    return f'{metadata["authorization_endpoint"]}?{urlencode(carried)}'


def authorize(session, metadata, order):
    verifier = generate_token(64) if order["pkce"] else None
    address, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
    tell(authorize=push(session, metadata, address) if order["pushed"] else address)
    callback = sys.stdin.readline().strip()
    given = dict(parse_qsl(callback.split("?", 1)[1]))
    if given.get("iss") != metadata["issuer"]:
        raise SystemExit("the answer is another issuer's (RFC 9207)")
    more = {} if verifier is None else {"code_verifier": verifier}
    return session.fetch_token(
        metadata["token_endpoint"], authorization_response=callback, state=state, **more
    )


def error_of(call):
    try:
        call()
    except AuthlibBaseError as error:
        return error.error
    return None


def generate_key():
    """Debian's Authlib leaves out a leading zero of a coordinate, which has 32 bytes always (RFC 7518 6.2.1.2)."""
    while True:
        key = JsonWebKey.generate_key("EC", "P-256", is_private=True)
        if all(len(key.as_dict(is_private=False)[name]) == 43 for name in ("x", "y")):
            return key


def main():
    order = json.loads(sys.stdin.readline())
    web = requests.Session()
    present_certificate(web, order)
    metadata = discover(web, order["issuer"])
    key = None
    if order["method"] == "private_key_jwt":
        key = generate_key()
    application = register(web, order, key)
    session = open_session(order, application, key, metadata["issuer"])

    token = authorize(session, metadata, order)
    accounts = session.get(order["accounts"]).status_code
    refresh_token = token["refresh_token"]
    refreshed = session.refresh_token(metadata["token_endpoint"], refresh_token=refresh_token)
    accounts_again = session.get(order["accounts"]).status_code
    revoked = session.revoke_token(
        metadata["revocation_endpoint"], token=refresh_token, token_type_hint="refresh_token", withhold_token=True
    )
    after = error_of(lambda: session.refresh_token(metadata["token_endpoint"], refresh_token=refresh_token))
    place = f'{order["applications"]}/{application["client_id"]}'
    removed = web.delete(place, timeout=TIMEOUT_SECONDS).status_code
    gone = error_of(lambda: session.refresh_token(metadata["token_endpoint"], refresh_token=refresh_token))
    tell(
        profile=application["security_profile"],
        hasSecret="client_secret" in application,
        tokenType=token["token_type"],
        accounts=accounts,
        isNewToken=refreshed["access_token"] != token["access_token"],
        accountsAgain=accounts_again,
        revoked=revoked.status_code,
        refreshAfterRevocation=after,
        removed=removed,
        refreshAfterRemoval=gone,
    )


main()
