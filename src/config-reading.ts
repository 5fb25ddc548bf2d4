// The environment and a settings file → Config, or all that is wrong with them at once.

import { type Config, type Setting, settings } from "./config.ts";
import { whyRefusedZone } from "./dns/dnsbl.ts";

export type Problem = { readonly name: string; readonly problem: string };
type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export type SettingSource = Readonly<Record<string, string | undefined>>;

/** The environment wins over the file. An empty value counts as not set. */
export function readConfig(environment: SettingSource, file: SettingSource = {}): ConfigReading {
  const problems: Problem[] = [];
  const config: Record<string, unknown> = {};
  const source = (name: string) => environment[name]?.trim() || file[name]?.trim() || undefined;
  for (const [key, entry] of Object.entries(settings)) config[key] = readSetting(entry, source, problems);
  problems.push(...contradictions(config as Config));
  for (const name of unknownNames(file)) problems.push({ name, problem: "is no setting of Assay" });
  if (problems.length > 0) return { ok: false, problems };
  const ignored = unknownNames(environment).map((name) => ({
    name,
    problem: "is no setting of Assay and is ignored",
  }));
  const warnings = [...ignored, ...halves(config as Config)];
  return { ok: true, config: Object.freeze(config) as Config, warnings };
}

/** `NAME=value` lines; `#` begins a comment line; quotes around a value are taken off. */
export function parseSettingsFile(content: string): { source: SettingSource; problems: readonly Problem[] } {
  const source: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const match = /^(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(\S.*)?$/.exec(line.trim());
    if (match?.[1]) source[match[1]] = (match[2] ?? "").replace(/^(["'])(.*)\1$/, "$2");
    else problems.push({ name: `line ${index + 1}`, problem: "is not of the form NAME=value" });
  }
  return { source, problems };
}

/** Every concrete environment variable of a setting: one, or one a member of the family. */
function settingNames(entry: Setting<unknown>): readonly string[] {
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
    if (reading === undefined)
      problems.push({ name, problem: `takes ${entry.kind.takes}; it is ${shown(entry, value)}` });
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
        problem: `is needed beside ${cert === null ? keyName : certName}`,
      });
  }
  if (config.databaseUrl && !config.secretKey) {
    problems.push({
      name: "ASSAY_SECRET_KEY",
      problem: "is needed with ASSAY_DATABASE_URL, so that every process has the same",
    });
  }
  for (const why of config.dnsbls.flatMap((zone) => whyRefusedZone(zone) ?? []))
    problems.push({ name: "ASSAY_DNSBLS", problem: `holds a zone that cannot be asked: ${why}` });
  return problems;
}

/** What does half of its work. */
function halves({ stripeSecretKey, stripeWebhookSecret }: Config): Problem[] {
  const problem = "is set without ASSAY_STRIPE_WEBHOOK_SECRET: who pays does not get their plan";
  return stripeSecretKey !== null && stripeWebhookSecret === null
    ? [{ name: "ASSAY_STRIPE_SECRET_KEY", problem }]
    : [];
}

function unknownNames(source: SettingSource): string[] {
  const known = new Set(Object.values(settings).flatMap((entry) => settingNames(entry)));
  return Object.keys(source).filter((name) => name.startsWith("ASSAY_") && !known.has(name));
}

/** A wrong value is shown, cut and without control characters; a secret never is. */
function shown(entry: Setting<unknown>, value: string): string {
  return entry.secret || entry.kind.toShown
    ? "something else"
    : JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

function memberName(name: string, member: string): string {
  return name.replace(/<\w+>/, member.toUpperCase());
}
