import { isLoopback } from "../addresses.ts";
import { type Receiving, readReceiving } from "../api/receiving.ts";
import { toSnippets } from "../api/sending-snippets.ts";
import { host as hostKind } from "../setting-kinds.ts";
import { readSampleInbox, toInboxAddress } from "../store/sending/seed-inboxes.ts";
import { isReservedName } from "../tasks/doctor/exchangers.ts";
import type { Client } from "./client-address.ts";
import type { Dependencies } from "./dependencies.ts";
import { type Route, route } from "./route.ts";

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
  config: Pick<Dependencies["config"], "smtpHostname">,
): Listener[] {
  const entered = listeners.map((listener) => ({
    ...listener,
    host: toEnteredHost(listener, client, config),
  }));
  return [...new Map(entered.map((listener) => [`${listener.host} ${listener.port}`, listener])).values()];
}

/** A listener on all addresses has no name. The one that this page was reached under works best. */
function toEnteredHost(
  { host }: Pick<Listener, "host">,
  client: Pick<Client, "host">,
  { smtpHostname }: Pick<Dependencies["config"], "smtpHostname">,
): string {
  if (host !== "0.0.0.0" && host !== "::") return host;
  const asked = URL.parse(`http://${client.host}`)?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
  // The name becomes part of a command, so it must be a host name and nothing else.
  const named = hostKind.read(asked);
  if (named === undefined || isLoopback(named)) return "127.0.0.1";
  return smtpHostname ?? named;
}
