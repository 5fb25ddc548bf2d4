import type { Words } from "../migration.ts";

/** The problems of a domain that reports, bounces and complaints show. */
export function feedbackTables({ text, integer, strict, clustered }: Words): string[] {
  return [
    `create table domain_feedback (
      domain_id ${text} primary key not null references domains (id) on delete cascade,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      domain ${text} not null,
      registrable_domain ${text} not null,
      due_at ${integer} not null,
      evaluated_at ${integer},
      first_day ${integer},
      summary ${text}
    ) ${strict}`,
    "create index domain_feedback_due on domain_feedback (due_at, domain_id)",
    "create index domain_feedback_of_domain on domain_feedback (workspace_id, registrable_domain)",
    `create table feedback_notices (
      bounce_id ${text} not null references bounces (id) on delete cascade,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      registrable_domain ${text} not null,
      domain ${text} not null,
      day ${integer} not null,
      kind ${text} not null,
      class ${text} not null,
      reporter ${text} not null,
      authenticated ${integer} not null,
      count ${integer} not null,
      primary key (bounce_id, class)
    ) ${strict}${clustered}`,
    "create index feedback_notices_of_domain on feedback_notices (workspace_id, registrable_domain, day)",
    `create table feedback_problems (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      domain_id ${text} not null references domains (id) on delete cascade,
      kind ${text} not null,
      subject ${text} not null,
      level ${integer} not null,
      opened_at ${integer} not null,
      updated_at ${integer} not null,
      resolved_at ${integer},
      resolution ${text},
      acknowledged_at ${integer},
      evidence ${text} not null,
      reports ${text} not null
    ) ${strict}`,
    "create unique index feedback_problems_open on feedback_problems (domain_id, kind, subject) where resolved_at is null",
    "create index feedback_problems_newest on feedback_problems (workspace_id, id)",
    "create index feedback_problems_of_domain on feedback_problems (domain_id, id)",
    "create index feedback_problems_unresolved on feedback_problems (workspace_id, id) where resolved_at is null",
  ];
}
