// The public page's settings: on or off, how it looks, how much it takes, and its numbers.

import { useState } from "preact/hooks";
import { addressOf, call } from "../../web/client/call.ts";
import { useLoaded } from "../../web/client/loading.ts";
import { useDoing } from "../../web/client/use-action.ts";
import { toCount, toDay, toMoment, toPlural, toScore } from "../../web/client/words.ts";
import { Copyable } from "../../web/parts/copy.tsx";
import { Field } from "../../web/parts/form.tsx";
import { Note, sayDone } from "../../web/parts/states.tsx";
import { Table } from "../../web/parts/table.tsx";
import { ActionForm, Reading, SectionHead, Setting, TroubleNote } from "../../web/settings/parts.tsx";
import type { PublicTests } from "./contract/operator.ts";
import { toRefusedWords } from "./words.ts";

const setting = "ASSAY_PUBLIC_TESTS";

export function PublicTestsSection() {
  const reading = useLoaded("public-tests", (signal) => call("GET /api/public-tests", { signal }));
  return (
    <>
      <SectionHead
        title="Public tests"
        lead="A page where anyone can test a message without an account, on your own domain. Visitors see only their own report."
      />
      <Reading reading={reading} what="the public page" lines={8}>
        {(state) => (
          <div class="stack">
            <Switch {...state} onDone={reading.reload} />
            <Setting id="public-page" title="Page and limits" value={toPageWords(state)} isOpen={!state.isOn}>
              <PageForm key={JSON.stringify(state.page)} {...state} onDone={reading.reload} />
            </Setting>
            {state.isOn && (
              <Setting id="public-embedding" title="On your own site" value="A frame or a button for other pages">
                <Embedding url={state.url} />
              </Setting>
            )}
            <Numbers {...state} />
            <Newest {...state} />
          </div>
        )}
      </Reading>
    </>
  );
}

function toPageWords({ page: { name, keepDays, testsPerHour } }: PublicTests) {
  const who = name ?? "Assay’s name and logo";
  return `${who}. Reports stay ${toPlural(keepDays, "day", "days")}. ${toPlural(testsPerHour, "test", "tests")} an hour for one visitor.`;
}

type Done = { readonly onDone: () => void };

function Switch({ isOn, url, isBusy: isFlooded, taken, page, onDone }: PublicTests & Done) {
  const { isBusy, trouble, run } = useDoing();
  const turn = async () => {
    const act = () =>
      call("PATCH /api/server-settings/:name", { params: { name: setting }, body: { value: isOn ? null : "on" } });
    if (!(await run(act))) return;
    onDone();
    sayDone(isOn ? "The public page is closed." : "The public page is open.");
  };
  return (
    <section class="card stack-2" aria-labelledby="public-switch">
      <h3 id="public-switch">{isOn ? "Open" : "Closed"}</h3>
      {isOn ? (
        <p>
          Visitors find it at <a href="/test">{url}</a>. {toPlural(taken.tests, "test", "tests")} of visitors are
          stored, which take {toScore(taken.megabytes)} of {toCount(page.mostMegabytes)} MB.
          {isFlooded && " Many visitors come right now, so each browser computes a proof of work."}
        </p>
      ) : (
        <p class="muted">
          Nothing answers at <code>/test</code>. Before you open it, the{" "}
          <a href="/settings/server-check">server check</a> says what is missing: a domain that receives mail from the
          internet, a web address, and HTTPS.
        </p>
      )}
      <TroubleNote trouble={trouble} title="Couldn’t change it." />
      <p>
        <button class={isOn ? "btn" : "btn primary"} type="button" disabled={isBusy} onClick={() => void turn()}>
          {isOn ? "Close the page" : "Open the page"}
        </button>
      </p>
    </section>
  );
}

const texts = ["name", "color", "sentence", "contact", "stored"] as const;
const numbers = ["keepDays", "mostMegabytes", "testsPerHour"] as const;
const ticks = ["runYourOwn", "showsContent"] as const;

