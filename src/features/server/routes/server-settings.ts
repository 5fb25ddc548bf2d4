import { Refusal } from "../../../platform/errors.ts";
import type { Client } from "../../../platform/http/client-address.ts";
import { type Route, readsOnly, route, sendsOnly } from "../../../platform/route.ts";
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

  route(api.changeServerSetting, async ({ store, client, params: { name }, body }, dependencies) => {
    await requireFirst(store.read);
    const key = changeableSettings.find((each) => settings[each].name === name);
    if (key === undefined) throw new Refusal("not_found", "There is no such setting that can be changed here.");
    if (key === "baseUrl" && body.value !== null) requireReached(body.value, client);
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
  }).recording({ action: "blocklist.add", log: "server" }),

  route(api.turnOffBlocklist, async ({ store, params: { zone } }, { serverSettings }) => {
    await requireFirst(store.read);
    await turnOffBlocklist(serverSettings, zone.toLowerCase());
    return undefined;
  }).recording({ action: "blocklist.remove", log: "server" }),

  route(api.testBlocklist, async ({ store, params: { zone } }, { doctor }) => {
    await requireFirst(store.read);
    return toRow(await doctor.testBlocklist(zone.toLowerCase()));
  }).recording(readsOnly),
];

/** Other addresses are refused once it is set, so a typing error would lock everyone out. */
function requireReached(text: string, { host }: Pick<Client, "host">): void {
  const named = URL.parse(String(settings.baseUrl.kind.read(text.trim()) ?? ""));
  // The setting says what it takes.
  if (named === null) return;
  const refuse = (why: string) => new Refusal("invalid_url", why, { field: "value" });
  if (named.href !== `${named.origin}/`) throw refuse("Enter it without a user name and without a path.");
  if (named.hostname === URL.parse(`http://${host}`)?.hostname) return;
  throw refuse(
    `This request was sent to ${host ?? "no host"}. Open Assay at ${named.origin}, and save the address there, which shows that it leads to this server.`,
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
