// Offers to set the outgoing server on a report that couldn't judge it.

import { OutgoingServerOffer } from "../../features/intake/page/outgoing-server-form.tsx";
import { useIsOwner } from "../client/session.ts";
import { toSenderDomain } from "./inbox-words.ts";
import { type AgainProps, Progress, useAnalysis } from "./reanalyze.tsx";

export function OutgoingServerQuestion({ test, onNewReport }: Omit<AgainProps, "onClose">) {
  const analysis = useAnalysis({ test, onNewReport });
  const isOwner = useIsOwner();
  const { sample, transport, skipped, from } = test;
  const isUnseen = skipped?.some(
    ({ check, why }) => why === "not-public" && (check === "dkim-present" || check === "ptr-record"),
  );
  const isForTests = skipped?.some(({ check, why }) => why === "reserved-name" && check === "dmarc-result");
  if (!isOwner || sample || transport.looped || isForTests || !isUnseen) return null;
  return (
    <>
      <OutgoingServerOffer
        question="Where does your mail leave for the internet?"
        domain={toSenderDomain(from)}
        action="Save and re-analyze"
        onSaved={() => analysis.analyze({ dns: "live" })}
      />
      {analysis.isBusy && <Progress dns="live" />}
    </>
  );
}
