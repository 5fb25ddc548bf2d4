// The report as the server renders it for shared pages and saved files: the app's components without anything that needs
// a script. The server loads only this file, as bundled by scripts/build-web.ts (see src/features/tests/routes/report-page.ts). All text
// goes through components, so it is escaped.

import { renderToString } from "preact-render-to-string";
import { toTypeCaution } from "../../analyzer/words/kind-words.ts";
import { ForwardingTable } from "../../features/forwarding/page.tsx";
import { SecondReading } from "../../features/second-reader/page.tsx";
import type { ReportPage, SharedTest } from "../../features/tests/contract/report-page.ts";
import { Icon } from "../parts/icon.tsx";
import { RailLinks } from "../parts/navigation.tsx";
import { AuthenticationSection } from "./authentication.tsx";
import { FixFirst } from "./fix.tsx";
import { Head, ScoreBreakdown, Who } from "./head.tsx";
import { JourneySection } from "./journey.tsx";
import { kindWords } from "./kind-words.ts";
import { PlacementSection } from "./placement.tsx";
import type { ShownTest } from "./shown-test.ts";
import { EvidenceSection, UncheckedSection } from "./technical.tsx";
import { VerifyBlock } from "./verify-block.tsx";

export function renderReportPage({ note, content, foot, proof }: ReportPage): string {
  return renderToString(
    <>
      <header class="bar">
        <div class="bar-in">
          <span class="brand">
            <Icon name="logo" />
            Assay
          </span>
        </div>
      </header>
      <main>
        <p class="small muted">{note}</p>
        {content.shows === "notice" ? (
          <Notice title={content.title} says={content.says} />
        ) : content.test.findings === null ? (
          <Unfinished test={content.test} />
        ) : content.shows === "all" ? (
          <WholeReport test={content.test} second={content.second} forwarding={content.forwarding} />
        ) : (
          <SharedReport test={content.test} />
        )}
        {proof && <VerifyBlock proof={proof} />}
        <footer class="foot">
          {foot.map((sentence) => (
            <span key={sentence}>{sentence}</span>
          ))}
        </footer>
      </main>
    </>,
  );
}

function Notice({ title, says }: { readonly title: string; readonly says: string }) {
  return (
    <div class="stack mt-4">
      <h1 class="verdict">{title}</h1>
      <p>{says}</p>
    </div>
  );
}

function Unfinished({ test }: { readonly test: ShownTest }) {
  return (
    <div class="stack mt-4">
      <Who test={test} />
      <h1 class="verdict">No report for this message yet.</h1>
    </div>
  );
}

const sections = [
  { id: "summary", label: "Summary" },
  { id: "fix", label: "Issues" },
  { id: "placement", label: "Placement" },
  { id: "authentication", label: "Authentication" },
  { id: "journey", label: "Journey" },
  { id: "forwarding", label: "Forwarding" },
  { id: "second-reader", label: "Second reader" },
  { id: "unchecked", label: "Not checked" },
  { id: "evidence", label: "Evidence" },
] as const;

type SectionId = (typeof sections)[number]["id"];

function SectionLinks({ without }: { readonly without: readonly (SectionId | null)[] }) {
  const entries = sections
    .filter(({ id }) => !without.includes(id))
    .map((section) => ({ ...section, address: `#${section.id}` }));
  return <RailLinks label="Sections of this report" entries={entries} current={undefined} mark="true" />;
}

function SharedReport({ test }: { readonly test: SharedTest }) {
  return (
    <div class="report">
      <SectionLinks without={["authentication", "journey", "forwarding", "second-reader", "evidence"]} />
      <div>
        <Who test={test} />
        <Head test={test} />
        <FixFirst test={test} lead={<Kind test={test} />} rest={<ScoreBreakdown test={test} />} />
        <PlacementSection test={test} />
        <UncheckedSection test={test} />
      </div>
    </div>
  );
}

type WholeProps = Omit<Extract<ReportPage["content"], { readonly shows: "all" }>, "shows">;

function WholeReport({ test, second, forwarding }: WholeProps) {
  const { authentication, delivery_timeline } = test;
  return (
    <div class="report">
      <SectionLinks
        without={[
          authentication === null ? "authentication" : null,
          delivery_timeline === null ? "journey" : null,
          forwarding ? null : "forwarding",
          second?.result ? null : "second-reader",
        ]}
      />
      <div>
        <Who test={test} />
        <Head test={test} />
        <FixFirst test={test} lead={<Kind test={test} />} rest={<ScoreBreakdown test={test} />} />
        <PlacementSection test={test} />
        <AuthenticationSection test={test} />
        <JourneySection test={test} />
        {forwarding && <ForwardingTable prediction={forwarding} />}
        {second?.result && <SecondReading reading={second.result} scanners={second.scanners} />}
        <UncheckedSection test={test} />
        <EvidenceSection test={test} />
      </div>
    </div>
  );
}

function Kind({ test: { kind, kind_detail } }: { readonly test: SharedTest }) {
  if (kind === null) return null;
  const caution =
    kind_detail &&
    toTypeCaution({
      kind,
      scoredAs: kind_detail.scored_as,
      source: kind_detail.source,
      confidence: kind_detail.confidence,
    });
  return (
    <p class="small muted">
      Type: <b>{kindWords[kind].short}</b>. {caution}
    </p>
  );
}
