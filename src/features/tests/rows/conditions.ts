// What a filter says about one row, as SQL. Which of the conditions leads a walk is decided in walks.ts.

import { type RawBuilder, sql } from "kysely";
import type { Kind } from "../../../analyzer/checks/kind.ts";
import type { DoorKind } from "../../../analyzer/mail/session/doors.ts";
import { toMessageIdKey } from "../../../analyzer/mail/text/bounds.ts";
import { isPostgres } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { searchOf } from "../../../platform/database/search/search.ts";
import type { TestStatus, TestsTable } from "../tables.ts";
import { needsSender } from "./contributions.ts";
import { isThroughDoor } from "./doors.ts";
import { isPendingRemoval } from "./removal.ts";

export type TestFilter = {
  /** Folded words (search-words.ts). The subject or the sender contains all of them. */
  readonly words?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly messageId?: string | undefined;
  readonly status?: TestStatus | undefined;
  readonly fromDomain?: string | undefined;
  readonly minScore?: number | undefined;
  readonly maxScore?: number | undefined;
  /** IDs from this one on, and before that one. They begin with the time (ids.ts). */
  readonly from?: string | undefined;
  readonly before?: string | undefined;
  /** Further conditions, all of which must be true. */
  readonly terms?: readonly TestTerm[] | undefined;
};

/**
 * `isNot`: everything that the same term without it doesn't find, so also tests whose value is unknown. `value` null:
 * unknown.
 */
export type TestTerm = { readonly isNot: boolean } & (
  | { readonly field: "words"; readonly words: readonly string[] }
  | { readonly field: "label" | "from_domain"; readonly value: string }
  | { readonly field: "status"; readonly value: TestStatus }
  | { readonly field: "spf" | "dkim" | "dmarc"; readonly value: string | null }
  | { readonly field: "kind"; readonly value: Kind | null }
  | { readonly field: "malware"; readonly value: TestsTable["malware"] }
  | { readonly field: "placement"; readonly value: "inbox" | "spam" | "promotions" | null }
  | { readonly field: "has"; readonly value: "attachment" | "label" | "score" }
  | { readonly field: "door"; readonly value: DoorKind }
  | { readonly field: "needs"; readonly value: "you" }
  /** In lower case. */
  | { readonly field: "to"; readonly value: string }
  | { readonly field: "score"; readonly least: number; readonly most: number }
  | { readonly field: "received"; readonly from: string | null; readonly before: string | null }
  /** It is being deleted, but this can still be undone. */
  | { readonly field: "removal" }
);

