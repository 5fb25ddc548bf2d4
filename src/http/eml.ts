import { previewTest, readAttachment, readEml } from "../api/eml.ts";
import { answerDownload, toHarmlessType } from "./download.ts";
import { type Route, route } from "./route.ts";

export const emlRoutes: readonly Route[] = [
  route(readEml, ({ workspaceId, params: { id } }, { viewer }) => viewer.eml({ workspaceId, testId: id })),

  route(readAttachment, async ({ workspaceId, params: { id, part } }, { viewer }) => {
    const { name, type, content } = await viewer.part({ workspaceId, testId: id }, part);
    return answerDownload({ name, type: toHarmlessType(type), content });
  }),

  route(previewTest, async ({ workspaceId, params: { id }, query }, { viewer }) => {
    const images = query.images === "1";
    const document = await viewer.preview({ workspaceId, testId: id }, images);
    return new Response(document, {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": previewPolicy(images),
        "cache-control": "no-store",
      },
    });
  }),
];

/** A stranger's page in our own frame: no script, no form, no origin, and nothing loaded but what was asked for. */
function previewPolicy(images: boolean): string {
  const sources = images ? "data: https:" : "data:";
  return `sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src ${sources}; form-action 'none'; frame-ancestors 'self'`;
}
