/** Lower-cases the scopes in a token request's form, as they are stored: scopes are case-insensitive. */
export function withScopesInLowerCase(form: URLSearchParams): URLSearchParams {
  if (form.getAll("scope").every((scope) => scope === scope.toLowerCase())) return form;
  const read = new URLSearchParams();
  for (const [name, value] of form) read.append(name, name === "scope" ? value.toLowerCase() : value);
  return read;
}
