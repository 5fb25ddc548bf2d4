// The tables of payments: rows of Schema.

declare module "../../platform/database/schema.ts" {
  interface Schema {
    billing_accounts: BillingAccountsTable;
    billing_events: BillingEventsTable;
  }
}

/** What the payment provider knows about a workspace. */
export type BillingAccountsTable = {
  workspace_id: string;
  customer_id: string;
  subscription_id: string | null;
  /** The provider's own word. */
  status: string | null;
  /** 1: it ends at the period's end, and nothing more is charged. */
  ends: number;
  /** The time of the newest processed event, because events arrive in any order. */
  event_at: number;
};

/** Processed events of the payment provider: it repeats an event until it is answered, and anyone may send it again. */
type BillingEventsTable = { id: string; obeyed_at: number };
