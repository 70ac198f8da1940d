/** The variables of a bank's own OpenID provider, for programs that hand them on. Does not load the server. */
export { UPSTREAM_VARIABLES } from "./psu/upstream/upstream-variables.ts";
