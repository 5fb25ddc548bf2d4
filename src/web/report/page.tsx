// The report of one test: the verdict first, then the issues to fix, then the details.

import { useCallback, useMemo, useState } from "preact/hooks";
import { PickDialog } from "../../features/compare/page/pick.tsx";
import { Since } from "../../features/compare/page/since.tsx";
import { ForwardingSection } from "../../features/forwarding/page.tsx";
import { ExpectLink } from "../../features/monitors/page/expect-link.tsx";
import { RehearsalSection } from "../../features/rehearsal/page/rehearsal.tsx";
import { asksForRehearsal } from "../../features/rehearsal/words.ts";
import { SecondReaderSection } from "../../features/second-reader/page.tsx";
import { DownloadDialog } from "../../features/signed-reports/page.tsx";
import type { Finding } from "../../features/tests/contract/judgment.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { DeleteTests } from "../../features/tests/page/delete.tsx";
import { UnsubscribeNote, UnsubscribeSection, useUnsubscribes } from "../../features/unsubscribe/page.tsx";
import { call } from "../client/call.ts";
import { useEvents } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";
import { useOpened } from "../client/opened.ts";
import { goTo, useArrival, useTitle } from "../client/router.tsx";
import { useSession } from "../client/session.ts";
import { Rail } from "../parts/navigation.tsx";
import type { RecordRow } from "../parts/record-form.tsx";
import { EmptyState, ErrorNote, Note, Skeleton } from "../parts/states.tsx";
import { AuthenticationSection } from "./authentication.tsx";
import { ContentSection } from "./content.tsx";
import { DnsUpdate } from "./dns-update.tsx";
import { FixFirst } from "./fix.tsx";
import { HistorySection } from "./history.tsx";
import { JourneySection } from "./journey.tsx";
import { KindChoice, KindDialog } from "./kind.tsx";
import { KindQuestion } from "./kind-question.tsx";
import { OutgoingServerQuestion } from "./outgoing-server.tsx";
import { PlacementSection, SeeForYourself } from "./placement.tsx";
import { toProposedRecords } from "./proposed-records.ts";
import { AgainDialog } from "./reanalyze.tsx";
import { NoteContext, TrialContext } from "./remedy.tsx";
import { ShareDialog } from "./share.tsx";
import { Summary, Who } from "./summary.tsx";
import { EvidenceSection, UncheckedSection } from "./technical.tsx";
import { VolumeQuestion, VolumeSetting } from "./volume.tsx";
import { type Draft, WhatIfSection } from "./what-if.tsx";

export function ReportPage({ id }: { readonly id: string }) {
  const { loaded, reload, put } = useLoaded(id, (signal) => call("GET /api/tests/:id", { params: { id }, signal }));
  const test = loaded.value;
  useTitle(test?.subject?.trim() || "Report");
  useArrival(test !== null);
  useEvents(
    useCallback(
      (event) => {
        // Later examinations have their own sections, and don't change the report.
        if (event.type === "test.examined") return;
        if (event.type === "reset" || ("id" in event && event.id === id)) reload();
      },
      [id, reload],
    ),
  );
  if (loaded.state === "failed" && loaded.trouble.code === "not_found") return <NoSuchTest />;
  return (
    <>
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load the report." message={loaded.trouble.message} onRetry={reload} />
      )}
      {test === null && loaded.state === "loading" && <Skeleton lines={10} what="the report" />}
      {test && <Actions test={test} onNewReport={put} />}
      {test && (test.analysis === null ? <Unfinished test={test} /> : <Report test={test} onNewReport={put} />)}
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
        {" "}
        See all tests{" "}
      </a>
    </EmptyState>
  );
}

function Unfinished({ test }: { readonly test: TestReport }) {
  return (
    <div class="stack mt-4">
      <h1 class="vh">{test.subject?.trim() || "A new message"}</h1>
      <Who test={test} />
      {test.status === "failed" ? (
        <ErrorNote
          title="Analysis failed."
          message={`${test.failure ?? "The reason is unknown."} The message is still stored. Re-analyze it to try again.`}
        />
      ) : (
        <>
          <p>
            <span class="live">Analyzing. The report will appear here automatically</span>
          </p>
          <Skeleton lines={8} what="the sender’s DNS records" />
        </>
      )}
    </div>
  );
}

type ReportProps = { readonly test: TestReport; readonly onNewReport: (test: TestReport) => void };

