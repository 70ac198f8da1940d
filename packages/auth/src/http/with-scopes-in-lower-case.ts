/** The form of a token request, with its scopes as they are kept: they are read in any case of letters. */
export function withScopesInLowerCase(form: URLSearchParams): URLSearchParams {
  if (form.getAll("scope").every((scope) => scope === scope.toLowerCase())) return form;
  const read = new URLSearchParams();
  for (const [name, value] of form) read.append(name, name === "scope" ? value.toLowerCase() : value);
  return read;
}
