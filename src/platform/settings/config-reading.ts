// Turns the environment and a settings file into a Config, or into a list of everything that is wrong with them.

import { whyRefusedZone } from "../../analyzer/dns/dnsbl.ts";
import { findClosest } from "../closest-word.ts";
import { type Config, type Setting, settings } from "./config.ts";
import { whyRemoved } from "./removed-settings.ts";

/** Together one sentence, without its full stop: "ASSAY_HTTP_PORT" "takes a port". */
export type Problem = { readonly name: string; readonly problem: string };
type ConfigReading =
  | {
      readonly ok: true;
      readonly config: Config;
      /** Names of the settings that are set. They win over what was changed in the app. */
      readonly given: readonly string[];
      readonly warnings: readonly Problem[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export type SettingSource = Readonly<Record<string, string | undefined>>;

/** The environment wins over the file. An empty value counts as not set. */
export function readConfig(environment: SettingSource, file: SettingSource = {}): ConfigReading {
  const problems: Problem[] = [];
  const config: Record<string, unknown> = {};
  const source = (name: string) => environment[name]?.trim() || file[name]?.trim() || undefined;
  for (const [key, entry] of Object.entries(settings)) config[key] = readSetting(entry, source, problems);
  problems.push(...contradictions(config as Config));
  problems.push(...removedNames({ ...environment, ...file }));
  problems.push(...unknownNames(file, "is not a setting"));
  if (problems.length > 0) return { ok: false, problems };
  const ignored = unknownNames(environment, "is not a setting and is ignored");
  const warnings = [...ignored, ...halves(config as Config)];
  const given = Object.values(settings)
    .flatMap((entry) => settingNames(entry))
    .filter(source);
  return { ok: true, config: config as Config, given, warnings };
}

/** Reads `NAME=value` lines. Lines that begin with `#` are comments; quotes around a value are removed. */
export function parseSettingsFile(content: string): { source: SettingSource; problems: readonly Problem[] } {
  const source: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const match = /^(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(\S.*)?$/.exec(line.trim());
    if (match?.[1]) source[match[1]] = (match[2] ?? "").replace(/^(["'])(.*)\1$/, "$2");
    else problems.push({ name: `line ${index + 1}`, problem: "is not written as NAME=value" });
  }
  return { source, problems };
}

/** The environment variables of a setting: one, or one for each member of a family. */
export function settingNames(entry: Setting<unknown>): readonly string[] {
  return entry.members?.map((member) => memberName(entry.name, member)) ?? [entry.name];
}

function readSetting(
  entry: Setting<unknown>,
  source: (name: string) => string | undefined,
  problems: Problem[],
): unknown {
  const readOne = (name: string): unknown => {
    const value = source(name);
    if (value === undefined) return undefined;
    const reading = entry.kind.read(value);
    if (reading === undefined) problems.push({ name, problem: `must be ${entry.kind.takes}${toGiven(entry, value)}` });
    return reading;
  };
  if (!entry.members) return readOne(entry.name) ?? entry.fallback;
  const members = entry.members.map((member) => [member, readOne(memberName(entry.name, member))] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function contradictions(config: Config): Problem[] {
  const pairs = [
    ["ASSAY_HTTP_TLS_CERT", config.httpTlsCert, "ASSAY_HTTP_TLS_KEY", config.httpTlsKey],
    ["ASSAY_SMTP_TLS_CERT", config.smtpTlsCert, "ASSAY_SMTP_TLS_KEY", config.smtpTlsKey],
  ] as const;
  const problems: Problem[] = [];
  for (const [certName, cert, keyName, key] of pairs) {
    if ((cert === null) !== (key === null))
      problems.push({
        name: cert === null ? certName : keyName,
        problem: `is required when ${cert === null ? keyName : certName} is set`,
      });
  }
  if (config.databaseUrl && !config.secretKey) {
    problems.push({
      name: "ASSAY_SECRET_KEY",
      problem: "is required when ASSAY_DATABASE_URL is set, because all processes must use the same key",
    });
  }
  if (config.login === "oidc" && config.oidc === null)
    problems.push({ name: "ASSAY_OIDC", problem: "is required when ASSAY_LOGIN is oidc" });
  problems.push(...s3Problems(config));
  for (const why of config.dnsbls.flatMap((zone) => whyRefusedZone(zone) ?? []))
    problems.push({ name: "ASSAY_DNSBLS", problem: `contains a zone that cannot be used: ${why}` });
  return problems;
}

function s3Problems({ messages, backupTo, s3 }: Config): Problem[] {
  const name = "ASSAY_S3_URL";
  if (messages === "s3" && s3?.bucket == null)
    return [{ name, problem: `must ${s3 === null ? "be set" : "have a bucket"} when ASSAY_MESSAGES is s3` }];
  const isForBackups = backupTo !== null && "bucket" in backupTo;
  return isForBackups && s3 === null ? [{ name, problem: "must be set when ASSAY_BACKUP_TO names a bucket" }] : [];
}

/** Settings that do only half of their work without another one. */
function halves({ stripeSecretKey, stripeWebhookSecret, oidc, baseUrl }: Config): Problem[] {
  const stripe = "is set without ASSAY_STRIPE_WEBHOOK_SECRET, so customers who pay do not get their plan";
  const login =
    "is set without ASSAY_BASE_URL, so people can only log in under the address that the server prints when it starts";
  return [
    ...(stripeSecretKey !== null && stripeWebhookSecret === null
      ? [{ name: "ASSAY_STRIPE_SECRET_KEY", problem: stripe }]
      : []),
    ...(oidc !== null && baseUrl === null ? [{ name: "ASSAY_OIDC", problem: login }] : []),
  ];
}

function removedNames(source: SettingSource): Problem[] {
  return Object.entries(source).flatMap(([name, value]) => {
    const problem = value?.trim() ? whyRemoved(name) : undefined;
    return problem === undefined ? [] : [{ name, problem }];
  });
}

function unknownNames(source: SettingSource, problem: string): Problem[] {
  const known = Object.values(settings).flatMap((entry) => settingNames(entry));
  const isKnown = (name: string) =>
    known.includes(name) || clientNames.includes(name) || whyRemoved(name) !== undefined;
  const unknown = Object.keys(source).filter((name) => name.startsWith(prefix) && !isKnown(name));
  return unknown.map((name) => {
    const meant = findClosest(withoutPrefix(name), known.map(withoutPrefix));
    return { name, problem: meant === undefined ? problem : `is not a setting. Did you mean ${prefix}${meant}?` };
  });
}

const prefix = "ASSAY_";
/** Read by commands that are clients of a server. */
const clientNames: readonly string[] = ["ASSAY_URL", "ASSAY_TOKEN"];

/** All names share it, so it says nothing about which one was meant. */
function withoutPrefix(name: string): string {
  return name.slice(prefix.length);
}

/** A wrong value is shown shortened and without control characters. Secrets are never shown. */
function toGiven(entry: Setting<unknown>, value: string): string {
  if (entry.secret || entry.kind.toShown || mayHideSecret(value)) return "";
  return `, not ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
}

/** A URL with a password or a query. It would be in the log of a start that fails. */
function mayHideSecret(value: string): boolean {
  const colon = value.indexOf(":");
  return colon >= 0 && /[@?#]/.test(value.slice(colon));
}

function memberName(name: string, member: string): string {
  return name.replace(/<\w+>/, member.toUpperCase());
}
