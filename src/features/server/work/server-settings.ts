// Settings that an operator changes in the app while the server runs. The environment and the settings file win over
// them. They are written to the shared config, so everything that reads it sees a change at once; threads have copies
// and must be renewed.

import { freemailProviderOf } from "../../../analyzer/checks/freemail-table.ts";
import { whyRefusedZone } from "../../../analyzer/dns/dnsbl.ts";
import { hasPublicSuffix, isPublicSuffix } from "../../../analyzer/mail/headers/registrable-domain.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { lockName, readMeta, removeMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Store } from "../../../platform/database/store.ts";
import { messageOf, Refusal } from "../../../platform/errors.ts";
import {
  type ChangeableSetting,
  type Config,
  changeableSettings,
  type Setting,
  settings,
} from "../../../platform/settings/config.ts";
import { toShown, toValueText } from "../../../platform/settings/setting-kinds.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";

/** Names the derived key. */
export const settingSealing = "server settings";

/** `given`: set in the environment or the settings file. */
type SettingSource = "given" | "saved" | "default";

export type ServerSettings = {
  readonly sourceOf: (key: ChangeableSetting) => SettingSource;
  /** `text` as in the environment; null restores the default. */
  readonly change: (key: ChangeableSetting, text: string | null) => Promise<void>;
  /** Replaces the saved text by what `edit` makes of it. */
  readonly edit: (key: ChangeableSetting, edit: (text: string) => string) => Promise<void>;
  /** Reads what was saved, perhaps by another process. */
  readonly load: () => Promise<void>;
  readonly onChange: (listener: () => void) => void;
  /** `use` refuses a value that can't be used, or puts it into effect. Nothing is saved before. */
  readonly beforeChange: <Key extends ChangeableSetting>(
    key: Key,
    use: (value: Config[Key]) => Promise<Partly | undefined>,
  ) => void;
};

/** What of a value could be used, which is saved, and why not the rest, which the caller gets to know. */
type Partly = { readonly instead: unknown; readonly why: Refusal };
type Use = (value: unknown) => Promise<Partly | undefined>;

type ServerSettingsOptions = {
  readonly config: Config;
  /** Names of the settings that the environment or the settings file sets. */
  readonly given: readonly string[];
  readonly store: Pick<Store, "read" | "write">;
  readonly sealer: Sealer;
  readonly system: Pick<System, "log">;
};

export function createServerSettings(options: ServerSettingsOptions): ServerSettings {
  const { given, store, sealer, system } = options;
  const config: { -readonly [Key in keyof Config]: Config[Key] } = options.config;
  const free = changeableSettings.filter((key) => !given.includes(settings[key].name));
  const saved = new Map<ChangeableSetting, string>();
  const ignored = new Map<ChangeableSetting, string>();
  const listeners: (() => void)[] = [];
  const uses = new Map<ChangeableSetting, Use>();

  async function read(db: Db, key: ChangeableSetting): Promise<string | undefined> {
    const { name } = settings[key];
    const sealed = await readMeta(db, `setting:${name}`);
    return sealed === undefined ? undefined : sealer.open(sealed, name);
  }

  /** True if the value in effect changed. */
  function use(key: ChangeableSetting, text: string | undefined): boolean {
    if (saved.get(key) === text || (text !== undefined && ignored.get(key) === text)) return false;
    const entry: Setting<unknown> = settings[key];
    const value = text === undefined ? entry.fallback : readValue(key, text);
    if (value instanceof Refusal) {
      // Another version may know other values. One warning is enough.
      if (text !== undefined) ignored.set(key, text);
      system.log.warn("a saved setting is not valid and is ignored", { setting: entry.name });
      return false;
    }
    if (text === undefined) saved.delete(key);
    else saved.set(key, text);
    Object.assign(config, { [key]: value });
    return true;
  }

  function tell(): void {
    for (const listener of listeners) listener();
  }

  async function edit(key: ChangeableSetting, to: (text: string) => string | null): Promise<void> {
    const { name } = settings[key];
    if (!free.includes(key))
      throw new Refusal(
        "conflict",
        `${name} is set in the server's environment or settings file. Change it there, and restart Assay.`,
      );
    const text = await store.write(async (db) => {
      // Two processes that edit a list at the same time would each lose the other's change.
      await lockName(db, `setting ${name}`);
      const next = to((await read(db, key)) ?? "");
      if (next === null || next.trim() === "") {
        describeSetting(key, config[key], settings[key].fallback);
        await removeMeta(db, `setting:${name}`);
        return undefined;
      }
      const value = readValue(key, next);
      if (value instanceof Refusal) throw value;
      describeSetting(key, config[key], value);
      await writeMeta(db, `setting:${name}`, sealer.seal(next, name));
      return next;
    });
    if (use(key, text)) tell();
  }

  async function load(): Promise<void> {
    const texts = await Promise.all(free.map((key) => read(store.read, key)));
    const changed = free.map((key, index) => use(key, texts[index]));
    if (changed.includes(true)) tell();
  }

  async function change(key: ChangeableSetting, text: string | null): Promise<void> {
    // Clients may send back what they read, which lacks its secret.
    const entry: Setting<unknown> = settings[key];
    if (entry.kind.toShown && text === toValueText(toShown(entry, config[key])))
      return await edit(key, (saved) => saved);
    const use = free.includes(key) ? uses.get(key) : undefined;
    if (use === undefined) return await edit(key, () => text);
    const [before, value] = [config[key], text?.trim() ? readValue(key, text) : settings[key].fallback];
    if (value instanceof Refusal) throw value;
    const partly = await use(value);
    try {
      await edit(key, () => (partly ? toValueText(partly.instead) : text));
    } catch (error) {
      await use(before);
      throw error;
    }
    if (partly) throw partly.why;
  }

  // One after the other, or what was read before an edit would undo it here.
  let last: Promise<unknown> = Promise.resolve();
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work, work);
    last = done;
    return done;
  }

  return {
    sourceOf: (key) => (!free.includes(key) ? "given" : saved.has(key) ? "saved" : "default"),
    change: (key, text) => inOrder(() => change(key, text)),
    edit: (key, to) => inOrder(() => edit(key, to)),
    load: () => inOrder(load),
    onChange: (listener) => void listeners.push(listener),
    beforeChange: (key, use) => void uses.set(key, use as Use),
  };
}

