import { isLoopback } from "../../../analyzer/addresses.ts";
import type { Client } from "../../../platform/http/client-address.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import { host as hostKind } from "../../../platform/settings/setting-kinds.ts";
import { isReservedName } from "../../server/doctor/exchangers.ts";
import { type Receiving, readReceiving } from "../contract/receiving.ts";
import { readSampleInbox, toInboxAddress } from "../rows/seed-inboxes.ts";
import { toSnippets } from "../words/sending-snippets.ts";

export const receivingRoutes: readonly Route[] = [
  route(readReceiving, async ({ store, client }, { config, readListeners }) => {
    const inbox = await readSampleInbox(store.read, config.seedDomains);
    const receiving = {
      address: inbox ? toInboxAddress(inbox) : null,
      listeners: toEntered(readListeners(), client, config),
      certificate: config.smtpTlsCert === null ? ("self-signed" as const) : ("own" as const),
      isProxied: config.smtpProxyFrom.length > 0,
      isReserved: inbox !== undefined && isReservedName(inbox.domain),
    };
    return { ...receiving, snippets: toSnippets(receiving) };
  }),
];

type Listener = Receiving["listeners"][number];

/** Several listeners may be the same to a client: all IPv4 and all IPv6 addresses of a machine. */
function toEntered(
  listeners: readonly Listener[],
  client: Pick<Client, "host">,
  config: Pick<Server["config"], "smtpHostname">,
): Listener[] {
  const entered = listeners.map((listener) => ({ ...listener, host: toEnteredHost(listener, client, config) }));
  return [...new Map(entered.map((listener) => [`${listener.host} ${listener.port}`, listener])).values()];
}

/** A listener on all addresses has no name. The one that this page was reached under works best. */
function toEnteredHost(
  { host }: Pick<Listener, "host">,
  client: Pick<Client, "host">,
  { smtpHostname }: Pick<Server["config"], "smtpHostname">,
): string {
  if (host !== "0.0.0.0" && host !== "::") return host;
  const asked = URL.parse(`http://${client.host}`)?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
  // The name becomes part of a command, so it must be a host name and nothing else.
  const named = hostKind.read(asked);
  if (named === undefined || isLoopback(named)) return "127.0.0.1";
  return smtpHostname ?? named;
}
