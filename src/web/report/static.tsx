// The report as the server renders it for shared pages and saved files: the app's components without anything that needs
// a script. The server loads only this file, as bundled by scripts/build-web.ts (see src/features/tests/routes/report-page.ts). All text
// goes through components, so it is escaped.

import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { toWholeScore } from "../../analyzer/reports/grade-words.ts";
import { toTypeCaution } from "../../analyzer/words/kind-words.ts";
import { ForwardingTable } from "../../features/forwarding/page.tsx";
import { SecondReading } from "../../features/second-reader/page.tsx";
import type {
  PageMail,
  PageOwner,
  RenderReportPage,
  ReportPage,
  SharedTest,
} from "../../features/tests/contract/report-page.ts";
import { faultsOf } from "../../features/tests/rules/issues.ts";
import { toMoment } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { AuthenticationSection } from "./authentication.tsx";
import { FixFirst } from "./fix.tsx";
import { Head, ScoreBreakdown, Who } from "./head.tsx";
import { toSenderDomain } from "./inbox-words.ts";
import { JourneySection } from "./journey.tsx";
import { kindWords } from "./kind-words.ts";
import { Envelope } from "./mail.tsx";
import { PinContext, toNumbers } from "./pins.ts";
import { PlacementSection } from "./placement.tsx";
import type { ShownTest } from "./shown-test.ts";
import { EvidenceSection, UncheckedSection } from "./technical.tsx";
import { toVerdictLine } from "./verdict.ts";

export const renderReportPage: RenderReportPage = (page) => ({
  body: renderToString(<Page {...page} />),
  card: "test" in page.content && page.content.test.findings !== null ? toCard(page.content.test) : null,
});

/** The result and its first causes. */
function toCard(test: ShownTest) {
  const domain = toSenderDomain(test.from);
  const causes = faultsOf(test).slice(0, 3);
  const { composite, grade } = test;
  const result = composite === null ? "No score" : `${grade ?? "Provisional"}, ${toWholeScore(composite)} of 100`;
  const description = causes.map(({ title }) => `${title}. `).join("") + (domain ? `Sent from ${domain}.` : "");
  return { title: `${result}. ${toVerdictLine(test)}`, description };
}

function Page({ note, time, mail, content, foot, owner }: ReportPage) {
  return (
    <>
      <header class="bar">
        <div class="bar-in">
          {owner ? (
            <a class="brand" href={owner.home}>
              {owner.logo && <img src={owner.logo} alt="" height="32" />}
              {owner.name ?? "Assay"}
            </a>
          ) : (
            <span class="brand">
              <Icon name="logo" />
              Assay
            </span>
          )}
        </div>
      </header>
      <main>
        <p class="small muted">
          {note}
          {time && (
            <>
              {" "}
              · {time.says} <time dateTime={time.at}>{toMoment(time.at)}</time>
            </>
          )}
        </p>
        {owner && <Acts {...owner} />}
        {content.shows === "notice" ? (
          <Notice title={content.title}>
            <p>{content.says}</p>
          </Notice>
        ) : content.test.findings === null ? (
          <Notice title="No report for this message yet.">
            <Who test={content.test} />
          </Notice>
        ) : (
          <Report content={content} mail={mail} />
        )}
        <footer class="foot">
          {foot.map((sentence) => (
            <span key={sentence}>{sentence}</span>
          ))}
        </footer>
      </main>
    </>
  );
}

/** It works without a script and without a login: the link is the right to delete what it shows. */
function Acts({ help, home, deleteAt }: PageOwner) {
  return (
    <form class="row noprint mt-2 mb-4" method="post" action={deleteAt}>
      <a class="btn small" href={help} target="_blank" rel="noopener">
        How would I fix this?
      </a>
      <a class="btn small" href={home}>
        Test another message
      </a>
      <button class="btn small danger" type="submit">
        Delete this report
      </button>
    </form>
  );
}

function Notice({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="stack mt-4">
      <h1 class="verdict">{title}</h1>
      {children}
    </div>
  );
}

type Content = Exclude<ReportPage["content"], { readonly shows: "notice" }>;

/** As in the app's first tab, and below it the others. */
function Report({ content, mail }: { readonly content: Content; readonly mail: PageMail | undefined }) {
  const { test, shows } = content;
  return (
    <PinContext.Provider value={{ numbers: toNumbers(test), active: null, point: () => {} }}>
      <Who test={test} />
      <div class="split">
        <Head test={test} />
        {mail && <Mail test={test} mail={mail} isMasked={shows === "share"} />}
        <div class="explain">
          <FixFirst test={test} lead={<Kind test={test} />} rest={<ScoreBreakdown test={test} />} />
        </div>
      </div>
      <PlacementSection test={test} />
      {content.shows === "all" && <Proofs {...content} />}
      <UncheckedSection test={test} />
    </PinContext.Provider>
  );
}

type ProofsProps = Extract<ReportPage["content"], { readonly shows: "all" }>;

function Proofs({ test, second, forwarding }: ProofsProps) {
  const missing = [
    ...(forwarding === null ? ["the forwarding prediction"] : []),
    ...(second.result === null ? ["the second reading"] : []),
  ];
  return (
    <>
      <AuthenticationSection test={test} />
      <JourneySection test={test} />
      {forwarding && <ForwardingTable prediction={forwarding} />}
      {second.result && <SecondReading reading={second.result} scanners={second.scanners} />}
      {missing.length > 0 && (
        <p class="sec small muted">Not worked out when this file was saved: {missing.join(" and ")}.</p>
      )}
      <EvidenceSection test={test} />
    </>
  );
}

type MailProps = { readonly test: SharedTest; readonly mail: PageMail; readonly isMasked: boolean };

/** In a frame without any rights. Its document is sanitized, and shows the numbers of the issues itself. */
function Mail({ test, mail: { frame, placed, preheader }, isMasked }: MailProps) {
  return (
    <figure class="mail still" aria-label="The message">
      <Envelope test={test} preheader={preheader} placed={placed} />
      {"leftOut" in frame ? (
        <p class="in-text small muted">{frame.leftOut}</p>
      ) : (
        <>
          <div class="paper">
            <iframe sandbox="" title="Message preview" {...("src" in frame ? frame : { srcdoc: frame.document })} />
          </div>
          <figcaption class="small muted noprint">
            {isMasked && "Addresses of recipients are masked, but names and codes in the text are not. "}
            Remote images are left out, and links don’t open.
          </figcaption>
        </>
      )}
    </figure>
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