export function isFiltered(filter: TestFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

type ConditionColumn =
  | "message_id"
  | "label"
  | "from_domain"
  | "status"
  | "composite"
  | "kind"
  | "spf"
  | "dkim"
  | "dmarc"
  | "recipients"
  | "door"
  | "attachments"
  | "malware"
  | "inbox_rate"
  | "spam_rate"
  | "promo_rate";

export type Condition = {
  /** That it reads. */
  readonly columns: readonly ConditionColumn[];
  /** About a row named `walked`. */
  readonly is: RawBuilder<boolean>;
  /** An index covers it. */
  readonly leads: boolean;
};

/** In the order in which they lead. Nearly all tests are analyzed, so these are found on the way. */
export function toConditions(
  db: Db,
  { messageId, label, fromDomain, status, minScore, maxScore, terms = [] }: TestFilter,
): Condition[] {
  const conditions: Condition[] = [];
  if (messageId !== undefined) {
    const is = sql<boolean>`message_id = ${toMessageIdKey(messageId)}`;
    conditions.push({ columns: ["message_id"], is, leads: true });
  }
  if (label !== undefined) conditions.push({ columns: ["label"], is: sql`label = ${label}`, leads: true });
  if (fromDomain !== undefined)
    conditions.push({ columns: ["from_domain"], is: sql`from_domain = ${fromDomain}`, leads: true });
  if (status !== undefined)
    // Not bound, because the indexes of some statuses are recognized by this literal.
    conditions.push({ columns: ["status"], is: sql`status = ${sql.lit(status)}`, leads: status !== "analyzed" });
  if (minScore !== undefined)
    conditions.push({ columns: ["composite"], is: sql`composite >= ${minScore}`, leads: false });
  if (maxScore !== undefined)
    conditions.push({ columns: ["composite"], is: sql`composite <= ${maxScore}`, leads: false });
  return [...conditions, ...terms.map((term) => toCondition(db, term))];
}

function toCondition(db: Db, term: TestTerm): Condition {
  const { columns, is } = toPart(db, term);
  return { columns, is: term.isNot ? sql`(${is}) is not true` : is, leads: false };
}

function toPart(db: Db, term: TestTerm): Pick<Condition, "columns" | "is"> {
  switch (term.field) {
    case "words": {
      const { holds } = searchOf(db);
      const all = allOf(term.words.map(holds));
      // Tests that are not analyzed have no words.
      return { columns: [], is: sql`(select 1 from test_words where test_words.test_id = walked.id and ${all}) = 1` };
    }
    case "removal":
      return { columns: [], is: isPendingRemoval("walked.id") };
    case "needs":
      return { columns: [], is: needsSender };
    case "placement":
      return toPlacement(term.value);
    case "has":
      return hasTable[term.value];
    case "door":
      return { columns: ["recipients", "door"], is: isThroughDoor(db, term.value) };
    case "to":
      return { columns: ["recipients"], is: toReceiver(db, term.value) };
    case "score":
      return { columns: ["composite"], is: sql`composite between ${term.least} and ${term.most}` };
    case "received":
      return {
        columns: [],
        is: allOf([
          ...(term.from === null ? [] : [sql<boolean>`walked.id >= ${term.from}`]),
          ...(term.before === null ? [] : [sql<boolean>`walked.id < ${term.before}`]),
        ]),
      };
    default: {
      const { field, value } = term;
      const column = sql.ref(field);
      return { columns: [field], is: value === null ? sql`${column} is null` : sql`${column} = ${value}` };
    }
  }
}

/**
 * One of the addresses contains it. The list is compared as JSON text, because PostgreSQL refuses to read JSON with some
 * characters. In JSON, a bare quote is never part of an address, and neither is a line break.
 */
function toReceiver(db: Db, value: string): RawBuilder<boolean> {
  const find = isPostgres(db) ? sql`strpos` : sql`instr`;
  const addresses = sql`substr(recipients, 2, length(recipients) - 2)`;
  const apart = sql`replace(${addresses}, ${'","'}, ${'"\n"'})`;
  return sql`${find}(lower(${apart}), ${JSON.stringify(value).slice(1, -1)}) > 0`;
}

const hasTable: Readonly<Record<"attachment" | "label" | "score", Pick<Condition, "columns" | "is">>> = {
  attachment: { columns: ["attachments"], is: sql`attachments > 0` },
  label: { columns: ["label"], is: sql`label is not null` },
  score: { columns: ["composite"], is: sql`composite is not null` },
};

/** Where most providers put it. If two folders have the same share, both find it. Null: no share is known. */
function toPlacement(folder: "inbox" | "spam" | "promotions" | null): Pick<Condition, "columns" | "is"> {
  const columns = ["inbox_rate", "spam_rate", "promo_rate"] as const;
  if (folder === null) return { columns, is: sql`coalesce(inbox_rate + spam_rate + promo_rate, 0) = 0` };
  const own = folder === "promotions" ? "promo_rate" : (`${folder}_rate` as const);
  const others = columns.filter((column) => column !== own);
  return {
    columns,
    is: allOf([
      sql<boolean>`${sql.ref(own)} > 0`,
      ...others.map((other) => sql<boolean>`${sql.ref(own)} >= ${sql.ref(other)}`),
    ]),
  };
}

export function allOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}
