import { Refusal } from "../../../platform/errors.ts";
import { isLockedOut } from "../../../platform/http/same-origin.ts";
import { type Call, type Route, readsOnly, route, sendsOnly } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import {
  type ChangeableSetting,
  changeableSettings,
  type Setting,
  settings,
} from "../../../platform/settings/config.ts";
import { toShown, toValueText } from "../../../platform/settings/setting-kinds.ts";
import * as api from "../contract/server-settings.ts";
import { listBlocklists, turnOffBlocklist, turnOnBlocklist } from "../work/blocklists.ts";
import { requireFirst, toRow } from "./health.ts";

const scanners = [
  { key: "clamdAddress", product: "ClamAV" },
  { key: "rspamdUrl", product: "rspamd" },
  { key: "spamdAddress", product: "SpamAssassin" },
] as const;

export const serverSettingRoutes: readonly Route[] = [
  route(api.listServerSettings, async ({ store }, dependencies) => {
    await requireFirst(store.read);
    return {
      items: changeableSettings.map((key) => toSetting(key, dependencies)),
      scanners: scanners.map(({ key, product }) => ({
        name: settings[key].name,
        product,
        isOn: dependencies.config[key] !== null,
      })),
    };
  }),

  route(api.changeServerSetting, async (call, dependencies) => {
    const { store, params, body } = call;
    await requireFirst(store.read);
    const key = changeableSettings.find((each) => settings[each].name === params.name);
    if (key === undefined) throw new Refusal("not_found", "There is no such setting that can be changed here.");
    if (key === "baseUrl") requireReached(body.value, call);
    await dependencies.serverSettings.change(key, body.value);
    return toSetting(key, dependencies);
  }).recording({ action: "setting.change", param: "name", log: "server" }),

  route(api.testServerEmail, async ({ store, caller }, { accountMail }) => {
    await requireFirst(store.read);
    const { to, from, outcome } = await accountMail.sendTest(store, caller.userId);
    const { ok: delivered, reply } = outcome;
    return { delivered, to, from, reply, problem: outcome.ok ? null : outcome.problem };
  }).recording(sendsOnly),

  route(api.listBlocklists, async ({ store }, { config, serverSettings }) => {
    await requireFirst(store.read);
    return { source: serverSettings.sourceOf("dnsbls"), items: listBlocklists(config) };
  }),

  route(api.turnOnBlocklist, async ({ store, params: { zone }, body: { key } }, { serverSettings }) => {
    await requireFirst(store.read);
    await turnOnBlocklist(serverSettings, zone.toLowerCase(), key);
    return undefined;
  }).recording({ action: "blocklist.add", param: "zone", log: "server" }),

  route(api.turnOffBlocklist, async ({ store, params: { zone } }, { serverSettings }) => {
    await requireFirst(store.read);
    await turnOffBlocklist(serverSettings, zone.toLowerCase());
    return undefined;
  }).recording({ action: "blocklist.remove", param: "zone", log: "server" }),

  route(api.testBlocklist, async ({ store, params: { zone } }, { doctor }) => {
    await requireFirst(store.read);
    return toRow(await doctor.testBlocklist(zone.toLowerCase()));
  }).recording(readsOnly),
];

/** Other addresses are refused once it is set, so a typing error would lock everyone out. */
function requireReached(text: string | null, { client, provenance }: Pick<Call, "client" | "provenance">): void {
  const read = text?.trim() ? String(settings.baseUrl.kind.read(text.trim()) ?? "") : null;
  // The setting says what it takes.
  if (read === "") return;
  const refuse = (why: string) => new Refusal("invalid_url", why, { field: "value" });
  const named = read === null ? null : new URL(read);
  if (named && named.href !== `${named.origin}/`) throw refuse("Enter it without a user name and without a path.");
  if (named && named.hostname !== URL.parse(`http://${client.host}`)?.hostname)
    throw refuse(
      `This request was sent to ${client.host ?? "no host"}. Open Assay at ${named.origin}, and save the address there, which shows that it leads to this server.`,
    );
  if (isLockedOut(provenance, { baseUrl: read, isSecure: client.secure }))
    throw refuse(
      `Assay would no longer recognize its own pages at ${provenance.origin}, and no one could log in there. Keep that address. Or have the proxy send X-Forwarded-Proto and X-Forwarded-Host, and add it to ASSAY_TRUSTED_PROXIES.`,
    );
}

function toSetting(
  key: ChangeableSetting,
  { config, serverSettings }: Pick<Server, "config" | "serverSettings">,
): api.ServerSetting {
  const entry: Setting<unknown> = settings[key];
  const value = toShown(entry, config[key]);
  return {
    name: entry.name,
    description: entry.doc,
    takes: entry.kind.takes,
    value: value === null ? null : toValueText(value),
    default: entry.fallbackText,
    source: serverSettings.sourceOf(key),
  };
}
