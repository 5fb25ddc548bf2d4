// A workspace whose mail of thirty days is known: well, except at one provider, and with days without any.

import type { FindingId } from "../../src/analyzer/checks/check.ts";
import type { Folder } from "../../src/analyzer/placement/provider.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { createDashboardWorld } from "../features/dashboard/work/dashboard-world.ts";
import { aBounce, notice } from "../http/arrivals.ts";
import { addReader, soon, type WebWorld } from "./web-world.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Days before today. */
const silent = [24, 23, 17, 10, 3];

const subjects = ["The autumn walking list", "Reset your password", "Your order has left", "Invoice 20418"];

const folders = {
  gmail: "inbox",
  outlook: "inbox",
  yahoo: "inbox",
  icloud: "inbox",
  generic: "inbox",
} satisfies Record<string, Folder>;

type Told = Partial<Record<keyof typeof folders, Folder>>;

const usualCosts: Readonly<Record<FindingId, number>> = { "dkim-present.missing": 6, "spf-end.no-verdict": 1 };

/** One for all readers of a store: its ids come of its own counting. */
const mails = new WeakMap<Store, ReturnType<typeof createDashboardWorld>>();

/** Three a day: Gmail has one under Promotions, and in the last week Outlook.com has two in spam. */
function aMonthUntil(now: number) {
  const days = Array.from({ length: 30 }, (_, index) => 29 - index).filter((ago) => !silent.includes(ago));
  return days.flatMap((ago) => {
    const isLate = ago < 7;
    const late: Told = isLate ? { outlook: "spam" } : {};
    const elsewhere: Told = ago % 4 === 0 ? { generic: "spam" } : {};
    return [{ gmail: "promotions" } satisfies Told, { ...late, ...elsewhere }, late].map((told: Told, count) => ({
      told,
      at: now - ago * dayMs - count * hourMs,
      composite: 86 + ((ago * 7 + count * 5) % 11) - 5,
      subject: subjects[(ago + count) % subjects.length] ?? "",
      isSeen: isLate && count === 1,
    }));
  });
}

export async function openDashboard(world: WebWorld) {
  const { store, clock } = world;
  clock.nowMs = Date.parse("2026-11-21T12:00:00.000Z");
  const reader = await addReader(world);
  const { workspaceId } = reader;
  const mail = mails.get(store) ?? createDashboardWorld(store);
  mails.set(store, mail);

  const keep = async (at: number, composite: number, told: Told, subject: string) => {
    const id = await mail.receive(workspaceId, at);
    const costs = told.outlook === "spam" ? { ...usualCosts, "link-names.nameless": 2 } : usualCosts;
    await mail.finish(await mail.claim(id), { composite, folders: { ...folders, ...told }, costs });
    const headers = { subject, header_from: `"Ann" <ann@news.harbourpine.example>`, coverage: 0.95 };
    await store.write((db) => db.updateTable("tests").set(headers).where("id", "=", id).execute());
    return id;
  };

  return {
    ...reader,
    keep,
    fillMonth: async () => {
      for (const { at, composite, told, subject, isSeen } of aMonthUntil(clock.nowMs)) {
        const id = await keep(at, composite, told, subject);
        if (isSeen) await mail.see(workspaceId, id, "outlook", "spam");
      }
    },
    bounce: async () => {
      await world.receiveNoTest(workspaceId, { recognised: aBounce });
      clock.nowMs += 1_000;
      await world.receiveNoTest(workspaceId, { recognised: aBounce });
      clock.nowMs += 1_000;
      const complaint = { ...notice, reportingMta: "feedback.yahoo.example", feedbackType: "abuse" };
      await world.receiveNoTest(workspaceId, { recognised: { kind: "complaint", notice: complaint } });
    },
    monitor: async (
      domain: string,
      columns: Partial<Record<"spf" | "dkim" | "dmarc" | "bimi", string>> & { last_drift_at?: number } = {},
    ) => {
      const { token } = await world.issueToken(workspaceId);
      const asked = { token, workspace: workspaceId, body: { domain } };
      const { json } = await world.ask("POST", "/api/domains", asked);
      const words = { spf: "pass", dkim: "pass", dmarc: "pass", bimi: "missing", ...columns };
      await store.write((db) =>
        db
          .updateTable("domains")
          .set(words as never)
          .where("id", "=", json.id)
          .execute(),
      );
      return json.id as string;
    },
    open: async (look = {}) => {
      const page = await world.openPage(reader.cookie, look);
      await page.goto(`${world.base}/`);
      await soon(() => page.locator("h1").count()).toBe(1);
      return page;
    },
  };
}
