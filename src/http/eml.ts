import { previewTest, readAttachment, readEml } from "../api/eml.ts";
import type { Pictures } from "../tasks/view-message.ts";
import { answerDownload, toHarmlessType } from "./download.ts";
import { type Route, route } from "./route.ts";

export const emlRoutes: readonly Route[] = [
  route(readEml, ({ workspaceId, params: { id } }, { viewer }) => viewer.eml({ workspaceId, testId: id })),

  route(readAttachment, async ({ workspaceId, params: { id, part } }, { viewer }) => {
    const { name, type, content } = await viewer.part({ workspaceId, testId: id }, part);
    return answerDownload({ name, type: toHarmlessType(type), content });
  }),

  route(previewTest, async ({ workspaceId, params: { id }, query }, { viewer }) => {
    const pictures = picturesOf[query.images];
    const document = await viewer.preview({ workspaceId, testId: id }, pictures);
    return new Response(document, {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": previewPolicy(pictures),
        "cache-control": "no-store",
      },
    });
  }),
];

const picturesOf = { "0": "own", "1": "all", none: "none" } as const;
const sourcesOf: Readonly<Record<Pictures, string>> = { none: "'none'", own: "data:", all: "data: https:" };

/** A stranger's page in our own frame: no script, no form, no origin, and nothing loaded but what was asked for. */
function previewPolicy(pictures: Pictures): string {
  return `sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src ${sourcesOf[pictures]}; form-action 'none'; frame-ancestors 'self'`;
}