function Report({ test, onNewReport }: ReportProps) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const trial = useMemo(
    () => ({
      toRecords: (finding: Finding) => toProposedRecords(test, finding),
      begin: (records: readonly RecordRow[]) => setDraft((known) => ({ records, at: (known?.at ?? 0) + 1 })),
    }),
    [test],
  );
  const shown = useMemo(() => sections.filter(({ isFor }) => isFor?.(test) ?? true), [test]);
  const unsubscribes = useUnsubscribes(test);
  const note = useMemo(
    () => ({ domain: test.authentication?.dmarc?.domain ?? null, link: `${window.location.origin}/tests/${test.id}` }),
    [test],
  );
  return (
    <div class="report">
      <Rail label="Sections of this report" sections={shown} />
      <div>
        <TrialContext.Provider value={trial}>
          <DnsUpdate test={test} />
          <Since test={test} />
          <UnsubscribeNote loaded={unsubscribes.loaded} />
          {test.status === "failed" && (
            <Note tone="minor">
              The last analysis failed, so this is the previous report. {test.failure ?? "The reason is unknown."}
            </Note>
          )}
          <NoteContext.Provider value={note}>
            <Summary test={test} kind={<KindChoice test={test} onNewReport={onNewReport} />}>
              <KindQuestion test={test} onNewReport={onNewReport} />
              <VolumeQuestion test={test} onNewReport={onNewReport} />
              <OutgoingServerQuestion test={test} onNewReport={onNewReport} />
            </Summary>
            <FixFirst test={test} />
          </NoteContext.Provider>
          <PlacementSection test={test} volume={<VolumeSetting test={test} />}>
            <SeeForYourself />
          </PlacementSection>
          <RehearsalSection test={test} />
          <AuthenticationSection test={test} />
          <JourneySection test={test} />
          <ContentSection test={test} />
          <ForwardingSection test={test} />
          <UnsubscribeSection test={test} unsubscribes={unsubscribes} />
          <SecondReaderSection test={test} />
          <UncheckedSection test={test} />
          <EvidenceSection test={test} />
          <HistorySection test={test} />
          <WhatIfSection test={test} draft={draft} />
        </TrialContext.Provider>
      </div>
    </div>
  );
}

type Section = { readonly id: string; readonly label: string; readonly isFor?: (test: TestReport) => boolean };

const sections: readonly Section[] = [
  { id: "summary", label: "Summary" },
  { id: "fix", label: "Issues" },
  { id: "placement", label: "Placement" },
  { id: "sender", label: "Sender behavior", isFor: ({ label }) => asksForRehearsal(label) },
  { id: "authentication", label: "Authentication" },
  { id: "journey", label: "Journey" },
  { id: "content", label: "Content" },
  { id: "forwarding", label: "Forwarding" },
  { id: "unsubscribe", label: "Unsubscribe" },
  { id: "second-reader", label: "Second reader" },
  { id: "unchecked", label: "Not checked" },
  { id: "evidence", label: "Evidence" },
  { id: "history", label: "History" },
  { id: "what-if", label: "DNS preview" },
];

type ActionsProps = { readonly test: TestReport; readonly onNewReport: (test: TestReport) => void };

function Actions({ test, onNewReport }: ActionsProps) {
  const { opened, open, close } = useOpened();
  // Not in the URL, so that going back doesn't reopen the dialog of a deleted test.
  const [isDeleting, setDeleting] = useState(false);
  const hasReport = test.analysis !== null;
  const again = { test, onNewReport, onClose: close };
  return (
    <div class="stack-2 noprint">
      <div class="row between">
        <a href="/tests">All tests</a>
        <span class="row acts-r">
          <button class="btn small" type="button" onClick={() => open("again")}>
            Re-analyze{" "}
          </button>
          {hasReport && (
            <>
              <button class="btn small" type="button" onClick={() => open("compare")}>
                Compare
              </button>
              <button class="btn small" type="button" onClick={() => open("share")}>
                Share
              </button>
              <button class="btn small" type="button" onClick={() => open("download")}>
                Download
              </button>
            </>
          )}
          <ExpectLink test={test} />
          <button class="btn small" type="button" onClick={() => setDeleting(true)}>
            Delete
          </button>
        </span>
      </div>
      {opened === "again" && <AgainDialog {...again} />}
      {opened === "kind" && hasReport && <KindDialog {...again} />}
      {opened === "compare" && hasReport && <PickDialog test={test} onClose={close} />}
      {opened === "download" && hasReport && <DownloadDialog test={test} onClose={close} />}
      {opened === "share" && hasReport && <ShareDialog testId={test.id} onClose={close} />}
      {isDeleting && (
        <DeleteTests
          doomed={{ tests: [test] }}
          onClose={() => setDeleting(false)}
          onDeleted={() => goTo("/tests", { replace: true })}
        />
      )}
    </div>
  );
}
