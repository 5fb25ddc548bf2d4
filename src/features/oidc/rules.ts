// The OpenID Connect issuers whose people may log in, from the operator's file, and the roles that their claims give
// (src/decisions.md, "Log in with an organization").

import { isLoopback } from "../../analyzer/addresses.ts";
import { isJsonObject, type JsonObject, parseJson, unknownKeys } from "../../analyzer/json.ts";
import { readEmail } from "../../platform/contract/emails.ts";
import { type Role, roleAllows, roles } from "../../platform/contract/roles.ts";

export type RoleRule = {
  /** All of them must match. Empty: everyone at the issuer. */
  readonly when: Readonly<Record<string, string>>;
  readonly role: Role;
  /** ID or name. Null: the server's first workspace. */
  readonly workspace: string | null;
};

export type Issuer = {
  /** In our own paths, such as the callback. */
  readonly name: string;
  /** On the login button. */
  readonly label: string;
  /** As the operator wrote it. */
  readonly url: string;
  /** The URL in one form. An account belongs to it and a subject, whatever the issuer is called here. */
  readonly key: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly clientSecretFile: string | null;
  readonly scopes: readonly string[];
  /** Added to the authorization request. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly emailClaim: string;
  /** All of its email addresses count as verified. */
  readonly trustEmail: boolean;
  readonly roles: readonly RoleRule[];
};

type IssuersReading =
  | { readonly ok: true; readonly issuers: readonly Issuer[] }
  | { readonly ok: false; readonly problems: readonly string[] };

type Say = (problem: string) => void;

const keys = [
  "label",
  "issuer",
  "clientId",
  "clientSecret",
  "clientSecretFile",
  "scopes",
  "parameters",
  "emailClaim",
  "trustEmail",
  "roles",
];
const ruleKeys = ["when", "role", "workspace"];
const everyone = "everyone";
const mostIssuers = 20;
const mostRules = 500;
/** Assay sets them itself. */
const ownParameters = [
  "client_id",
  "client_secret",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "request",
  "request_uri",
];

/** Reports all problems of the file at once. */
export function parseIssuers(text: string): IssuersReading {
  const file = parseJson(text);
  if (!isJsonObject(file)) return { ok: false, problems: ["it is not a JSON object"] };
  const problems = unknownKeys(file, ["issuers"], "");
  if (!isJsonObject(file.issuers)) return { ok: false, problems: [...problems, '"issuers" is not an object'] };
  const entries = Object.entries(file.issuers);
  if (entries.length === 0) problems.push('"issuers" is empty');
  if (entries.length > mostIssuers) problems.push(`there are more than ${mostIssuers} issuers`);
  const issuers = entries.map(([name, entry]) => readIssuer(name, entry, problems));
  for (const [key, same] of Map.groupBy(issuers, (issuer) => issuer.key))
    if (same.length > 1 && key !== "")
      problems.push(`issuers ${same.map(({ name }) => `"${name}"`).join(" and ")} have the same "issuer"`);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, issuers };
}

function readIssuer(name: string, entry: unknown, problems: string[]): Issuer {
  const place = `issuer ${JSON.stringify(name.slice(0, 60))}: `;
  const say: Say = (problem) => problems.push(place + problem);
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
    say("an issuer's name must be 1 to 40 lowercase letters, digits, and hyphens");
  if (!isJsonObject(entry)) say("it is not an object");
  const given = isJsonObject(entry) ? entry : {};
  problems.push(...unknownKeys(given, keys, place));
  const { clientSecret = null, clientSecretFile = null } = given;
  if (clientSecret !== null && clientSecretFile !== null) say('set "clientSecret" or "clientSecretFile", not both');
  if (given.trustEmail !== undefined && typeof given.trustEmail !== "boolean")
    say('"trustEmail" must be true or false');
  const url = readUrl(given.issuer, say);
  return {
    name,
    url,
    key: toIssuerKey(url),
    label: readText(given, "label", 60, say, name) ?? name,
    clientId: readText(given, "clientId", 500, say) ?? "",
    clientSecret: readText(given, "clientSecret", 1_000, say, null),
    clientSecretFile: readText(given, "clientSecretFile", 1_000, say, null),
    scopes: readScopes(given.scopes, say),
    parameters: readParameters(given.parameters, say),
    emailClaim: readText(given, "emailClaim", 200, say, "email") ?? "email",
    trustEmail: given.trustEmail === true,
    roles: readRules(given.roles, say),
  };
}

