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
  },
  postgres: {
    dialect: "postgres",
    text: 'text collate "C"',
    integer: "bigint",
    real: "double precision",
    bytes: "bytea",
    strict: "",
    clustered: "",
  },
};
