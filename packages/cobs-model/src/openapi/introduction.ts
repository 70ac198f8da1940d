/** What a TPP reads before the operations, in Markdown. */
export const INTRODUCTION = `The interface of this bank for third party providers, as the Czech Open Banking Standard 2.0 has it.

**In five steps**

1. Get a qualified website certificate (QWAC) with the PSD2 roles of your licence. Every call but those of the PSU's browser shows it.
2. Register an application: \`POST /cobs/2.0/applications\`.
3. Send the PSU's browser to \`/oauth/authorize\`. It comes back to your \`redirect_uri\` with a code.
4. Turn the code into tokens: \`POST /oauth/token\`. They work with your certificate only.
5. Call the accounts: \`GET /cobs/2.0/my/accounts\` with \`Authorization: Bearer\`.

**To pay**, enter the payment with \`POST /cobs/2.0/my/payments\`, begin its authorization with
\`POST /cobs/2.0/my/payments/{paymentId}/sign/{signId}\`, and send the PSU's browser to \`href.url\`. What has become of it tells
\`GET /cobs/2.0/payments/{paymentId}/status\`. A bank that takes no orders answers 501.

**Three hosts.** The browser host shows pages and asks for no certificate; two API hosts ask for it, one for applications and
tokens, one for accounts and payments. Each operation says which is its own.

**Every answer** has \`X-Request-ID\`: your own, when you sent one. Nothing may be cached. Answers about accounts and payments are
compressed for who asks (gzip, br). Bodies are JSON in UTF-8. Numbers may
have more digits than a binary floating point number keeps. Unknown parameters of the query are passed over.

**Errors** of accounts and payments are \`{"errors": [...]}\`, with everything that is wrong as far as it has the same status;
where statuses differ, 401 goes before 403, 404 and 400. Errors of applications and tokens are
\`{"error", "error_description"}\`. At any path, another method is answered with 405 and \`Allow\`; and before there is a call,
so without \`X-Request-ID\`, bytes that are no HTTP with 400, a request that does not arrive in time with 408, and headers of
more than 16 kB with 431.

**Generated clients.** This document was tried with openapi-generator 7.16 for Java (\`native\`), Go and TypeScript (\`fetch\`). Java
and TypeScript take the first server for every operation: make a client for each host. Go makes numbers of 32 bits unless it is
told \`--type-mappings=number=json.Number\`. Java sends lists that nobody has set as empty ones, of which \`scopes\` is refused, unless
it is told \`--additional-properties=containerDefaultToNull=true\`.

**Names.** R1 to R13 are the resources of the standard, in the order of its chapter 3. A with a number, such as A-64, is a place
where it leaves a choice or contradicts itself; the text says what holds here.
`;