/** Issuers aren't consistent about a slash at the end. Empty for what isn't a URL. */
export function toIssuerKey(url: string): string {
  return (URL.parse(url)?.href ?? "").replace(/\/$/, "");
}

function readUrl(value: unknown, say: Say): string {
  const url = typeof value === "string" && value.length <= 500 ? URL.parse(value) : null;
  const isTls = url?.protocol === "https:";
  const isLocal = url?.protocol === "http:" && isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
  if (url !== null && (isTls || isLocal) && url.search === "" && url.hash === "" && url.username === "")
    return value as string;
  say('"issuer" must be an https:// URL without a query (http:// works only on this machine)');
  return "";
}

function readScopes(value: unknown, say: Say): readonly string[] {
  const scopes = value === undefined ? ["openid", "email", "profile"] : value;
  const isList = Array.isArray(scopes) && scopes.length <= 50;
  if (isList && scopes.every((scope) => typeof scope === "string" && /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(scope)))
    return [...new Set(["openid", ...(scopes as string[])])];
  say('"scopes" must be a list of scopes like ["openid", "email", "profile"]');
  return [];
}

function readParameters(value: unknown, say: Say): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  if (!isTextRecord(value)) {
    say('"parameters" must be an object with texts, like { "access_type": "offline" }');
    return {};
  }
  for (const name of Object.keys(value)) if (ownParameters.includes(name)) say(`"parameters" cannot set "${name}"`);
  return value;
}

function readRules(value: unknown, say: Say): readonly RoleRule[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostRules) {
    say(`"roles" must be a list of 1 to ${mostRules} rules`);
    return [];
  }
  return value.map((rule, index) => readRule(rule, (problem) => say(`rule ${index + 1}: ${problem}`)));
}

function readRule(rule: unknown, say: Say): RoleRule {
  const given = isJsonObject(rule) ? rule : {};
  for (const problem of unknownKeys(given, ruleKeys, "")) say(problem);
  const { when } = given;
  const isWhen = when === everyone || (isTextRecord(when) && Object.keys(when).length > 0);
  if (!isWhen) say(`"when" must name claims and their values, like { "groups": "assay-admins" }, or be "${everyone}"`);
  const role = roles.find((known) => known === given.role);
  if (role === undefined) say(`"role" must be one of ${roles.join(", ")}`);
  return {
    when: isTextRecord(when) ? withPlainEmail(when) : {},
    role: role ?? "member",
    workspace: readText(given, "workspace", 200, say, null),
  };
}

/** Addresses are compared in the form in which accounts have them. */
function withPlainEmail(when: RoleRule["when"]): RoleRule["when"] {
  return when.email === undefined ? when : { ...when, email: readEmail(when.email) ?? when.email };
}

/** Without a fallback it is required. */
function readText(record: JsonObject, key: string, most: number, say: Say, fallback?: string | null): string | null {
  const value = record[key];
  if (value === undefined && fallback !== undefined) return fallback;
  if (typeof value === "string" && value.trim() !== "" && value.length <= most) return value;
  say(`"${key}" must have 1 to ${most} characters`);
  return null;
}

function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return (
    isJsonObject(value) &&
    Object.keys(value).length <= 50 &&
    Object.entries(value).every(([key, one]) => key !== "" && typeof one === "string" && one !== "")
  );
}

/** The roles that claims give, by the workspace as the rules name it. The highest role counts. */
export function rolesOfClaims(rules: readonly RoleRule[], claims: JsonObject): ReadonlyMap<string | null, Role> {
  const given = new Map<string | null, Role>();
  for (const { when, role, workspace } of rules) {
    if (!Object.entries(when).every(([name, value]) => hasValue(claimAt(claims, name), value))) continue;
    const earlier = given.get(workspace);
    if (earlier === undefined || roleAllows(role, earlier)) given.set(workspace, role);
  }
  return given;
}

/** Whether the claims say anything about what the rules ask for. */
export function hasRuleClaims(rules: readonly RoleRule[], claims: JsonObject): boolean {
  return rules.some(({ when }) => Object.keys(when).some((name) => claimAt(claims, name) !== undefined));
}

/** A name with dots is tried as it is first, because some issuers use URLs as names. Then it is a path. */
export function claimAt(claims: JsonObject, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split("."))
    value = isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}

function hasValue(claim: unknown, wanted: string): boolean {
  if (Array.isArray(claim)) return claim.some((one) => typeof one === "string" && one === wanted);
  return ["string", "number", "boolean"].includes(typeof claim) && String(claim) === wanted;
}