function PageForm({ page, onDone }: PublicTests & Done) {
  const [logo, setLogo] = useState(page.logo);
  const save = (typed: FormData) => {
    const body = {
      ...Object.fromEntries(texts.map((name) => [name, String(typed.get(name)).trim() || null])),
      ...Object.fromEntries(numbers.map((name) => [name, Number(typed.get(name))])),
      ...Object.fromEntries(ticks.map((name) => [name, typed.has(name)])),
      logo,
    };
    return call("PATCH /api/public-tests", { body });
  };
  const text = (name: (typeof texts)[number], label: string, hint: string) => (
    <Field label={label} name={name} value={page[name] ?? ""} hint={hint} />
  );
  const number = (name: (typeof numbers)[number], label: string, hint: string) => (
    <Field label={label} name={name} type="number" min="1" value={String(page[name])} hint={hint} />
  );
  const tick = (name: (typeof ticks)[number], label: string) => (
    <label class="row">
      <input type="checkbox" name={name} checked={page[name]} /> {label}
    </label>
  );
  return (
    <>
      <iframe class="public-preview" sandbox="" title="The public page" src={addressOf("/preview/public-page", {})} />
      <ActionForm action="Save" act={save} done="Saved." failed="Couldn’t save." onDone={onDone}>
        <div class="public-fields">
          {text("name", "Name", "Yours, in place of “Assay”.")}
          {text("color", "Color of the button", "Such as #174a94.")}
        </div>
        <LogoField logo={logo} onChange={setLogo} />
        {text("sentence", "Sentence", "Below the headline.")}
        {text("contact", "Contact", "An email address or an https:// URL for questions.")}
        {text("stored", "What is stored", "Leave it empty for Assay’s own sentence, which names the days below.")}
        <div class="public-fields">
          {number("keepDays", "Days to keep a report", "1 to 30. That of a message over 1 MB is deleted sooner.")}
          {number("mostMegabytes", "Most megabytes in all", "Above it, the page asks visitors to come back later.")}
          {number(
            "testsPerHour",
            "Tests an hour for one visitor",
            "Counted for an IPv4 address or an IPv6 /64 network.",
          )}
        </div>
        {tick("runYourOwn", "Link to Assay’s handbook as “Run your own Assay”")}
        {tick("showsContent", "Show owners sender and subject of the newest results")}
      </ActionForm>
    </>
  );
}

type LogoProps = { readonly logo: string | null; readonly onChange: (logo: string | null) => void };

function LogoField({ logo, onChange }: LogoProps) {
  const read = (file: File | undefined) => {
    if (file === undefined) return;
    const reader = new FileReader();
    reader.onload = () => onChange(String(reader.result));
    reader.readAsDataURL(file);
  };
  return (
    <div class="field">
      <label for="public-logo">Logo</label>
      <input
        id="public-logo"
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        onChange={(event) => read(event.currentTarget.files?.[0])}
      />
      <span class="hint">A PNG, JPEG, WebP, or GIF of at most 100 KB.</span>
      {logo !== null && (
        <p class="row">
          <img src={logo} alt="Logo" height="40" />
          <button class="btn small" type="button" onClick={() => onChange(null)}>
            Remove the logo
          </button>
        </p>
      )}
    </div>
  );
}

function Embedding({ url }: { readonly url: string }) {
  const frame = `<script src="${url}/files/widget.js" async></script>`;
  const button = `<a href="${url}"><img src="${url}/files/button.svg" width="172" height="40" alt="Test your email"></a>`;
  return (
    <>
      <p>The page in a frame, where this line stands:</p>
      <Copyable text={frame} what="the line of the frame" />
      <p>Or a button that leads to it:</p>
      <Copyable text={button} what="the line of the button" />
    </>
  );
}

function Numbers({ days }: PublicTests) {
  if (days.length === 0) return null;
  return (
    <div class="card flush">
      <Table
        look="fold mid"
        caption={`The last ${days.length === 1 ? "day" : `${days.length} days`} with visitors`}
        columns={["Day", { num: "Tests" }, { num: "Deleted" }, "Refused"]}
      >
        {days.toReversed().map(({ day, numbers: { received = 0, pasted = 0, deleted = 0, ...others } }) => (
          <tr key={day}>
            <th scope="row">{toDay(day)}</th>
            <td class="num" data-l="Tests">
              {toCount(received + pasted)}
            </td>
            <td class="num" data-l="Deleted">
              {toCount(deleted)}
            </td>
            <td data-l="Refused">{toRefusedWords(others) || <span class="faint">none</span>}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

function Newest({ newest, page }: PublicTests) {
  if (newest.length === 0) return <Note tone="info">No visitor has tested a message yet.</Note>;
  const shown = page.showsContent ? ["From and subject"] : [];
  return (
    <div class="card flush">
      <Table
        look="fold mid"
        caption="Newest results"
        columns={["Received", ...shown, { num: "Score" }, "SPF, DKIM, DMARC"]}
      >
        {newest.map(({ receivedAt, from, subject, composite, spf, dkim, dmarc }, index) => (
          <tr key={index}>
            <th scope="row">{toMoment(receivedAt)}</th>
            {page.showsContent && (
              <td data-l="From">
                <bdi>{from}</bdi>
                <span class="label under">
                  <bdi>{subject}</bdi>
                </span>
              </td>
            )}
            <td class="num" data-l="Score">
              {composite === null ? "–" : toScore(composite)}
            </td>
            <td data-l="Results">{[spf, dkim, dmarc].map((verdict) => verdict ?? "unknown").join(", ")}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
