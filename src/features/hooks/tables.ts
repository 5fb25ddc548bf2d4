// Webhooks that providers call: rows of Schema.

import type { HookPurpose } from "./rules/hook.ts";
import type { HookProvider } from "./rules/providers.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    incoming_hooks: IncomingHooksTable;
    hook_events: HookEventsTable;
  }
}

export type IncomingHooksTable = {
  id: string;
  workspace_id: string;
  provider: HookProvider;
  purpose: HookPurpose;
  label: string;
  /** SHA-256 of the secret in its URL, in hex. */
  key_hash: string;
  /** Sealed. What the provider signs with, or the public key of it. */
  signing_key: string | null;
  /** Sealed. Expected in the Authorization header (RFC 7617). */
  password: string | null;
  /** The only SNS topic that may publish here. */
  topic_arn: string | null;
  /** Events that name no sending domain count for this one. */
  domain: string | null;
  created_at: number;
  last_received_at: number | null;
  /** Events and messages that were taken. */
  received: number;
  /** Those that had been taken before. */
  repeated: number;
  /** Requests that were refused. */
  refused: number;
  last_problem: string | null;
  last_problem_at: number | null;
};

/** What was taken lately, so that nothing counts twice. */
type HookEventsTable = {
  hook_id: string;
  /** A hash of the provider's ID. */
  event_key: string;
  seen_at: number;
};
