import type { Words } from "../migration.ts";
import { claimColumns } from "./claim-columns.ts";

export function installationTables(words: Words): string[] {
  const { text, integer, strict } = words;
  return [
    `create table meta (
      key ${text} primary key not null,
      value ${text} not null
    ) ${strict}`,
    `create table chores (
      id ${text} primary key not null,
      ${claimColumns(words)},
      last_started_at ${integer},
      last_finished_at ${integer},
      last_error ${text}
    ) ${strict}`,
  ];
}