/** Each address is a listener, and each domain is compared with each recipient. */
const mostEntries = 200;

function readValue(key: ChangeableSetting, text: string): unknown {
  const { kind }: Setting<unknown> = settings[key];
  const read = kind.read(text.trim());
  if (read === undefined) return new Refusal("invalid_request", `It must be ${kind.takes}.`, { field: "value" });
  // No port can be opened twice.
  const value = Array.isArray(read) ? [...new Map(read.map((one) => [toValueText(one), one])).values()] : read;
  const isLong = Array.isArray(value) && value.length > mostEntries;
  if (isLong) return new Refusal("invalid_request", `It can have at most ${mostEntries} entries.`, { field: "value" });
  const refused = Array.isArray(value) ? value.map((one) => whyRefused(key, one)).find((why) => why !== null) : null;
  return refused ? new Refusal("invalid_request", refused, { field: "value" }) : value;
}

/** Null if the entry can be used. */
function whyRefused(key: ChangeableSetting, entry: unknown): string | null {
  if (key === "dnsbls") {
    const why = whyRefusedZone(entry as Config["dnsbls"][number]);
    return why && `This list cannot be used: ${why}.`;
  }
  if (key !== "seedDomains") return null;
  const name = String(entry);
  const provider = freemailProviderOf(name);
  if (provider !== null) return `${name} is a mailbox domain of ${provider}. Enter your own domain.`;
  const isSuffix = hasPublicSuffix(name) && isPublicSuffix(name);
  return isSuffix ? `Domains of others end in ${name}. Enter your own domain.` : null;
}

/** Undefined: this version doesn't know the value. */
export function readSavedValue(key: ChangeableSetting, text: string): unknown {
  const value = readValue(key, text);
  return value instanceof Refusal ? undefined : value;
}

/** For the audit log, without passwords and the keys in zones. */
function describeSetting(key: ChangeableSetting, before: unknown, after: unknown): void {
  const entry: Setting<unknown> = settings[key];
  const show = (value: unknown) => ({ value: value === null ? null : toValueText(toShown(entry, value)) });
  const details = { before: show(before), after: show(after) };
  const [changed] = secretsIn(after).filter(([of, secret]) =>
    secretsIn(before).some(([other, old]) => other === of && old !== secret),
  );
  const isKey = key === "dnsbls";
  const isAll = isKey && details.before.value === details.after.value;
  recordChange({
    details: { ...details, ...(changed && { secrets: [isKey ? "key" : "password"] }) },
    ...(changed && isAll && { objectId: changed[0], instead: { action: "blocklist.key" } }),
  });
}

/** A mail server's password, or the key in each zone. */
function secretsIn(value: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(value)) return [["", URL.parse(String(value))?.password ?? ""]];
  return value.flatMap((one: Partial<Config["dnsbls"][number]>) => (one.asked ? [[String(one.zone), one.asked]] : []));
}

const reloadEveryMs = 15_000;

/** Reads regularly what other processes on the same database saved. Returns a function that stops this. */
export function followSavedSettings({ load }: ServerSettings, { log }: Pick<System, "log">): () => void {
  const timer = setInterval(() => {
    load().catch((error: unknown) => log.warn("settings not read", { problem: messageOf(error) }));
  }, reloadEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
