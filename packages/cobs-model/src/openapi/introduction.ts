/** Text that a TPP reads before the operations, in Markdown. */
export const INTRODUCTION = `The interface of this bank for third party providers, according to the Czech Open Banking Standard 2.0.

**In five steps**

1. Get a qualified website certificate (QWAC) with the PSD2 roles of your licence. Present it in every call; only the PSU's browser needs none.
2. Register an application: \`POST /cobs/2.0/applications\`.
3. Send the PSU's browser to \`/oauth/authorize\`. It returns to your \`redirect_uri\` with a code.
4. Exchange the code for tokens: \`POST /oauth/token\`. They work only with your certificate.
5. Read the accounts: \`GET /cobs/2.0/my/accounts\` with \`Authorization: Bearer\`.

**To pay**, enter the payment with \`POST /cobs/2.0/my/payments\`, begin its authorization with
\`POST /cobs/2.0/my/payments/{paymentId}/sign/{signId}\`, and send the PSU's browser to \`href.url\`.
\`GET /cobs/2.0/payments/{paymentId}/status\` returns the outcome. A bank without payment initiation answers 501.

**Three hosts.** The browser host serves pages and requires no certificate. Two API hosts require one: one host for applications
and tokens, one for accounts and payments. Each operation names its host.

**Every answer** has \`X-Request-ID\`: your own, if you sent one. No answer may be cached. Answers about accounts and payments are
compressed (gzip, br) if you ask for it. Bodies are JSON in UTF-8; you may compress yours (gzip, deflate, br), except forms.
A member that you send as \`null\` counts as absent; so does, in payments and balance checks, free text that is empty or only
spaces. Numbers may have more digits than a binary floating-point number can hold. Unknown query parameters are ignored.

**Amounts** are numbers, also in your calls, and have at most the decimals of their currency. Round the results of binary
floating-point arithmetic before you send them: 0.1 + 0.7 is 0.7999999999999999, which is refused.

**Characters.** An identification in a payment or balance check may contain letters without accents, digits, spaces and
\`/ - ? : ( ) . , ' +\`, but no slash at either end or next to another slash. Other texts of a payment may contain the same
characters, with slashes anywhere, and the message of a domestic payment also Czech letters. Accents that cannot be sent are
removed before characters are counted: \`Müller Straße\` becomes \`Muller Strasse\`, and the answer shows it. Texts about shops,
cards and yourself (\`initiatingParty\`) may contain any letters. Other characters are refused with \`RR10\`.

**Connections** use HTTP/1.1 over TLS 1.2 or 1.3. Each makes a full handshake with your certificate, because TLS sessions are not
resumed. An idle connection is closed after the number of seconds in \`Keep-Alive\`. A client that keeps it longer may send a call
at that moment and get no answer, as Java's \`HttpClient\` before release 20 does
(\`-Djdk.httpclient.keepalive.timeout=30\` helps). Send a payment that was lost in this way again with its \`Idempotency-Key\`: it
is entered only once.

**Errors** of accounts and payments are \`{"errors": [...]}\`, with every fault that has the status of the answer. Where faults
have different statuses, 401 wins over 403, 403 over 404, and 404 over 400; but a certificate without the role is always 403,
whatever token comes with it. Errors of applications and tokens are \`{"error", "error_description"}\`. An unknown path is 404:
\`NOT_FOUND\` at accounts and payments, \`invalid_request\` at applications and tokens, and a page on the browser host. On any path,
a wrong method is answered with 405 and \`Allow\`. Some requests are refused before they can be read, without \`X-Request-ID\`:
those that are not HTTP or have an unknown method (400), those that do not arrive in time (408), and those with more than
16 kB of headers (431).

**Generated clients.** This document was tested with openapi-generator 7.16 for Java (\`native\`), Go and TypeScript (\`fetch\`). Java
and TypeScript use the first server for every operation: make a client for each host. Go needs
\`--type-mappings=number=json.Number\`, because otherwise its numbers have 32 bits; so do those of oapi-codegen without
\`type-mapping: {number: {default: {type: json.Number, import: encoding/json}}}\` in its \`output-options\`. Java needs
\`--additional-properties=containerDefaultToNull=true\`, because otherwise it sends unset lists as empty, and an empty \`scopes\` is
refused.

**Names.** R1 to R13 are the resources of the standard, in the order of its chapter 3. An A with a number, such as A-64, marks a
place where the standard leaves a choice or contradicts itself; the text says what this bank does.
`;
