// What the message shows and carries: links, images, files, and how email clients and readers cope with it.

import type { readEml } from "../../features/intake/contract/eml.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import type { AnswerOf } from "../../platform/contract/endpoint.ts";
import { toList, toPlural } from "../client/words.ts";
import { Tabs } from "../parts/navigation.tsx";
import { ErrorNote, Skeleton } from "../parts/states.tsx";
import { ClientSupport } from "./client-support.tsx";
import { InboxRows } from "./inbox-rows.tsx";
import { toImages, toLinkCount, toTabs } from "./inventory.tsx";
import { Readability } from "./readability.tsx";
import { SizeGauge } from "./size-gauge.tsx";

export type Eml = AnswerOf<typeof readEml>;

type ContentProps = {
  readonly test: TestReport;
  readonly eml: Eml | null;
  readonly trouble: string | null;
  readonly onRetry: () => void;
};

export function ContentSection({ test, eml, trouble, onRetry }: ContentProps) {
  return (
    <section class="sec" id="content" aria-labelledby="content-h">
      <div class="sec-h">
        <h2 id="content-h">Content{eml ? `: ${toConclusion(eml)}` : ""}</h2>
      </div>
      {trouble !== null && <ErrorNote title="Couldn’t load the message." message={trouble} onRetry={onRetry} />}
      {eml === null && trouble === null && <Skeleton lines={6} what="the message" />}
      {eml && (
        <div class="stack">
          <InboxRows test={test} preview={eml.preview} />
          <SizeGauge bytes={eml.body.html_bytes} />
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
