// Sees which tables a write changes, and what it inserts.

import type { KyselyPlugin, OperationNode, RootOperationNode } from "kysely";
import type { Schema } from "../../database/schema.ts";

type Values = Readonly<Record<string, unknown>>;

export type Watch = {
  readonly plugin: KyselyPlugin;
  /** Whether one of the expected tables was changed. */
  readonly isTouched: () => boolean;
  /** The first row that was inserted into the table. */
  readonly inserted: (table: keyof Schema) => Values | undefined;
};

export function createWatch(expected: readonly (keyof Schema)[]): Watch {
  const tables: readonly string[] = expected;
  const inserted = new Map<string, Values>();
  const waiting = new WeakSet<object>();
  let isTouched = false;
  return {
    plugin: {
      transformQuery: ({ node, queryId }) => {
        const table = changedTable(node);
        if (table !== undefined && tables.includes(table)) waiting.add(queryId);
        if (table !== undefined && node.kind === "InsertQueryNode" && !inserted.has(table))
          inserted.set(table, readFirstRow(node));
        return node;
      },
      // A deletion of what doesn't exist changes nothing.
      transformResult: async ({ result, queryId }) => {
        const hasChanged = (result.numAffectedRows ?? 0n) > 0n || result.rows.length > 0;
        isTouched ||= hasChanged && waiting.has(queryId);
        return result;
      },
    },
    isTouched: () => isTouched,
    inserted: (table) => inserted.get(table),
  };
}

function changedTable(node: RootOperationNode): string | undefined {
  if (node.kind === "InsertQueryNode") return nameOf(node.into);
  if (node.kind === "UpdateQueryNode") return nameOf(node.table);
  return node.kind === "DeleteQueryNode" ? nameOf(node.from.froms[0]) : undefined;
}

function nameOf(node: OperationNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  if ("node" in node) return nameOf(node.node as OperationNode);
  if (!("table" in node)) return undefined;
  return (node as unknown as { table: { identifier: { name: string } } }).table.identifier.name;
}

function readFirstRow({ columns = [], values }: Extract<RootOperationNode, { kind: "InsertQueryNode" }>): Values {
  const [row] = values?.kind === "ValuesNode" ? (values as unknown as ValueLists).values : [];
  return Object.fromEntries(
    columns.map(({ column }, index) => {
      const value = row?.values[index];
      return [column.name, isValueNode(value) ? value.value : value];
    }),
  );
}

type ValueLists = { readonly values: readonly { readonly values: readonly unknown[] }[] };

function isValueNode(value: unknown): value is { readonly value: unknown } {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "ValueNode";
}
