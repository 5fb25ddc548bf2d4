// What an API token may do (src/decisions.md, "Tokens"). A scope includes the ones before it.

export const tokenScopes = ["read", "write", "admin", "full"] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** What an endpoint needs of a token. `person`: no token is enough, because it concerns a person and no workspace. */
export type TokenNeed = TokenScope | "person";

export function scopeAllows(scope: TokenScope, needed: TokenScope): boolean {
  return tokenScopes.indexOf(scope) >= tokenScopes.indexOf(needed);
}

/** How many days before a token expires a notice is given. */
export const expiryNoticeDays = [7, 1] as const;
