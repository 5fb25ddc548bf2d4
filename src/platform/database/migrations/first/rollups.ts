import type { Words } from "../migration.ts";

/**
 * The dashboard's sums, so that it costs the same for any number of tests. Triggers record what is added and removed,
 * because a test is removed in many ways (deleted, pruned, failed, with its workspace) and a trigger can't be
 * forgotten. They append instead of adding up: a sum in the same transaction would be a row that all writers of a
 * workspace wait for, and a dozen more writes for each test. Readers add what is not summed yet
 * (features/dashboard/rows/rollups.ts).
 */
export function rollupTables({ text, integer, strict, clustered, counter, trigger }: Words): string[] {
  const note = (row: "old" | "new", sign: 1 | -1) =>
    `insert into rollup_changes (workspace_id, test_id, received_at, sign, contribution)
      values (${row}.workspace_id, ${row}.test_id, ${row}.received_at, ${sign}, ${row}.contribution)`;
  return [
    `create table contributions (
      test_id ${text} primary key not null references tests (id) on delete cascade,
      workspace_id ${text} not null,
      received_at ${integer} not null,
      contribution ${text} not null
    ) ${strict}${clustered}`,
    "create index contributions_by_time on contributions (workspace_id, received_at)",
    // No reference to its workspace, which may be the row being deleted.
    `create table rollup_changes (
      number ${counter},
      workspace_id ${text} not null,
      test_id ${text},
      received_at ${integer} not null,
      sign ${integer} not null,
      contribution ${text} not null
    ) ${strict}`,
    `create table rollup_numbers (
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      span_ms ${integer} not null,
      begins_at ${integer} not null,
      tests ${integer} not null,
      scored ${integer} not null,
      points ${integer} not null,
      placed ${integer} not null,
      inbox ${integer} not null,
      spam ${integer} not null,
      promotions ${integer} not null,
      bounces ${integer} not null,
      complaints ${integer} not null,
      primary key (workspace_id, span_ms, begins_at)
    ) ${strict}${clustered}`,
    `create table rollup_details (
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      span_ms ${integer} not null,
      begins_at ${integer} not null,
      details ${text} not null,
      primary key (workspace_id, span_ms, begins_at)
    ) ${strict}${clustered}`,
    ...trigger({ name: "contribution_came", after: "insert on contributions", does: note("new", 1) }),
    ...trigger({ name: "contribution_went", after: "delete on contributions", does: note("old", -1) }),
    ...trigger({
      name: "contribution_changed",
      after: "update on contributions",
      when: "old.contribution <> new.contribution",
      does: `${note("old", -1)};\n      ${note("new", 1)}`,
    }),
    ...trigger({
      name: "test_counts_no_longer",
      after: "update of status, became, sample on tests",
      when: "new.status = 'failed' or new.became <> 'test' or new.sample <> 0",
      does: "delete from contributions where test_id = new.id",
    }),
  ];
}

/** A bounce or complaint has no contribution. It counts by itself. */
export function bounceRollups({ trigger }: Words): string[] {
  const note = (row: "old" | "new", sign: 1 | -1) =>
    `insert into rollup_changes (workspace_id, received_at, sign, contribution)
      values (${row}.workspace_id, ${row}.received_at, ${sign}, '{"kind":"' || ${row}.kind || '"}')`;
  return [
    ...trigger({ name: "bounce_came", after: "insert on bounces", does: note("new", 1) }),
    ...trigger({ name: "bounce_went", after: "delete on bounces", does: note("old", -1) }),
  ];
}
