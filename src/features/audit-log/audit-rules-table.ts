// What the audit log records of each route: its action and object. A route without an action says why. Every route that
// changes something is in this table (test/laws/audit.test.ts).

import type { AuditObjectKind } from "../../platform/audit/rows/objects-table.ts";
import type { AuditAction } from "../../platform/audit/rules/actions.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { testFilters } from "../tests/contract/test-filters.ts";

export type AuditRule = {
  readonly action: AuditAction;
  readonly object?: AuditObjectKind;
  /** The parameter of the path with its ID. Default: id. */
  readonly param?: string;
  /** Fields of the body or the query that are recorded. None of them may be secret. */
  readonly keep?: readonly string[];
  /** Default: the workspace's log for a route of a workspace. */
  readonly log?: "server" | "both" | "person";
  /** A change of these tables is what is recorded. Default: the object's table. */
  readonly tables?: readonly (keyof Schema)[];
  /** Who acts, if the route is public. */
  readonly by?: "cookie" | "new session" | "provider";
  /** Without such a change, or without a description of it, nothing happened. */
  readonly isOnly?: "change" | "described";
  /** Counts wrong passwords, for the account in this field of the body. Null: the caller's. */
  readonly failuresOf?: string | null;
};

type Unrecorded = { readonly why: string } & Pick<AuditRule, "failuresOf">;

const readsOnly: Unrecorded = { why: "It computes an answer and changes nothing." };
const sendsOnly: Unrecorded = { why: "It sends something that the workspace already set up. The result is stored." };
const byStranger: Unrecorded = { why: "A stranger with a link or a provider calls it, and nothing is set up by it." };

