// What the audit log may show of each kind of object. Columns are listed one by one, so that a new one, such as a secret,
// isn't recorded by accident.

import type { Schema } from "../../database/schema.ts";

type Row = Readonly<Record<string, unknown>>;

export type AuditedObject = {
  readonly table: keyof Schema;
  /** The column with its ID. Default: id. */
  readonly key?: string;
  /** False: its table has no workspace. */
  readonly isScoped?: false;
  readonly columns: readonly string[];
  /** Columns with an address, of which only the host is recorded, because a login is often part of it. */
  readonly hosts?: readonly string[];
  /** Columns of which it is only recorded that they were set or changed. */
  readonly secrets?: readonly string[];
  readonly toName?: (row: Row) => unknown;
};

export const auditedObjects = {
  user: {
    table: "users",
    isScoped: false,
    columns: ["name", "email"],
    secrets: ["password_hash"],
    toName: ({ name }) => name,
  },
  session: { table: "sessions", isScoped: false, columns: ["user_id", "address", "agent", "created_at"] },
  factor: {
    table: "second_factors",
    isScoped: false,
    columns: ["name", "kind", "user_id"],
    secrets: ["secret"],
    toName: ({ name }) => name,
  },
  identity: {
    table: "identities",
    isScoped: false,
    columns: ["issuer", "email", "user_id"],
    toName: ({ issuer }) => issuer,
  },
  member: { table: "memberships", key: "user_id", columns: ["role"] },
  invitation: { table: "invitations", columns: ["email", "role", "expires_at"], toName: ({ email }) => email },
  workspace: {
    table: "workspaces",
    isScoped: false,
    columns: ["name", "plan", "sending_volume", "rehearsal", "requires_second_factor", "outgoing"],
    toName: ({ name }) => name,
  },
  token: {
    table: "api_tokens",
    columns: ["name", "created_by", "created_with", "scope", "label", "expires_at"],
    toName: ({ name }) => name,
  },
  share: { table: "shares", columns: ["test_id", "redact_body", "expires_at"], toName: ({ test_id }) => test_id },
  test: {
    table: "tests",
    columns: ["subject", "header_from", "label", "received_at"],
    toName: ({ subject }) => subject,
  },
  domain: { table: "domains", columns: ["domain", "dkim_selector"], toName: ({ domain }) => domain },
  problem: { table: "feedback_problems", columns: ["kind", "subject"], toName: ({ subject }) => subject },
  inbox: {
    table: "seed_inboxes",
    columns: ["local_part", "domain", "label", "active"],
    toName: ({ local_part, domain }) => `${local_part}@${domain}`,
  },
  alert: {
    table: "alerts",
    columns: ["label", "kind", "preset", "events", "threshold_score", "enabled", "digest", "quiet_hours"],
    hosts: ["url_shown"],
    secrets: ["url", "secret", "credentials"],
    toName: ({ label }) => label,
  },
  hook: {
    table: "incoming_hooks",
    columns: ["label", "provider", "purpose", "topic_arn", "domain"],
    secrets: ["key_hash", "signing_key", "password"],
    toName: ({ label }) => label,
  },
  relay: {
    table: "relays",
    columns: ["name", "mail_from", "return_path"],
    hosts: ["url_shown"],
    secrets: ["url"],
    toName: ({ name }) => name,
  },
  connection: {
    table: "integrations",
    columns: ["provider", "account", "seed_provider", "scopes", "server", "status"],
    secrets: ["secret"],
    toName: ({ provider, account }) => `${provider} ${account}`,
  },
  "signing-key": {
    table: "signing_keys",
    columns: ["domain", "selector", "algorithm"],
    toName: ({ domain, selector }) => `${selector}._domainkey.${domain}`,
  },
  monitor: { table: "monitors", columns: ["name", "kind", "relay_id", "terms", "enabled"], toName: ({ name }) => name },
  "stream-rule": { table: "stream_rules", columns: ["name", "sender", "label"], toName: ({ name }) => name },
  "kind-rule": { table: "kind_rules", columns: ["matches", "value", "kind"], toName: ({ value }) => value },
  unsubscribe: {
    table: "unsubscribes",
    columns: ["test_id", "method", "recipient", "list_id"],
    toName: ({ list_id, from_domain }) => list_id ?? from_domain,
  },
} as const satisfies Readonly<Record<string, AuditedObject>>;

export type AuditObjectKind = keyof typeof auditedObjects;

/** Times as people and programs read them. */
const timeColumn = /_at$/;

export type Shown = {
  readonly name: string | null;
  readonly values: Readonly<Record<string, unknown>>;
  /** Never leave this process: only compared. */
  readonly secrets: Readonly<Record<string, unknown>>;
};

export function showObject(object: AuditedObject, row: Row): Shown {
  const values = object.columns.map((column) => [column, toShownValue(column, row[column])]);
  const hosts = (object.hosts ?? []).map((column) => ["host", toHost(row[column])]);
  const secrets = (object.secrets ?? []).map((column) => [column, row[column]]);
  const name = object.toName?.(row) ?? null;
  return {
    name: name === null ? null : String(name),
    values: Object.fromEntries([...values, ...hosts]),
    secrets: Object.fromEntries(secrets),
  };
}

function toShownValue(column: string, value: unknown): unknown {
  if (!timeColumn.test(column) || typeof value !== "number") return value ?? null;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? value : time.toISOString();
}

/** The address itself for mail. */
function toHost(url: unknown): string | null {
  const parsed = URL.parse(String(url ?? ""));
  if (parsed === null) return null;
  return parsed.protocol === "mailto:" ? decodeURIComponent(parsed.pathname) : parsed.host;
}
