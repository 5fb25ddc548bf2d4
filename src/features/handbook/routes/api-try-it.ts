// The forms of the API reference that send a request with the reader's login (src/features/handbook/page/try-it.ts). The server
// renders them hidden.

import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import type { NamedOperation } from "../../../platform/http/openapi.ts";

/** Where the reader sees whether they are logged in. One on each page with forms. */
export function renderTryPanel(path: string, script: string): string {
  return `<section class="note" id="try" hidden>
<p data-logged-out><a href="/login?next=${encodeURIComponent(path)}">Log in</a> to try requests on this page.</p>
<p data-logged-in hidden><label>Try requests in workspace <select></select></label> Requests use your login and change real data.</p>
</section>
<script type="module" src="/assets/${escapeMarkup(script)}"></script>`;
}

/** Not a request that needs no login or takes only tokens, or whose body is a file, and not one for an endless answer. */
export function canTry({ operation: { security, requestBody, responses } }: NamedOperation): boolean {
  const takesLogin = !security.every((one) => "token" in one);
  const isFile = Object.keys(requestBody?.content ?? {}).some((type) => type !== "application/json");
  const isStream = Object.values(responses).some(({ content }) => "text/event-stream" in (content ?? {}));
  return takesLogin && !isFile && !isStream;
}

/** Empty if it can't be tried. */
export function renderTry(named: NamedOperation): string {
  if (!canTry(named)) return "";
  const { method, path, operation } = named;
  const { requestBody, parameters = [] } = operation;
  const [type, { schema = null } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const fields = parameters
    // The panel's workspace applies to all requests.
    .filter(({ in: place }) => place !== "header")
    .map(
      ({ name, in: place, required }) =>
        `<label><code>${escapeMarkup(name)}</code> <input name="${escapeMarkup(name)}" data-in="${place}"${required ? " required" : ""} autocomplete="off"></label>`,
    );
  const example = JSON.stringify(schema?.examples?.[0] ?? {}, null, 2);
  const body = type === undefined ? "" : `<label>Body <textarea rows="6">${escapeMarkup(example)}</textarea></label>`;
  return `<details class="try" hidden><summary>Try it</summary>
<form data-method="${method}" data-path="${escapeMarkup(path)}"${type === undefined ? "" : ` data-type="${type}"`}>
${[...fields, body].join("\n")}
<button>Send request</button>
<pre tabindex="0"><output></output></pre>
</form></details>`;
}
