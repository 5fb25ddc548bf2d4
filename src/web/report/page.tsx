// The report of one test: the verdict beside the message, then what to fix, how it looks, and the proofs.

import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { PickDialog } from "../../features/compare/page/pick.tsx";
import { Since } from "../../features/compare/page/since.tsx";
import { ForwardingSection } from "../../features/forwarding/page.tsx";
import { ExpectLink } from "../../features/monitors/page/expect-link.tsx";
import { RehearsalSection } from "../../features/rehearsal/page/rehearsal.tsx";
import { SecondReaderSection } from "../../features/second-reader/page.tsx";
import type { Finding } from "../../features/tests/contract/judgment.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { DeleteTests } from "../../features/tests/page/delete.tsx";
import { arrived, NoTestNote } from "../../features/tests/page/start/arrivals.tsx";
import {
  findBodyLink,
  UnsubscribeNote,
  UnsubscribeSection,
  useUnsubscribes,
} from "../../features/unsubscribe/page.tsx";
import { addressOf, call } from "../client/call.ts";
import { useEvents } from "../client/events.ts";
import { useLoaded, useRepeat } from "../client/loading.ts";
import { useOpened } from "../client/opened.ts";
import { goTo, useArrival, useTitle } from "../client/router.tsx";
import { useSession } from "../client/session.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu, TabPanels } from "../parts/navigation.tsx";
import type { RecordRow } from "../parts/record-form.tsx";
import { EmptyState, LoadNote, Note, Skeleton } from "../parts/states.tsx";
import { AuthenticationSection } from "./authentication.tsx";
import { ContentSection } from "./content.tsx";
import { DnsUpdate } from "./dns-update.tsx";
import { FixFirst } from "./fix.tsx";
import { Head, ScoreBreakdown, toScoreWords, Who } from "./head.tsx";
import { HistorySection } from "./history.tsx";
import { JourneySection } from "./journey.tsx";
import { KindDialog, TypeLine } from "./kind.tsx";
import { KindQuestion } from "./kind-question.tsx";
import { MailPane } from "./mail.tsx";
import { OutgoingServerQuestion } from "./outgoing-server.tsx";
import { PinContext, toNumbers } from "./pins.ts";
import { PlacementSection, SeeForYourself } from "./placement.tsx";
import { toProposedRecords } from "./proposed-records.ts";
import { AgainDialog } from "./reanalyze.tsx";
import { NoteContext, TrialContext } from "./remedy.tsx";
import { ShareDialog } from "./share.tsx";
import { EvidenceSection, Unchecked, UncheckedSection } from "./technical.tsx";
import { VolumeQuestion, VolumeSetting } from "./volume.tsx";
import { useDrawing, Waiting } from "./waiting.tsx";
import { type Draft, WhatIfSection } from "./what-if.tsx";

const askAgainMs = 500;

export function ReportPage({ id }: { readonly id: string }) {
  const { loaded, reload, put } = useLoaded(id, (signal) => call("GET /api/tests/:id", { params: { id }, signal }));
  const test = loaded.value;
  useTitle(test?.subject?.trim() || "Report");
  useArrival(test !== null);
  const [became, setBecame] = useState<string | null>(null);
  const isReady = test !== null && test.analysis !== null;
  const isAwaited = loaded.state === "there" && !isReady && loaded.value.status !== "failed";
  useRepeat(isAwaited, reload, askAgainMs);
  const wasAwaited = useRef(false);
  wasAwaited.current ||= arrived.delete(id) || isAwaited;
  const hasCome = isReady && wasAwaited.current;
  useEvents(
    useCallback(
      (event) => {
        if (event.type === "test.recognised" && event.id === id) return setBecame(event.became);
        // Later examinations have their own sections, and don't change the report.
        if (event.type === "test.examined") return;
        if (event.type === "reset" || ("id" in event && event.id === id)) reload();
      },
      [id, reload],
    ),
  );
  const isMissing = loaded.state === "failed" && loaded.trouble.code === "not_found";
  // It opened when it arrived, and was recognized before this page listened.
  if (became !== null || (isMissing && wasAwaited.current))
    return (
      <>
        <h1 class="vh">Not a test</h1>
        <NoTestNote became={became} />
      </>
    );
  if (isMissing) return <NoSuchTest />;
  return (
    <>
      <LoadNote loaded={loaded} onRetry={reload} lines={10} what="the report" />
      <p class="vh" role="status">
        {hasCome && `Report ready: ${test.grade ? `grade ${test.grade}, ` : ""}${toScoreWords(test)}`}
      </p>
      {test && <Report test={test} onNewReport={put} hasCome={hasCome} />}
    </>
  );
}

