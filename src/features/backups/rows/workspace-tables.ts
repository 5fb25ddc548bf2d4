// Which rows belong to a workspace that is moved to another server, in the order in which they can be inserted. Every
// table that has rows of workspaces is either here or left out with a reason (test/features/backups/rows/workspace-tables.test.ts).

export type WorkspaceTable = {
  readonly name: string;
  /** Its rows belong to rows of another table instead of the workspace. */
  readonly via?: { readonly column: string; readonly parent: string };
  /** Which of its rows move. All unless given. */
  readonly where?: string;
  /** Its key, which other rows point to. `id` unless given. */
  readonly key?: string;
  /** Columns that must point to a row of the same file. */
  readonly owned?: Readonly<Record<string, string>>;
  /** Columns that may. What isn't in the file is not kept. */
  readonly loose?: Readonly<Record<string, string>>;
  /** Columns that get another value on arrival, because they belong to the server that is left. */
  readonly reset?: Readonly<Record<string, null>>;
  /** Maintained by triggers, which count again while rows are inserted. So the rows of the file replace them. */
  readonly isSum?: true;
};

const unclaimed = { claimed_by: null, claimed_until: null };
const ofTest = { test_id: "tests" };
const ofDomain = { domain_id: "domains" };

export const workspaceTables: readonly WorkspaceTable[] = [
  { name: "seed_inboxes" },
  { name: "stream_rules" },
  { name: "streams", loose: { rule_id: "stream_rules" }, reset: unclaimed },
  { name: "kind_rules" },
  { name: "domains", reset: unclaimed },
  { name: "domain_watches", key: "domain_id", owned: ofDomain },
  { name: "domain_reports", key: "domain_id", owned: ofDomain },
  { name: "domain_changes", owned: ofDomain },
  { name: "domain_feedback", key: "domain_id", owned: ofDomain },
  { name: "feedback_problems", owned: ofDomain },
  { name: "seen_senders" },
  { name: "alert_addresses", reset: { link_hash: null, link_expires_at: null } },
  { name: "alerts", loose: { address_id: "alert_addresses" } },
  { name: "relays" },
  { name: "incoming_hooks" },
  { name: "hook_events", via: { column: "hook_id", parent: "incoming_hooks" }, owned: { hook_id: "incoming_hooks" } },
  { name: "integrations", loose: { alert_id: "alerts" }, reset: unclaimed },
  { name: "mailbox_folders", owned: { integration_id: "integrations" } },
  { name: "mailbox_messages", owned: { integration_id: "integrations" } },
  { name: "placement_shifts" },
  { name: "signing_keys" },
  { name: "monitors", owned: { relay_id: "relays" }, reset: unclaimed },
  { name: "sends", loose: { monitor_id: "monitors" } },
  { name: "tests", loose: { seed_inbox_id: "seed_inboxes", send_id: "sends", stream_id: "streams" }, reset: unclaimed },
  {
    name: "raw_messages",
    key: "test_id",
    via: { column: "test_id", parent: "tests" },
    owned: ofTest,
    reset: { stored_in: null, object_key: null, object_hash: null, object_bytes: null },
  },
  { name: "reports", via: { column: "test_id", parent: "tests" }, owned: ofTest },
  { name: "test_words", via: { column: "test_id", parent: "tests" }, owned: ofTest },
  { name: "test_marks", owned: ofTest },
  { name: "dns_retries", key: "test_id", owned: ofTest },
  { name: "test_examinations", owned: ofTest, reset: { ...unclaimed, due_at: null } },
  { name: "contributions", key: "test_id", owned: ofTest },
  {
    name: "bounces",
    owned: { test_id: "tests", related_test_id: "tests", hook_id: "incoming_hooks" },
    loose: { send_id: "sends" },
  },
  { name: "mail_reports", owned: ofTest },
  {
    name: "report_sources",
    via: { column: "report_id", parent: "mail_reports" },
    owned: { report_id: "mail_reports" },
  },
  { name: "tls_policies", owned: { report_id: "mail_reports" } },
  { name: "tls_failures", via: { column: "report_id", parent: "mail_reports" }, owned: { report_id: "mail_reports" } },
  { name: "feedback_notices", owned: { bounce_id: "bounces" } },
  { name: "feedback_volumes" },
  { name: "observations", owned: ofTest },
  { name: "rehearsals", key: "test_id", owned: ofTest },
  { name: "rehearsal_attempts", owned: { rehearsal_id: "rehearsals" }, loose: ofTest },
  { name: "unsubscribes", owned: ofTest },
  // One that a token created ends with it, and tokens are left out.
  { name: "shares", owned: ofTest, where: "created_with is null", reset: { created_with: null } },
  { name: "removals", owned: ofTest },
  { name: "monitor_runs", owned: { monitor_id: "monitors" }, loose: { test_id: "tests", send_id: "sends" } },
  { name: "released_addresses" },
  { name: "test_counts", isSum: true },
  { name: "rollup_changes", isSum: true },
  { name: "rollup_numbers", isSum: true },
  { name: "rollup_details", isSum: true },
];

/** With the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  memberships: "members are named by their email addresses, because the other server has its own accounts",
  invitations: "their links name the server that is left",
  workspace_origins: "counts workspaces for the plans of one server",
  granted_memberships: "a role that an organization's login gave belongs to that server's login",
  audit_log: "its entries are chained by their hashes on the server where things happened",
  audit_heads: "belongs to the audit log",
  audit_failures: "belongs to the audit log",
  api_tokens: "a token is bound to the account that made it, on that server",
  billing_accounts: "a customer of the payment provider belongs to one server",
  alert_events: "both servers would deliver them",
  deliveries: "both servers would deliver them",
  oauth_states: "a consent that is in progress ends at the server where it began",
  token_refreshes: "lasts for seconds",
  domain_rechecks: "counts the requests of the last hour",
  waiting_sightings: "wait for mail that arrives at the server that is left",
  waiting_keys: "belong to waiting sightings",
};

/** Assigned by the database. */
export const assignedColumns: Readonly<Record<string, readonly string[]>> = {
  rollup_changes: ["number"],
  test_counts: ["id"],
  test_words: ["row", "workspace_id"],
};
