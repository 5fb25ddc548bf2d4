// What a connection keeps secret, sealed at rest and bound to its row and its kind.

import type { IntegrationsTable } from "../store/integration-schema.ts";
import type { Sealer } from "../system/sealing.ts";

/** What the sealer's key is derived for. */
export const integrationSealing = "integrations";

export type OauthSecret = {
  readonly accessToken: string;
  /** Null: there never was one, or it is no longer good. */
  readonly refreshToken: string | null;
  /** What revoking would end (GivenAccount). */
  readonly grant: string;
  /** Where it was given one. */
  readonly webhookUrl: string | null;
};

export function sealOauth(sealer: Sealer, id: string, secret: OauthSecret): string {
  return sealer.seal(JSON.stringify(secret), boundTo(id));
}

/** Undefined for what was sealed with another key. */
export function openOauth(
  sealer: Sealer,
  { id, secret }: Pick<IntegrationsTable, "id" | "secret">,
): OauthSecret | undefined {
  const opened = sealer.open(secret, boundTo(id));
  return opened === undefined ? undefined : (JSON.parse(opened) as OauthSecret);
}

function boundTo(id: string): string {
  return `integrations/${id}/oauth`;
}
