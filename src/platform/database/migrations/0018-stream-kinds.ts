import type { Migration } from "./migration.ts";

/** A stream of unlabeled mail, by the table's name or alias. */
const isUnlabeled = (streams: string) => `${streams}.rule_id is null and ${streams}.label is null`;

/** Those that another version of Assay made since have a kind already. */
const kindOf = (test: string, stream: string) =>
  `(select ${test}.kind from tests ${test} where ${test}.stream_id = ${stream}.id and ${test}.kind is not null order by ${test}.id desc limit 1)`;

/**
 * Unlabeled mail of one domain was one stream, although a newsletter and a receipt have different scores. Each kind of mail
 * becomes a stream with its own tests. The stream keeps its ID for the kind of its newest test. What is usual is worked out
 * again from the tests when it is needed (features/streams/work/streams.ts).
 */
export const streamKinds: Migration = {
  name: "0018-stream-kinds",
  reads: { table: "tests", microseconds: { sqlite: 6, postgres: 10 } },
  statements: ({ text }) => [
    `alter table streams add column kind ${text}`,
    `update streams set kind = ${kindOf("newest", "streams")} where ${isUnlabeled("streams")}`,
    // An ID of the same length and time. Its last character is one that the stream's own doesn't have.
    `insert into streams (id, workspace_id, match_key, from_domain, kind, created_at, last_at, last_test_id, attempts)
      select substr(old.id, 1, length(old.id) - 1) || case
          when substr(old.id, length(old.id)) in ('0', '1', '2', '3')
          then case tests.kind when 'bulk' then '4' when 'transactional' then '5' when 'personal' then '6' else '7' end
          else case tests.kind when 'bulk' then '0' when 'transactional' then '1' when 'personal' then '2' else '3' end
        end,
        old.workspace_id, tests.kind || ':' || old.from_domain, old.from_domain, tests.kind,
        min(tests.received_at), max(tests.received_at), max(tests.id), 0
      from streams old join tests on tests.stream_id = old.id
      where ${isUnlabeled("old")} and old.kind is not null and tests.kind is not null and tests.kind <> old.kind
      group by old.id, old.workspace_id, old.from_domain, tests.kind`,
    `update streams set state = null, usual_score = null, moved_test_id = null, moved_at = null, move = null,
        due_at = null, claimed_by = null, claimed_until = null
      where ${isUnlabeled("streams")} and kind is not null and exists (
        select 1 from streams other
        where other.workspace_id = streams.workspace_id and other.from_domain = streams.from_domain
          and ${isUnlabeled("other")} and other.id <> streams.id)`,
    `update tests set stream_id = (
        select other.id from streams old join streams other
          on other.workspace_id = old.workspace_id and other.match_key = tests.kind || ':' || old.from_domain
        where old.id = tests.stream_id)
      where stream_id is not null and kind is not null and exists (
        select 1 from streams old join streams other
          on other.workspace_id = old.workspace_id and other.match_key = tests.kind || ':' || old.from_domain
        where old.id = tests.stream_id and ${isUnlabeled("old")} and old.kind <> tests.kind)`,
    `update streams set match_key = kind || ':' || from_domain where ${isUnlabeled("streams")} and kind is not null`,
  ],
};
