import type { Words } from "../migration.ts";

export function billingTables({ text, integer, strict }: Words): string[] {
  return [
    `create table billing_accounts (
      workspace_id ${text} primary key not null references workspaces (id) on delete cascade,
      customer_id ${text} not null,
      subscription_id ${text},
      status ${text},
      ends ${integer} not null,
      event_at ${integer} not null
    ) ${strict}`,
    "create index billing_accounts_of_subscription on billing_accounts (subscription_id)",
    `create table billing_events (
      id ${text} primary key not null,
      obeyed_at ${integer} not null
    ) ${strict}`,
  ];
}