export const auditRules: Readonly<Record<string, AuditRule | Unrecorded>> = {
  "POST /api/auth/setup": { action: "setup.complete", object: "user", log: "person", by: "new session" },
  "POST /api/auth/link": { why: "It only checks a link." },
  "POST /api/auth/login": {
    action: "login.success",
    tables: ["sessions"],
    log: "person",
    by: "new session",
    // A login that waits for a second factor isn't described.
    failuresOf: "email",
    isOnly: "described",
  },
  "POST /api/auth/second-factor": {
    action: "login.success",
    tables: ["sessions"],
    log: "person",
    by: "new session",
    isOnly: "described",
  },
  "POST /api/auth/second-factor/options": { why: "It changes only the challenge of a login in progress." },
  "POST /api/auth/second-factors": { why: "Nothing is in use until it is confirmed." },
  "POST /api/auth/second-factors/:id/confirm": { action: "second-factor.add", object: "factor", log: "person" },
  "POST /api/auth/second-factors/:id/remove": {
    action: "second-factor.remove",
    object: "factor",
    log: "person",
    failuresOf: null,
  },
  "POST /api/auth/recovery-codes": {
    action: "second-factor.codes",
    tables: ["recovery_codes"],
    log: "person",
    failuresOf: null,
  },
  // Connecting an account comes back here, too.
  "GET /api/oidc/:issuer/callback": {
    action: "login.success",
    tables: ["sessions", "identities"],
    log: "person",
    by: "new session",
    isOnly: "described",
  },
  "POST /api/auth/oidc/link": { action: "identity.connect", object: "identity", log: "person", isOnly: "change" },
  "POST /api/auth/oidc/logout": {
    action: "login.end",
    tables: ["sessions"],
    log: "person",
    by: "cookie",
    isOnly: "change",
  },
  "POST /api/oidc/:issuer/logout": { why: "The sessions that it ends are recorded where they are found." },
  "DELETE /api/identities/:id": { action: "identity.disconnect", object: "identity", log: "person" },
  "POST /api/identities": { why: "It returns the path of a login. Connecting is finished there.", failuresOf: null },
  "POST /api/auth/logout": { action: "login.end", tables: ["sessions"], log: "person", by: "cookie", isOnly: "change" },
  "POST /api/auth/password": {
    action: "password.change",
    object: "user",
    tables: ["users"],
    log: "person",
    failuresOf: null,
  },
  "POST /api/auth/invite/accept": { action: "invitation.accept", object: "member", log: "person", by: "new session" },
  "POST /api/auth/reset": { action: "password.reset", tables: ["users"], log: "person", by: "new session" },
  "POST /api/auth/reset/request": {
    why: "The email is sent after the response. That is recorded if there is such an account.",
  },
  "DELETE /api/sessions/:id": { action: "session.revoke", object: "session", log: "person" },
  "POST /api/workspaces": { action: "workspace.create", object: "workspace", log: "both" },
  "PATCH /api/workspaces/:id": { action: "workspace.change", object: "workspace", log: "both" },
  "DELETE /api/workspaces/:id": { action: "workspace.delete", object: "workspace", log: "both" },
  "POST /api/members": { action: "invitation.create", object: "invitation", keep: ["sendEmail"] },
  "PATCH /api/members/:id": { action: "member.change", object: "member" },
  "DELETE /api/members/:id": { action: "member.remove", object: "member" },
  "POST /api/billing/checkout": { action: "plan.checkout", keep: ["plan"], tables: [] },
  "POST /api/billing/portal": { action: "plan.portal", tables: [] },
  "POST /api/billing/webhook": {
    action: "plan.change",
    object: "workspace",
    log: "both",
    by: "provider",
    isOnly: "described",
  },
  "POST /api/tokens": { action: "token.create", object: "token" },
  "DELETE /api/tokens/:id": { action: "token.revoke", object: "token" },
  "POST /api/seed-inboxes": { action: "inbox.create", object: "inbox" },
  "PATCH /api/seed-inboxes/:id": { action: "inbox.change", object: "inbox" },
  "DELETE /api/seed-inboxes/:id": { action: "inbox.delete", object: "inbox" },
  "GET /api/tests/export.csv": { action: "export.tests", keep: ["limit", ...Object.keys(testFilters)], tables: [] },
  "GET /api/tests/:id/raw": { action: "export.message", object: "test", tables: [] },
  "GET /api/tests/:id/attachments/:part": { action: "export.attachment", object: "test", keep: ["part"], tables: [] },
  "GET /api/bounces/:id/raw": { action: "export.message", tables: [] },
  "GET /api/reports/:id/raw": { action: "export.message", tables: [] },
  "GET /api/auto-replies/:id/raw": { action: "export.message", tables: [] },
  "GET /api/tests/:id/report.html": { action: "export.report", object: "test", keep: ["redact"], tables: [] },
  "GET /api/tests/:id/report.json": { action: "export.report", object: "test", keep: ["redact"], tables: [] },
  "GET /api/audit/export": { action: "export.audit", tables: [] },
  "DELETE /api/tests/:id": { action: "test.delete", object: "test" },
  "POST /api/tests/delete": {
    action: "test.bulk-delete",
    keep: ["ids", "search", "expected", "undoable"],
    tables: ["tests", "removals"],
    isOnly: "change",
  },
  "POST /api/tests/restore": { action: "test.restore", keep: ["undo"], tables: ["removals"], isOnly: "change" },
  "POST /api/tests/upload": { why: "It adds a test like mail does, and the test says that it was uploaded." },
  "POST /api/tests/send-test": sendsOnly,
  "POST /api/laboratory": sendsOnly,
  "DELETE /api/laboratory": { action: "sample.delete", tables: ["tests"], isOnly: "change" },
  "POST /api/tests/:id/reanalyze": {
    action: "test.reanalyze",
    object: "test",
    keep: ["dns", "kind"],
    tables: ["reports"],
  },
  "POST /api/tests/:id/what-if": readsOnly,
  "POST /api/tests/:id/unsubscribe": {
    action: "test.unsubscribe",
    object: "unsubscribe",
    param: "",
    keep: ["method", "again"],
  },
  "POST /api/stream-rules": { action: "stream-rule.create", object: "stream-rule" },
  "DELETE /api/stream-rules/:id": { action: "stream-rule.delete", object: "stream-rule" },
  "POST /api/relays": { action: "relay.create", object: "relay" },
  "PATCH /api/relays/:id": { action: "relay.change", object: "relay" },
  "DELETE /api/relays/:id": { action: "relay.delete", object: "relay" },
  "POST /api/relays/:id/test": sendsOnly,
  "POST /api/monitors/canaries": { action: "monitor.create", object: "monitor" },
  "PATCH /api/monitors/canaries/:id": { action: "monitor.change", object: "monitor" },
  "POST /api/monitors/canaries/:id/run": { action: "monitor.run", object: "monitor" },
  "DELETE /api/monitors/:id": { action: "monitor.delete", object: "monitor" },
  "POST /api/monitors/expected": { action: "monitor.create", object: "monitor" },
  "PATCH /api/monitors/expected/:id": { action: "monitor.change", object: "monitor" },
  "POST /api/monitors/expected/preview": readsOnly,
  "POST /api/domains": { action: "domain.create", object: "domain" },
  "PATCH /api/domains/:id": { action: "domain.change", object: "domain" },
  "DELETE /api/domains/:id": { action: "domain.delete", object: "domain" },
  "POST /api/domains/:id/recheck": { why: "It reads DNS earlier than the next hourly check would." },
  "POST /api/domains/:id/what-if": readsOnly,
  "POST /api/domains/:id/policy-coach/sources": {
    action: "domain.source",
    object: "domain",
    keep: ["key", "isNotMine"],
    tables: ["feedback_problems"],
  },
  "POST /api/feedback-problems/:id/acknowledge": { action: "problem.acknowledge", object: "problem" },
  "POST /api/alerts": { action: "alert.create", object: "alert" },
  "PATCH /api/alerts/:id": { action: "alert.change", object: "alert" },
  "DELETE /api/alerts/:id": { action: "alert.delete", object: "alert" },
  "POST /api/alerts/:id/rotate-secret": { action: "alert.rotate-secret", object: "alert" },
  "POST /api/alerts/:id/test": sendsOnly,
  "POST /api/alerts/:id/confirmation": sendsOnly,
  "POST /api/alerts/:id/deliveries/:deliveryId/retry": sendsOnly,
  "POST /api/signing-keys": { action: "signing-key.create", object: "signing-key" },
  "DELETE /api/signing-keys/:id": { action: "signing-key.delete", object: "signing-key" },
  "GET /api/integrations/:provider/callback": {
    action: "connection.create",
    object: "connection",
    param: "",
    by: "cookie",
    isOnly: "change",
  },
  "POST /api/integrations/:provider/undo/:undo": {
    action: "connection.delete",
    object: "connection",
    param: "",
    isOnly: "change",
  },
  "POST /api/integrations/imap": { action: "connection.create", object: "connection" },
  "PATCH /api/integrations/:id": { action: "connection.change", object: "connection" },
  "DELETE /api/integrations/:id": { action: "connection.delete", object: "connection" },
  "POST /api/incoming-hooks": { action: "hook.create", object: "hook" },
  "PATCH /api/incoming-hooks/:id": { action: "hook.change", object: "hook" },
  "DELETE /api/incoming-hooks/:id": { action: "hook.delete", object: "hook" },
  "PATCH /api/server-settings/:name": { action: "setting.change", param: "name", log: "server", tables: ["meta"] },
  // A zone may contain a key, so it isn't recorded from the path.
  "PUT /api/blocklists/:zone": { action: "blocklist.add", param: "", log: "server", tables: ["meta"] },
  "DELETE /api/blocklists/:zone": { action: "blocklist.remove", param: "", log: "server", tables: ["meta"] },
  "POST /api/blocklists/:zone/test": readsOnly,
  "POST /api/tests/:id/shares": { action: "share.create", object: "share", param: "" },
  "DELETE /api/shares/:id": { action: "share.revoke", object: "share" },
  "POST /api/kind-rules": { action: "kind-rule.create", object: "kind-rule" },
  "DELETE /api/kind-rules/:id": { action: "kind-rule.delete", object: "kind-rule" },
  "POST /alert-email/confirm/:token": byStranger,
  "POST /alert-email/unsubscribe/:token": byStranger,
  "POST /hooks/:key": byStranger,
  "POST /hooks/:key/mime": byStranger,
  "POST /unsubscribe": byStranger,
  "POST /mcp": { why: "Its tools call other routes, which are recorded with the token." },
};
