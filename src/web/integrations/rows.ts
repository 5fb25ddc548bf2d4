import type { Integration } from "../../api/integrations.ts";
import { call } from "../client/call.ts";

/** One that there is: a row without an id stands for what could be. */
export type Connection = Integration & { readonly id: string };

export type SectionProps = {
  readonly integrations: readonly Integration[];
  readonly isOwner: boolean;
  readonly onChanged: () => void;
};

/** The form has an address, so that other pages lead to it. */
export const connectAddress = "/integrations?connect=imap";

/** What needs a person first, then as they came. */
export function connectionsOf(
  integrations: readonly Integration[],
  providers: readonly Integration["provider"][],
): readonly Connection[] {
  const own = integrations.filter(
    (one): one is Connection => one.id !== null && providers.includes(one.provider),
  );
  return own.toSorted((a, b) => Number(b.status === "reconnect") - Number(a.status === "reconnect"));
}

export async function leaveForConsent(provider: Integration["provider"]): Promise<void> {
  const { url } = await call("GET /api/integrations/:provider/connect", { params: { provider } });
  window.location.assign(url);
}
