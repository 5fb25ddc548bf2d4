// Email that Assay sends to people: whether it can, and a message that shows whether it works.

import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { ErrorNote } from "../../../web/parts/states.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { OperatorTask, Setting } from "../../../web/settings/parts.tsx";
import { useEmailStatus } from "../../alerts/page/target-fields.tsx";
import type { testServerEmail } from "../contract/server-settings.ts";

const missingWords: Readonly<Record<string, string>> = {
  ASSAY_SEND_SMTP_URL: "the mail server",
  ASSAY_BASE_URL: "the web address",
  ASSAY_ALERT_FROM: "the sender, or a public seed domain",
};

export function toEmailState(status: ReturnType<typeof useEmailStatus>): string {
  if (status === null) return "";
  if (status.ready) return `From ${status.from}`;
  return `Not set up. Missing: ${status.missing.map(({ setting }) => missingWords[setting]).join(", ")}.`;
}

/** Where people look for it who think of sending. */
export function OwnEmailSection() {
  const status = useEmailStatus();
  return (
    <Setting
      title="Email from Assay"
      value={
        <>
          Alerts, invitations, and password resets. {status?.ready ? `${toEmailState(status)}.` : "Not set up."}{" "}
          <OperatorTask to="/settings/server#email" task={status?.ready ? "change it" : "set it up"} />
        </>
      }
    />
  );
}

export function EmailTest({ from }: { readonly from: string | null }) {
  const { isBusy, trouble, run } = useDoing();
  const [tried, setTried] = useState<AnswerOf<typeof testServerEmail> | null>(null);
  const test = () =>
    run(async () => {
      setTried(null);
      setTried(await call("POST /api/server-email/test", {}));
    });
  const problem = trouble?.message ?? tried?.problem ?? null;
  return (
    <div class="stack-2">
      <div class="row">
        <button class="btn" type="button" disabled={isBusy} onClick={() => void test()}>
          {isBusy ? "Sending…" : "Send a test message to me"}
        </button>
        <span class="small muted">From {from}</span>
      </div>
      <div role="status">
        {tried?.delivered && (
          <p class="small">
            <Severity tone="good">Sent</Severity> The mail server accepted the message to {tried.to}. It said:{" "}
            {tried.reply}
          </p>
        )}
      </div>
      {problem !== null && <ErrorNote title="The message wasn’t sent." message={problem} />}
    </div>
  );
}
