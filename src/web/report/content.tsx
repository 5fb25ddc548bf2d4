// The content of the message. HTML is only shown in a sandboxed frame from its own URL. Everything else is shown as text.

import type { readEml } from "../../features/intake/contract/eml.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import type { AnswerOf } from "../../platform/contract/endpoint.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { toList, toPlural } from "../client/words.ts";
import { Tabs } from "../parts/navigation.tsx";
import { ErrorNote, Skeleton } from "../parts/states.tsx";
import { ClientSupport } from "./client-support.tsx";
import { InboxRows } from "./inbox-rows.tsx";
import { toImages, toLinkCount, toTabs } from "./inventory.tsx";
import { Preview } from "./preview.tsx";
import { Readability } from "./readability.tsx";
import { SizeGauge } from "./size-gauge.tsx";

export type Eml = AnswerOf<typeof readEml>;

export function ContentSection({ test }: { readonly test: TestReport }) {
  const { loaded, reload } = useLoaded(test.id, (signal) =>
    call("GET /api/tests/:id/eml", { params: { id: test.id }, signal }),
  );
  const eml = loaded.value;
  return (
    <section class="sec" id="content" aria-labelledby="content-h">
      <div class="sec-h">
        <h2 id="content-h">Content{eml ? `: ${toConclusion(eml)}` : ""}</h2>
        <p>The preview runs no scripts and loads no remote content by default.</p>
      </div>
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load the message." message={loaded.trouble.message} onRetry={reload} />
      )}
      {eml === null && loaded.state === "loading" && <Skeleton lines={6} what="the message" />}
      {eml && (
        <div class="stack">
          <Preview test={test} eml={eml} />
          <SizeGauge bytes={eml.body.html_bytes} />
          <InboxRows test={test} preview={eml.preview} />
          <Tabs label="Content" tabs={toTabs(test, eml)} />
          <div class="grid g2 late top">
            {eml.client_support && <ClientSupport support={eml.client_support} />}
            <Readability test={test} />
          </div>
        </div>
      )}
    </section>
  );
}

function toConclusion(eml: Eml): string {
  const { images_cut, attachments, tracking_pixels } = eml;
  const links = toLinkCount(eml);
  const counted = [
    { count: toImages(eml).length + images_cut, one: "image", many: "images" },
    { count: attachments.length, one: "attachment", many: "attachments" },
    { count: tracking_pixels.length, one: "tracking pixel", many: "tracking pixels" },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, one, many }) => toPlural(count, one, many));
  const all = links === "0" ? counted : [`${links} ${links === "1" ? "link" : "links"}`, ...counted];
  return all.length === 0 ? "text only" : toList(all);
}
