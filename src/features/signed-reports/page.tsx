// Downloads a signed report: as a page to read, or as data for programs.

import { useState } from "preact/hooks";
import { addressOf } from "../../web/client/call.ts";
import { Dialog } from "../../web/parts/dialog.tsx";
import { RadioOption } from "../../web/parts/form.tsx";
import type { TestReport } from "../tests/contract/tests.ts";
import { mostIncludedBytes, whyNotIncluded } from "./words.ts";

const choices = [
  { redact: "none", title: "Everything", says: "Includes recipients, headers, the SMTP session, and DNS responses." },
  {
    redact: "recipients",
    title: "Without recipients",
    says: "What a shared report shows, with DNS responses if they name no recipient.",
  },
  { redact: "body", title: "Without recipients and body quotes", says: "Results only, without what the message says." },
] as const;

type DownloadProps = { readonly test: TestReport; readonly onClose: () => void };

export function DownloadDialog({ test, onClose }: DownloadProps) {
  const [redact, setRedact] = useState<(typeof choices)[number]["redact"]>("none");
  const [withMessage, setWithMessage] = useState(false);
  const isLarge = test.size_bytes > mostIncludedBytes;
  const mayInclude = redact === "none" && !isLarge;
  const message = withMessage && mayInclude ? "1" : "0";
  const given = { params: { id: test.id }, query: { redact, message } } as const;
  return (
    <Dialog title="Download this report" onClose={onClose}>
      <p>
        The file is signed by this server, so anyone can check that it wasn’t changed. It works offline.{" "}
        <a href="/docs/signed-reports" target="_blank" rel="noreferrer">
          How to verify a report
        </a>
      </p>
      <fieldset class="stack-2">
        <legend class="vh">What to include</legend>
        {choices.map((choice) => (
          <RadioOption
            key={choice.redact}
            name="redact"
            title={choice.title}
            says={choice.says}
            isChosen={choice.redact === redact}
            onChoose={() => setRedact(choice.redact)}
          />
        ))}
      </fieldset>
      <label class="option">
        <input
          type="checkbox"
          disabled={!mayInclude}
          checked={withMessage && mayInclude}
          onChange={(event) => setWithMessage(event.currentTarget.checked)}
        />
        <span>
          <strong>Include the original message</strong>
          <span class="small muted">
            {isLarge ? whyNotIncluded : "Then anyone can analyze it again and compare the results."}
          </span>
        </span>
      </label>
      <div class="acts">
        <button class="btn" type="button" onClick={onClose}>
          Close
        </button>
        <a class="btn" href={addressOf("/api/tests/:id/report.json", given)} download>
          Data file (JSON)
        </a>
        <a class="btn primary" href={addressOf("/api/tests/:id/report.html", given)} download>
          Signed report (HTML)
        </a>
      </div>
    </Dialog>
  );
}

type OfTest = { readonly testId: string };

export function ReportFileButton({ testId }: OfTest) {
  return (
    <a class="btn" href={addressOf("/api/tests/:id/report.html", { params: { id: testId } })} download>
      Download report
    </a>
  );
}

/** Beside a link that shows less. */
export function SignedFileNote({ testId }: OfTest) {
  return (
    <p class="small muted">
      You can also{" "}
      <a href={addressOf("/api/tests/:id/report.html", { params: { id: testId } })} download>
        download the full report as a signed file
      </a>
      . It includes recipients, headers, and the SMTP session.
    </p>
  );
}
