// Tokens of a session that began at an issuer, sealed at rest and bound to the session.

import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { SessionLoginsTable } from "../../people/tables.ts";
import type { Said } from "./issuer-clients.ts";

/** Some issuers put hundreds of groups into them. Logging out there works without it, too. */
const longestToken = 8_192;

export function refreshTokenPlace(sessionId: string): string {
  return `session_logins/${sessionId}/refresh_token`;
}

export function idTokenPlace(sessionId: string): string {
  return `session_logins/${sessionId}/id_token`;
}

export function sealLogin(
  sealer: Sealer,
  sessionId: string,
  { refreshToken, idToken }: Pick<Said, "refreshToken" | "idToken">,
): Pick<SessionLoginsTable, "refresh_token" | "id_token"> {
  const seal = (token: string | null, place: string) =>
    token === null || token.length > longestToken ? null : sealer.seal(token, place);
  return {
    refresh_token: seal(refreshToken, refreshTokenPlace(sessionId)),
    id_token: seal(idToken, idTokenPlace(sessionId)),
  };
}
