/** SQL words that differ between the two databases. */
export type Words = {
  /** For statements that only one of them has: triggers, search indexes. */
  readonly dialect: "sqlite" | "postgres";
  /** Compared byte by byte on both, because a locale of PostgreSQL would order identifiers differently. */
  readonly text: string;
  /** 64 bits: PostgreSQL's own `integer` has 32. */
  readonly integer: string;
  readonly real: string;
  readonly bytes: string;
  /** Ends a table definition. SQLite then checks the types of what it stores, as PostgreSQL does. */
  readonly strict: string;
  /**
   * Ends the definition of a table whose rows are stored in key order, which on SQLite means one tree less to write.
   */
  readonly clustered: string;
  /** An auto-incrementing key. */
  readonly counter: string;
  /** Runs for each changed row, whatever changed it, including cascades. */
  readonly trigger: (trigger: Trigger) => readonly string[];
};

type Trigger = {
  readonly name: string;
  /** As in "delete on tests". */
  readonly after: string;
  readonly when?: string;
  /** Statements, which may use the rows `old` and `new`. */
  readonly does: string;
};

/** One step forward, applied completely or not at all. Never edit one that was released; fix it with the next one. */
export type Migration = {
  readonly name: string;
  readonly statements: (words: Words) => readonly string[];
  /**
   * The table whose rows it reads or writes, if it takes longer the more there are, and the time for each: twice what was
   * measured on two cores. For the estimate that is shown before an upgrade (upgrade.ts).
   */
  readonly reads?: { readonly table: string; readonly microseconds: Readonly<Record<Words["dialect"], number>> };
};

export const words: Readonly<Record<"sqlite" | "postgres", Words>> = {
  sqlite: {
    dialect: "sqlite",
    text: "text",
    integer: "integer",
    real: "real",
    bytes: "blob",
    strict: "strict",
    clustered: ", without rowid",
    counter: "integer primary key",
    trigger: ({ name, after, when, does }) => [
      `create trigger ${name} after ${after} for each row${when ? ` when ${when}` : ""} begin ${does}; end`,
    ],
  },
  postgres: {
    dialect: "postgres",
    text: 'text collate "C"',
    integer: "bigint",
    real: "double precision",
    bytes: "bytea",
    strict: "",
    clustered: "",
    counter: "bigint generated always as identity primary key",
    trigger: ({ name, after, when, does }) => [
      `create function ${name}() returns trigger language plpgsql as $$ begin ${does}; return null; end $$`,
      `create trigger ${name} after ${after} for each row${when ? ` when (${when})` : ""} execute function ${name}()`,
    ],
  },
};
