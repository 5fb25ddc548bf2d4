import { Refusal } from "../../../platform/errors.ts";
import { type Route, readsOnly, route } from "../../../platform/route.ts";
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

  route(api.changeServerSetting, async ({ store, params: { name }, body }, dependencies) => {
    await requireFirst(store.read);
    const key = changeableSettings.find((each) => settings[each].name === name);
    if (key === undefined) throw new Refusal("not_found", "There is no such setting that can be changed here.");
    await dependencies.serverSettings.change(key, body.value);
    return toSetting(key, dependencies);
  }).recording({ action: "setting.change", param: "name", log: "server" }),

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
