import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import { requireFirst } from "../../server/routes/health.ts";
import { changePublicTests, type PublicTests, previewPublicPage, readPublicTests } from "../contract/operator.ts";
import { publicPage } from "../rules/page.ts";
import { answerVisitor } from "./visitor-page.ts";

/** Without the logo, which is long. */
const recordedFields = Object.keys(publicPage.shape).filter((field) => field !== "logo");

export const operatorRoutes: readonly Route[] = [
  route(readPublicTests, async ({ store }, server) => {
    await requireFirst(store.read);
    return await readAll(server);
  }),

  route(changePublicTests, async ({ store, body }, server) => {
    await requireFirst(store.read);
    await server.publicDoor.changePage(body);
    return await readAll(server);
  }).recording({ action: "setting.change", log: "server", keep: recordedFields }),

  route(previewPublicPage, async ({ store }, { publicDoor }) => {
    await requireFirst(store.read);
    return answerVisitor({ page: await publicDoor.readPage(), frame: "own", shows: { kind: "start" } });
  }),
];

async function readAll({ publicDoor, baseUrl }: Pick<Server, "publicDoor" | "baseUrl">): Promise<PublicTests> {
  const { page, taken, days, newest } = await publicDoor.readOverview();
  return {
    isOn: publicDoor.isOn(),
    url: `${baseUrl()}/test`,
    page,
    taken,
    isBusy: publicDoor.needsProof(),
    days: days.map(({ day, numbers }) => ({ day: toTimestamp(day), numbers })),
    newest: newest.map(({ received_at, composite, spf, dkim, dmarc, header_from, subject }) => ({
      receivedAt: toTimestamp(received_at),
      composite,
      spf,
      dkim,
      dmarc,
      from: page.showsContent ? header_from : null,
      subject: page.showsContent ? subject : null,
    })),
  };
}