function NoSuchTest() {
  const { person, workspace } = useSession();
  return (
    <EmptyState icon="search" title="Test not found" isPage>
      <p>
        It was deleted or has expired.
        {person.workspaces.length > 1 && ` It may also be in another workspace. You’re in ${workspace.name}.`}
      </p>
      <a class="btn" href="/tests">
        See all tests
      </a>
    </EmptyState>
  );
}

type ReportProps = { readonly test: TestReport; readonly onNewReport: (test: TestReport) => void };

/** `hasCome`: while this page waited for it. */
function Report({ test, onNewReport, hasCome }: ReportProps & { readonly hasCome: boolean }) {
  const isReady = test.analysis !== null;
  const isDrawing = useDrawing(hasCome);
  const { loaded, reload } = useLoaded(test.id, (signal) =>
    call("GET /api/tests/:id/eml", { params: { id: test.id }, signal }),
  );
  const eml = loaded.value;
  const trouble = loaded.state === "failed" ? loaded.trouble.message : null;
  const [draft, setDraft] = useState<Draft | null>(null);
  const [active, point] = useState<string | null>(null);
  const { tab, choose, part } = useTab();
  const [isTrying, setTrying] = useState(false);
  if (part === "what-if" && !isTrying) setTrying(true);
  const trial = useMemo(
    () => ({
      toRecords: (finding: Finding) => toProposedRecords(test, finding),
      begin: (records: readonly RecordRow[]) => setDraft((known) => ({ records, at: (known?.at ?? 0) + 1 })),
    }),
    [test],
  );
  const bodyLink = test.sample ? null : findBodyLink(eml);
  const unsubscribes = useUnsubscribes(test, bodyLink);
  const note = useMemo(
    () => ({ domain: test.authentication?.dmarc?.domain ?? null, link: `${window.location.origin}/tests/${test.id}` }),
    [test],
  );
  const numbers = useMemo(() => toNumbers(test), [test]);
  const panels: Readonly<Record<TabName, () => ComponentChildren>> = {
    fix: () => (
      <NoteContext.Provider value={note}>
        <FixFirst
          test={test}
          lead={<TypeLine test={test} />}
          rest={
            <>
              <ScoreBreakdown test={test} />
              <Unchecked test={test} />
            </>
          }
        >
          <KindQuestion test={test} onNewReport={onNewReport} />
          <VolumeQuestion test={test} onNewReport={onNewReport} />
          <OutgoingServerQuestion test={test} onNewReport={onNewReport} />
        </FixFirst>
        {(draft !== null || isTrying) && <WhatIfSection test={test} draft={draft} />}
      </NoteContext.Provider>
    ),
    see: () => <ContentSection test={test} eml={eml} trouble={trouble} onRetry={reload} />,
    prove: () => (
      <>
        <PlacementSection test={test} volume={<VolumeSetting test={test} />}>
          <SeeForYourself />
        </PlacementSection>
        <RehearsalSection test={test} />
        <AuthenticationSection test={test} />
        <JourneySection test={test} />
        <ForwardingSection test={test} />
        <UnsubscribeSection test={test} unsubscribes={unsubscribes} bodyLink={bodyLink} />
        <SecondReaderSection test={test} />
        <UncheckedSection test={test} />
        <EvidenceSection test={test} />
        <HistorySection test={test} />
      </>
    ),
  };
  return (
    <TrialContext.Provider value={trial}>
      <PinContext.Provider value={{ numbers, active, point }}>
        <Actions test={test} onNewReport={onNewReport} />
        {isReady && (
          <>
            <DnsUpdate test={test} />
            <Since test={test} />
            <UnsubscribeNote loaded={unsubscribes.loaded} />
            {test.status === "failed" && (
              <Note tone="minor">
                The last analysis failed, so this is the previous report. {test.failure ?? "The reason is unknown."}
              </Note>
            )}
          </>
        )}
        <div class={`split${isDrawing ? " drawn" : ""}`}>
          {isReady ? <Head test={test} /> : <Waiting test={test} />}
          {isReady || eml !== null ? (
            <MailPane test={test} eml={eml} />
          ) : (
            <div class="mail">{trouble === null && <Skeleton lines={8} what="the message" />}</div>
          )}
          {isReady && (
            <div class="explain">
              <TabPanels label="Report" tabs={tabs} current={tab} onChoose={choose} panels={panels} />
            </div>
          )}
        </div>
      </PinContext.Provider>
    </TrialContext.Provider>
  );
}

