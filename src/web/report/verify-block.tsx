import type { PageProof } from "../../features/tests/contract/report-page.ts";

/** At the end of a signed file. */
export function VerifyBlock({ proof: { file, issuer, keyId, messageSha256 } }: { readonly proof: PageProof }) {
  return (
    <section class="sec" id="verify" aria-labelledby="verify-h">
      <div class="sec-h">
        <h2 id="verify-h">How to verify this report</h2>
        <p>
          This file says that the Assay server at {issuer} signed it. The command checks that this is true, and that
          nothing was changed. Keep the file as you got it: a browser’s “Save page as” changes it.
        </p>
      </div>
      <p>
        <code>
          assay verify {file} --url {issuer}
        </code>
      </p>
      <p class="small muted">
        Key <code>{keyId}</code>
        <br />
        SHA-256 of the message <code>{messageSha256}</code>
      </p>
    </section>
  );
}
