// The tables of public tests: rows of Schema.

declare module "../../platform/database/schema.ts" {
  interface Schema {
    public_tests: PublicTestsTable;
    public_counts: PublicCountsTable;
  }
}

/** An address that a visitor was given. Nothing here says who the visitor was. */
export type PublicTestsTable = {
  /** A hash of the secret in the link of its page. */
  id: string;
  /** The first part of the address, in lower case. */
  local_part: string;
  created_at: number;
  /** Until then, the address takes one message. */
  takes_until: number;
  /** When the page and its report are deleted. */
  ends_at: number;
  /** Null until the message arrives. Both are deleted together. */
  test_id: string | null;
  /** The size of the message. */
  bytes: number;
};

type PublicCountsTable = {
  /** The first millisecond of the day, in UTC. */
  day: number;
  what: string;
  number: number;
};