const tabs = [
  { name: "fix", label: "Fix" },
  { name: "see", label: "See" },
  { name: "prove", label: "Prove" },
] as const;

type TabName = (typeof tabs)[number]["name"];

const inFix = /^(?:$|summary$|fix$|what-if|finding-)/;

/** Each part of the report has an address, which opens its tab. */
function toTab(part: string): TabName {
  if (inFix.test(part)) return "fix";
  return part === "content" ? "see" : "prove";
}

function useTab() {
  const [tab, setTab] = useState<TabName>(() => toTab(window.location.hash.slice(1)));
  const [wanted, setWanted] = useState(window.location.hash.slice(1));
  useEffect(() => {
    const follow = () => {
      const part = window.location.hash.slice(1);
      setTab(toTab(part));
      setWanted(part);
    };
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  // Once its tab is there.
  useEffect(() => {
    if (wanted !== "") document.getElementById(wanted)?.scrollIntoView();
  }, [wanted, tab]);
  return { tab, choose: setTab, part: wanted };
}

function Actions({ test, onNewReport }: ReportProps) {
  const { opened, open, close } = useOpened();
  // Not in the URL, so that going back doesn't reopen the dialog of a deleted test.
  const [isDeleting, setDeleting] = useState(false);
  const hasReport = test.analysis !== null;
  const again = { test, onNewReport, onClose: close };
  const opener = (what: string, says: string, look = "as-entry") => (
    <button key={what} class={look} type="button" onClick={() => open(what)}>
      {says}
    </button>
  );
  return (
    <>
      <div class="title-row">
        <Who test={test} />
        <p class="row noprint">
          {hasReport && (
            <>
              {opener("share", "Share", "btn small")}
              <a class="btn small" href={addressOf("/api/tests/:id/report.html", { params: { id: test.id } })} download>
                Download
              </a>
            </>
          )}
          <Menu label="More actions" summary={<Icon name="menu" />}>
            {opener("again", "Re-analyze")}
            {hasReport && opener("compare", "Compare")}
            {hasReport && (
              <button class="as-entry" type="button" onClick={() => window.print()}>
                Print
              </button>
            )}
            <ExpectLink test={test} />
            <button class="as-entry" type="button" onClick={() => setDeleting(true)}>
              Delete
            </button>
          </Menu>
        </p>
      </div>
      {opened === "again" && <AgainDialog {...again} />}
      {opened === "kind" && hasReport && <KindDialog {...again} />}
      {opened === "compare" && hasReport && <PickDialog test={test} onClose={close} />}
      {opened === "share" && hasReport && <ShareDialog testId={test.id} onClose={close} />}
      {isDeleting && (
        <DeleteTests
          doomed={{ tests: [test] }}
          onClose={() => setDeleting(false)}
          onDeleted={() => goTo("/tests", { replace: true })}
        />
      )}
    </>
  );
}
