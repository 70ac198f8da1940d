/** Text that a TPP reads before the operations, in Markdown. */
export const INTRODUCTION = `The interface of this bank for third party providers, according to the Czech Open Banking Standard 2.0.

**In five steps**

1. Get a qualified website certificate (QWAC) with the PSD2 roles of your licence. Every call presents it, except those of the PSU's browser.
2. Register an application: \`POST /cobs/2.0/applications\`.
3. Send the PSU's browser to \`/oauth/authorize\`. It comes back to your \`redirect_uri\` with a code.
4. Exchange the code for tokens: \`POST /oauth/token\`. They only work with your certificate.
5. Read the accounts: \`GET /cobs/2.0/my/accounts\` with \`Authorization: Bearer\`.

**To pay**, enter the payment with \`POST /cobs/2.0/my/payments\`, begin its authorization with
\`POST /cobs/2.0/my/payments/{paymentId}/sign/{signId}\`, and send the PSU's browser to \`href.url\`.
\`GET /cobs/2.0/payments/{paymentId}/status\` tells how it went. A bank without payment initiation answers 501.

**Three hosts.** The browser host shows pages and asks for no certificate; two API hosts ask for it, one for applications and
tokens, one for accounts and payments. Each operation names its host.

**Every answer** has \`X-Request-ID\`: your own, if you sent one. Nothing may be cached. Answers about accounts and payments are
compressed (gzip, br) if you ask for it. Bodies are JSON in UTF-8, and yours may be compressed (gzip, deflate, br); only forms may
not. A member of yours that is \`null\` is absent; so is, in payments and balance checks, free text that is empty or of spaces
alone. Numbers may have more digits than a binary floating-point number keeps. Unknown query parameters are ignored.

**Amounts** are numbers, yours too, and have at most the decimals of their currency. Round what you have computed with
binary floating-point numbers before you send it: 0.1 + 0.7 is 0.7999999999999999, and refused.

**Characters.** An identification in a payment or balance check is of letters without accents, digits, spaces and
\`/ - ? : ( ) . , ' +\`, with no slash at an end or beside another. Other texts of a payment are of the same characters, with
slashes anywhere, and the message of a domestic one has the letters of Czech too. Accents that cannot be sent are taken off, before
characters are counted: \`Müller Straße\` becomes \`Muller Strasse\`, and the answer says so. Texts about shops and cards are of
any letters. What else comes is \`RR10\`.

**Connections** are HTTP/1.1 over TLS 1.2 or 1.3. Each makes a whole handshake with your certificate, for no TLS session is resumed.
One that you leave idle is closed after the seconds that \`Keep-Alive\` tells. A client that keeps it for longer can send a call just
then and get no answer, as Java's \`HttpClient\` before release 20 does (\`-Djdk.httpclient.keepalive.timeout=30\` helps). Such a
payment may be sent again with its \`Idempotency-Key\`: it is entered once.

**Errors** of accounts and payments are \`{"errors": [...]}\`, with every fault that has the status of the answer; where faults
have different statuses, 401 wins over 403, 403 over 404, and 404 over 400; but a certificate without the role is 403 whatever
token comes with it. Errors of applications and tokens are \`{"error", "error_description"}\`. A path that is none is 404:
\`NOT_FOUND\` at accounts and payments, \`invalid_request\` at applications and tokens, and a page on the browser host. On any path,
a wrong method is answered with 405 and \`Allow\`. Some requests are refused before they can be read, and
without \`X-Request-ID\`: what is not HTTP, or has a method that nobody knows (400), what does not arrive in time (408), and
headers of more than 16 kB (431).

**Generated clients.** This document was tried with openapi-generator 7.16 for Java (\`native\`), Go and TypeScript (\`fetch\`). Java
and TypeScript use the first server for every operation: make a client for each host. Go needs
\`--type-mappings=number=json.Number\`, because its numbers would have 32 bits; so would those of oapi-codegen without
\`type-mapping: {number: {default: {type: json.Number, import: encoding/json}}}\` in its \`output-options\`. Java needs
\`--additional-properties=containerDefaultToNull=true\`, because it would send unset lists as empty ones, and an empty \`scopes\` is refused.

**Names.** R1 to R13 are the resources of the standard, in the order of its chapter 3. A with a number, such as A-64, is a place
where it leaves a choice or contradicts itself; the text says what this bank does.
`;
