// The addresses and domains that the workspace sends from: what is listed first. And one of them, with its history.

import { useContext, useState } from "preact/hooks";
import { call } from "../../web/client/call.ts";
import type { AnswerTo } from "../../web/client/endpoints.ts";
import { useLoaded } from "../../web/client/loading.ts";
import { goTo, useArrival, usePlace, useTitle } from "../../web/client/router.tsx";
import { useSession } from "../../web/client/session.ts";
import { troubleAt, useDoing } from "../../web/client/use-action.ts";
import { toCount, toPlural } from "../../web/client/words.ts";
import { FormTrouble } from "../../web/parts/form.tsx";
import { PageHeading, RoomHeading } from "../../web/parts/heading.tsx";
import { Icon } from "../../web/parts/icon.tsx";
import { EmptyState, LoadNote, sayDone } from "../../web/parts/states.tsx";
import { Table } from "../../web/parts/table.tsx";
import { Away, Moment } from "../../web/parts/text.tsx";
import { Severity, type Tone } from "../../web/parts/tone.tsx";
import { ConfirmDoing, FormDialog, TroubleNote } from "../../web/settings/parts.tsx";
import type { AddressListing, OwnAddress } from "./contract.ts";

const pageSize = 50;

const tones: Readonly<Record<AddressListing["class"], Tone>> = {
  major: "critical",
  bad: "critical",
  policy: "major",
  abused: "major",
  minor: "minor",
  grey: "info",
  broad: "info",
};

const originWords: Readonly<Record<OwnAddress["origin"], string>> = {
  typed: "added by hand",
  domain: "monitored domain",
  spf: "SPF record",
  tests: "received mail",
  reports: "DMARC reports",
};

export function AddressesPage() {
  useTitle("Addresses");
  const { query } = usePlace();
  const offset = Math.max(0, Math.floor(Number(query.get("offset") ?? 0)) || 0);
  const { loaded, reload } = useLoaded(`addresses ${offset}`, (signal) =>
    call("GET /api/own-addresses", { query: { limit: pageSize, offset }, signal }),
  );
  useArrival(loaded.state !== "loading");
  const page = loaded.value;
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <RoomHeading lead={page?.says}>
        <button class="btn" type="button" onClick={() => setAdding(true)}>
          Add addresses
        </button>
      </RoomHeading>
      <LoadNote loaded={loaded} onRetry={reload} lines={6} what="the addresses" />
      {page !== null && (
        <>
          {page.total > 0 && <AddressTable page={page} offset={offset} />}
          <Lists page={page} onDone={reload} />
        </>
      )}
      {page !== null && (
        <p class="muted mt-6">
          To get notified, add the event “A blocklist listed one of your addresses” to an <a href="/alerts">alert</a>.
        </p>
      )}
      {isAdding && <AddDialog onDone={reload} onClose={() => setAdding(false)} />}
    </>
  );
}

type Page = AnswerTo<"GET /api/own-addresses">;

function AddressTable({ page: { items, total }, offset }: { readonly page: Page; readonly offset: number }) {
  const last = offset + items.length;
  return (
    <>
      <div class="card flush">
        <Table look="fold" label="Addresses, the worst first" columns={["Address", "On lists", "Since", "Last lookup"]}>
          {items.map((address) => (
            <AddressRow key={address.id} address={address} />
          ))}
        </Table>
      </div>
      {total > items.length && (
        <p class="row mt-3">
          <span class="muted">
            {toCount(offset + 1)} to {toCount(last)} of {toCount(total)}
          </span>
          {offset > 0 && <a href={`/addresses?offset=${Math.max(0, offset - pageSize)}`}>Previous</a>}
          {last < total && <a href={`/addresses?offset=${last}`}>Next</a>}
        </p>
      )}
    </>
  );
}

