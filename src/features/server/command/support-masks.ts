// What must not be in a support file. Three nets, because each alone has holes: the values of all secret settings, secrets
// that are known by their form (platform/system/log.ts), and email and public IP addresses. Of log lines, only fields that are known to
// be harmless are kept.

import { isPublicAddress, toPlainAddress } from "../../../analyzer/addresses.ts";
import { parseJsonObject } from "../../../analyzer/json.ts";
import { decodeEscapes } from "../../../analyzer/mail/urls/percent.ts";
import { toVisibleCut } from "../../../analyzer/visible-text.ts";
import { type Config, settings } from "../../../platform/settings/config.ts";
import { type SettingSource, settingNames } from "../../../platform/settings/config-reading.ts";
import { maskSecrets } from "../../../platform/system/log.ts";

/** A shorter one would also hide parts of other words. It is hidden where it is set, in any case. */
const shortestSecret = 6;
const clientSecrets = ["ASSAY_TOKEN"];

/** Longest first, so that no rest of one is left. */
export function listSecrets(
  sources: readonly SettingSource[],
  config: Config | null,
  keyText: string | null,
): readonly string[] {
  const valuesOf = (name: string) => sources.flatMap((source) => source[name]?.trim() ?? []);
  const all = Object.values(settings).flatMap((entry) =>
    settingNames(entry).flatMap((name) => {
      const values = valuesOf(name);
      return [...(entry.secret ? values : []), ...values.flatMap(credentialsIn)];
    }),
  );
  const lists = config?.dnsbls.filter(({ zone, asked }) => zone !== asked).map(({ asked }) => asked) ?? [];
  const found = [
    ...all,
    ...clientSecrets.flatMap(valuesOf),
    ...lists.flatMap((asked) => [asked, asked.split(".", 1)[0] ?? ""]),
    ...(keyText === null ? [] : [keyText.trim()]),
    // It may have been set in the app.
    ...credentialsIn(config?.sendSmtpUrl ?? ""),
    ...(config?.s3 ? [config.s3.accessKey, config.s3.secretKey] : []),
  ];
  return [...new Set(found.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))]
    .filter(({ length }) => length >= shortestSecret)
    .sort((one, other) => other.length - one.length);
}

/** The password of a URL, as written and decoded. */
function credentialsIn(value: string): string[] {
  const password = value.includes("://") ? (URL.parse(value)?.password ?? "") : "";
  return [password, decodeEscapes(password)];
}

const email = /(?:"[^"\n]{1,64}"|[^\s@"'<>()[\],;:=]{1,64})@[^\s@"'<>()[\],;:=/\\]{1,255}/g;
const ipv4 = /\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
const ipv6 = /[0-9a-f]{0,4}:[0-9a-f:]{2,36}(?:\.\d{1,3}){0,3}/gi;

/** For all of the file. */
export function createMask(secrets: readonly string[]): (text: string) => string {
  return (text) => {
    const without = secrets.reduce((rest, secret) => rest.replaceAll(secret, "(hidden)"), text);
    return maskSecrets(without).replace(email, "(address)");
  };
}

function maskAddresses(text: string): string {
  const mask = (address: string) =>
    toPlainAddress(address) !== undefined && isPublicAddress(address) ? "(address)" : address;
  return text.replace(ipv4, mask).replace(ipv6, mask);
}

const keptFields = new Set([
  "at",
  "level",
  "message",
  "error",
  "problem",
  "reason",
  "why",
  "stack",
  "what",
  "outcome",
  "during",
  "phase",
  "status",
  "state",
  "signal",
  "method",
  "route",
  "chore",
  "due",
  "migration",
  "of",
  "version",
  "tls",
  "from_version",
  "means",
  "check",
  "basis",
  "expected",
  "since",
  "dns",
  "place",
  "http",
  "smtp",
  "lmtp",
]);
const ownId = /^(?:[a-z]{3}_[0-9a-z]{26}(?: |$))+$/;
const longestLine = 2_000;

/** One line of the log. Anything that isn't ours, such as systemd's lines, is kept without addresses. */
export function maskLogLine(line: string): string {
  const entry = line.startsWith("{") ? parseJsonObject(line) : null;
  const text =
    entry === null
      ? maskPlainLine(line)
      : JSON.stringify(Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, keep(name, value)])));
  return maskAddresses(toVisibleCut(text, longestLine));
}

const pair = /\b(\w{1,60})=("(?:[^"\\]|\\.)*"|[^\s"]+)/g;
const numberLike = /^-?\d{1,16}(?:\.\d{1,6})?$|^(?:true|false|null)$/;
/** After #: links that finish setup, reset a password, or accept an invitation. */
const linkSecret = /#[\w-]{16,}/g;
const setUpCode = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/g;

/** Lines of systemd, and our own as a terminal shows them: `message name=value`. */
function maskPlainLine(line: string): string {
  const withoutFields = line.replace(pair, (whole: string, name: string, value: string) => {
    const bare = value.replaceAll('"', "");
    return keptFields.has(name) || numberLike.test(bare) || ownId.test(bare) ? whole : `${name}=(left out)`;
  });
  return withoutFields.replace(linkSecret, "#(hidden)").replace(setUpCode, "(hidden)");
}

function keep(name: string, value: unknown): unknown {
  const isText = typeof value === "string" || typeof value === "object";
  if (!isText || value === null || keptFields.has(name)) return value;
  return typeof value === "string" && ownId.test(value) ? value : "(left out)";
}
