/** The words in which the two databases differ. */
export type Words = {
  /** For what one of them says in words of its own: triggers, indexes of search. */
  readonly dialect: "sqlite" | "postgres";
  /** Compared byte by byte on both: a locale of PostgreSQL would order identifiers otherwise. */
  readonly text: string;
  /** 64 bits: PostgreSQL's own `integer` has 32. */
  readonly integer: string;
  readonly real: string;
  readonly bytes: string;
  /** Ends a table: SQLite then checks the types of what it stores, as PostgreSQL does. */
  readonly strict: string;
  /** Ends a table whose rows lie in the order of their key: on SQLite one tree less to write to. */
  readonly clustered: string;
  /** A key that counts up by itself. */
  readonly counter: string;
  /** What follows each row of a change, whoever makes it: a cascade too. */
  readonly trigger: (trigger: Trigger) => readonly string[];
};

type Trigger = {
  readonly name: string;
  /** As in "delete on tests". */
  readonly after: string;
  readonly when?: string;
  /** Statements, which may name the rows `old` and `new`. */
  readonly does: string;
};

/** One step forward, done wholly or not at all. Never edited once released: mend it with the next one. */
export type Migration = {
  readonly name: string;
  readonly statements: (words: Words) => readonly string[];
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
