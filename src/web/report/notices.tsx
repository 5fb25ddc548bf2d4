// What a reader must know of a message before its score: that Assay made it.

import type { TestReport } from "../../api/tests.ts";
import { Note } from "../parts/states.tsx";

export function TopNotice({ test: { sample, transport } }: { readonly test: TestReport }) {
  if (sample)
    return (
      <Note>
        <strong>This is a sample that Assay made up</strong>, with its sender, its DNS and its mistakes. It
        isn’t counted on the dashboard. More of them: <a href="/laboratory">the laboratory</a>.
      </Note>
    );
  if (!transport.looped) return null;
  return (
    <Note>
      <strong>This message was sent by Assay to itself.</strong> What only that causes isn’t judged: the
      return path, links to this server, headers that Assay writes, and SPF, DKIM and DMARC where nothing is
      signed. To test how your mail arrives, send it from your own service, or set{" "}
      <code>ASSAY_SEND_SMTP_URL</code>.
    </Note>
  );
}
