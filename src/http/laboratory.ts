import { type PreparedMessage, readLaboratory, removeSamples, sendPrepared } from "../api/laboratory.ts";
import type { Severity } from "../checks/check.ts";
import { checks } from "../checks/list.ts";
import { preparedMessages } from "../laboratory/messages-table.ts";
import * as laboratory from "../tasks/sending/laboratory.ts";
import { type Route, route } from "./route.ts";
import { toSummary } from "./tests.ts";

const severityOf = new Map<string, Severity>(
  checks.flatMap((check) =>
    Object.entries(check.findings).map(([name, { severity }]) => [`${check.id}.${name}`, severity] as const),
  ),
);

export const laboratoryRoutes: readonly Route[] = [
  route(readLaboratory, async ({ store: { read } }) => {
    const newest = await laboratory.readSamples(read);
    return {
      items: preparedMessages.map(({ id, title, says, finding, ...prepared }): PreparedMessage => {
        const test = newest.get(id);
        const severity = finding === null ? null : (severityOf.get(finding) ?? null);
        const others = "others" in prepared ? prepared.others.length : 0;
        const issues = finding === null ? 0 : 1 + others;
        return { id, title, says, finding, severity, issues, test: test ? toSummary(test) : null };
      }),
    };
  }),

  route(sendPrepared, async ({ store, body }, dependencies) => ({
    sent: await dependencies.laboratory.send(store, body.ids),
  })),

  route(removeSamples, async ({ store }, { testFinder, events }) => {
    try {
      return { deleted: await laboratory.removeSamples(store, events.publish) };
    } finally {
      testFinder.forget(store.workspaceId);
    }
  }),
];
