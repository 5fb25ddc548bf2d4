import type { Severity } from "../../analyzer/checks/check.ts";
import { checks } from "../../analyzer/checks/list.ts";
import { preparedMessages } from "../../analyzer/samples/messages-table.ts";
import { type Route, route, sendsOnly } from "../../platform/route.ts";
import { toSummary } from "../tests/routes/tests.ts";
import { type PreparedMessage, readLaboratory, removeSamples, sendPrepared } from "./contract.ts";
import * as laboratory from "./work.ts";

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
  })).recording(sendsOnly),

  route(removeSamples, async ({ store }, { testFinder, events }) => {
    try {
      return { deleted: await laboratory.removeSamples(store, events.publish) };
    } finally {
      testFinder.forget(store.workspaceId);
    }
  }).recording({ action: "sample.delete", effect: "maybe" }),
];
