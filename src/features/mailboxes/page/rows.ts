import { call } from "../../../web/client/call.ts";
import type { Integration } from "../contract/integrations.ts";

/** An existing connection. A row without an id is only an offer. */
export type Connection = Integration & { readonly id: string };

export type SectionProps = {
  readonly integrations: readonly Integration[];
  readonly isOwner: boolean;
  readonly onChanged: () => void;
};

/** The form has a URL, so that other pages can link to it. */
export const connectAddress = "/integrations?connect=imap";

/** Connections to reconnect first, then in the server's order. */
export function connectionsOf(
  integrations: readonly Integration[],
  isWanted: (provider: Integration["provider"]) => boolean,
): readonly Connection[] {
  const own = integrations.filter((one): one is Connection => one.id !== null && isWanted(one.provider));
  return own.toSorted((a, b) => Number(b.status === "reconnect") - Number(a.status === "reconnect"));
}

export async function leaveForConsent(provider: Integration["provider"]): Promise<void> {
  const { url } = await call("GET /api/integrations/:provider/connect", { params: { provider } });
  window.location.assign(url);
}
