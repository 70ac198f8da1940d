/**
 * Options with which Node runs a service. Each collection of young garbage copies what the calls under way hold. With
 * semi-spaces of 32 MiB, twice the default of Node 20 and 22, there are half as many collections, and a process may use up to
 * 48 MiB more. A service works the same without these options. `NODE_OPTIONS` does not override them.
 */
export const SERVICE_NODE_OPTIONS: readonly string[] = ["--max-semi-space-size=32"];