function AddressRow({
  address: { id, value, origin, listings, isWatched, checkedAt },
}: {
  readonly address: OwnAddress;
}) {
  const [worst] = listings;
  return (
    <tr>
      <th scope="row">
        <a href={`/addresses/${id}`}>{value}</a>
        <span class="label under">{originWords[origin]}</span>
      </th>
      <td data-l="On lists">
        {worst ? (
          <span>
            <Severity tone={tones[worst.class]}>{listings.map(({ list }) => list).join(", ")}</Severity>
            <span class="under small muted">{worst.means}</span>
          </span>
        ) : !isWatched ? (
          <span class="faint">No list that is on takes it.</span>
        ) : checkedAt === null ? (
          <span class="faint">not known yet</span>
        ) : (
          <Severity tone="good">none</Severity>
        )}
      </td>
      <td data-l="Since">{worst ? <Moment time={worst.since} /> : <span class="faint">–</span>}</td>
      <td data-l="Last lookup">
        {checkedAt === null ? <span class="faint">not yet</span> : <Moment time={checkedAt} />}
      </td>
    </tr>
  );
}

function Lists({ page: { lists, free }, onDone }: { readonly page: Page; readonly onDone: () => void }) {
  const { operator } = useSession().workspace;
  const { isBusy, trouble, run } = useDoing();
  const turnOn = async () => {
    const act = async () => {
      for (const zone of free) await call("PUT /api/blocklists/:zone", { params: { zone }, body: {} });
    };
    if (!(await run(act))) return;
    onDone();
    sayDone(`${toPlural(free.length, "list is", "lists are")} on.`);
  };
  return (
    <section class="sec">
      <div class="sec-h">
        <h2>Lists</h2>
        <p>
          Each address is looked up once an hour, spread over the hour, on the lists that are on.{" "}
          {operator && <a href="/settings/blocklists">All lists and their terms</a>}
        </p>
      </div>
      {lists.length > 0 && (
        <div class="card flush">
          <Table look="fold" label="Lists that are on" columns={["List", "State", { num: "Queries, last hour" }]}>
            {lists.map(({ zone, list, problem, lastHour, perHour, everyHours }) => (
              <tr key={zone}>
                <th scope="row">
                  {list} <span class="label under">{zone}</span>
                </th>
                <td data-l="State">
                  {problem === null ? (
                    <Severity tone="good">works</Severity>
                  ) : (
                    <Severity tone="unknown">{problem}. Its answers don’t count.</Severity>
                  )}
                </td>
                <td class="num" data-l="Queries, last hour">
                  {toCount(lastHour)}, lookups stop at {toCount(perHour)}
                  {everyHours > 1 && <span class="label under">each address every {everyHours} hours</span>}
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
      {free.length > 0 && (
        <div class="stack mt-4">
          <p class="measure">
            The terms of {toPlural(free.length, "more list allows", "more lists allow")} this use without a key or
            registration: {free.join(", ")}.
          </p>
          {operator ? (
            <button class="btn primary" type="button" disabled={isBusy} onClick={() => void turnOn()}>
              Turn them on
            </button>
          ) : (
            <p class="muted">Ask your administrator to turn them on.</p>
          )}
          <TroubleNote trouble={trouble} title="Couldn’t turn the lists on." />
        </div>
      )}
    </section>
  );
}

type AddProps = { readonly onDone: () => void; readonly onClose: () => void };

function AddDialog({ onDone, onClose }: AddProps) {
  const add = (typed: FormData) =>
    call("POST /api/own-addresses", { body: { values: String(typed.get("values") ?? "").match(/[^\s,;]+/g) ?? [] } });
  return (
    <FormDialog
      title="Add addresses"
      action="Add"
      act={add}
      done="Added. The first lookup follows within minutes."
      failed="Couldn’t add them."
      onDone={onDone}
      onClose={onClose}
    >
      <ValuesField />
    </FormDialog>
  );
}

function ValuesField() {
  const error = troubleAt(useContext(FormTrouble), "values");
  const hints = error === null ? "values-hint" : "values-hint values-error";
  return (
    <div class="field">
      <label for="values">IP addresses and domains</label>
      <textarea
        class="input"
        id="values"
        name="values"
        rows={6}
        required
        spellcheck={false}
        aria-invalid={error === null ? undefined : "true"}
        aria-describedby={hints}
      />
      <span class="hint" id="values-hint">
        One on each line, IPv4 or IPv6. Up to 1,000.
      </span>
      {error !== null && (
        <span class="err" id="values-error" role="alert">
          <Icon name="critical" />
          {error}
        </span>
      )}
    </div>
  );
}

export function AddressPage({ id }: { readonly id: string }) {
  const { loaded, reload } = useLoaded(id, (signal) => call("GET /api/own-addresses/:id", { params: { id }, signal }));
  const [isLeaving, setLeaving] = useState(false);
  const address = loaded.value;
  useTitle(address?.value ?? "Address");
  useArrival(loaded.state !== "loading");
  if (loaded.state === "failed" && loaded.trouble.code === "not_found")
    return (
      <EmptyState icon="search" title="Address not found" isPage>
        <p>It was removed or belongs to another workspace.</p>
        <a class="btn" href="/addresses">
          See all addresses
        </a>
      </EmptyState>
    );
  const history = address?.history ?? [];
  const open = history.filter(({ until }) => until === null);
  return (
    <>
      <p>
        <a href="/addresses">All addresses</a>
      </p>
      <LoadNote loaded={loaded} onRetry={reload} lines={8} what="the address" />
      {address && (
        <>
          <PageHeading
            title={address.value}
            label={originWords[address.origin]}
            lead={
              open.length > 0
                ? `On ${toPlural(open.length, "list", "lists")}.`
                : !address.isWatched
                  ? "No list that is on takes such an address."
                  : address.checkedAt === null
                    ? "Not looked up yet."
                    : "On none of the lists that are on."
            }
          >
            <button class="btn danger" type="button" onClick={() => setLeaving(true)}>
              Remove
            </button>
          </PageHeading>
          {open.map((listing) => (
            <ListingCard key={listing.zone} listing={listing} />
          ))}
          {history.length > 0 && <History history={history} />}
          {isLeaving && (
            <ConfirmDoing
              title={`Remove ${address.value}?`}
              action="Remove"
              act={() => call("DELETE /api/own-addresses/:id", { params: { id } })}
              done={`${address.value} removed.`}
              failed="Couldn’t remove the address."
              onDone={() => goTo("/addresses", { replace: true })}
              onClose={() => setLeaving(false)}
            >
              <p>Its history will be deleted, and it won’t be looked up again until you add it by hand.</p>
            </ConfirmDoing>
          )}
        </>
      )}
    </>
  );
}

function ListingCard({ listing }: { readonly listing: AddressListing }) {
  const { list, class: weight, code, meaning, says, since, confirmedAt, means, steps, delistUrl } = listing;
  return (
    <section class="card stack mt-4">
      <h2 class="t4">
        <Severity tone={tones[weight]}>{list}</Severity>
      </h2>
      <p>{means}</p>
      <p>
        <strong>What to do:</strong> {steps} {delistUrl !== null && <Away url={delistUrl}>Open the list’s page</Away>}
      </p>
      <dl class="facts">
        <dt>Since</dt>
        <dd>
          <Moment time={since} />, confirmed <Moment time={confirmedAt} />
        </dd>
        <dt>Answer</dt>
        <dd>
          <code>{code}</code> {meaning}
        </dd>
        {says !== null && (
          <>
            <dt>The list says</dt>
            <dd>{says}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

function History({ history }: { readonly history: readonly AddressListing[] }) {
  return (
    <section class="sec">
      <div class="sec-h">
        <h2>History</h2>
      </div>
      <div class="card flush">
        <Table look="fold" label="Listings, newest first" columns={["List", "From", "To", "Answer"]}>
          {history.map(({ list, zone, since, until, code, meaning }) => (
            <tr key={`${zone} ${since}`}>
              <th scope="row">{list}</th>
              <td data-l="From">
                <Moment time={since} />
              </td>
              <td data-l="To">{until === null ? "still listed" : <Moment time={until} />}</td>
              <td data-l="Answer">
                <span>
                  <code>{code}</code> {meaning}
                </span>
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </section>
  );
}
