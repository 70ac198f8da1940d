/** What `npm run core-system -- --help` tells. */
export const CORE_SYSTEM_USAGE = `npm run core-system

Serves the demo bank of the running sandbox as a core system over mutual TLS, to try the HTTP connector and the test kit with,
and prints how both are told of it. It ends with Ctrl+C.

  -h, --help              this text

  CORE_SYSTEM_PORT        port; 9445 unless told otherwise
  SANDBOX_DIRECTORY       folder of the sandbox; .sandbox unless told otherwise
  RESOURCE_DATABASE_URL   another database of a resource server than the sandbox's
  LOG_LEVEL               debug, info, warn or error; warn unless told otherwise

Ends with 1 when there is no such sandbox or database, with 2 when it was told something wrong.
`;
