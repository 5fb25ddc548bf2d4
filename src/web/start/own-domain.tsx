// Mail from outside: a domain of the operator's own, the records and settings that lead its mail here, and how much of that
// is in place. It tells of the whole server: owners of its first workspace may ask.

import { useEffect, useState } from "preact/hooks";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { goTo, usePlace } from "../client/router.tsx";
import { useIsOwner } from "../client/session.ts";
import { troubleAt } from "../client/use-action.ts";
import { Field } from "../parts/field.tsx";
import { ErrorNote, Note, Skeleton } from "../parts/states.tsx";
import { DoctorFold } from "./doctor.tsx";
import { DomainLook } from "./domain-look.tsx";

const lookAgainMs = 5_000;

export function OwnDomain() {
  const isOwner = useIsOwner();
  const asked = usePlace().query.get("domain");
  return (
    <section class="mt-7 stack" aria-labelledby="own-domain">
      <div class="sec-h">
        <h2 id="own-domain">Use my own domain</h2>
        <p>
          A seed address at a domain of yours takes mail from every server on the internet. It needs two
          records in DNS and three settings here.
        </p>
      </div>
      {isOwner ? (
        <>
          {asked === null ? <DomainForm typed="" error={null} /> : <AskedDomain key={asked} domain={asked} />}
          <DoctorFold />
        </>
      ) : (
        <Note>Owners of this server’s first workspace can set it up here.</Note>
      )}
    </section>
  );
}

type DomainFormProps = { readonly typed: string; readonly error: string | null };

function DomainForm({ typed, error }: DomainFormProps) {
  const look = (event: SubmitEvent) => {
    event.preventDefault();
    const domain = String(new FormData(event.currentTarget as HTMLFormElement).get("domain") ?? "").trim();
    if (domain !== "") goTo(`/start?domain=${encodeURIComponent(domain)}`);
  };
  return (
    <form class="card domain-form" onSubmit={look}>
      <Field
        label="Domain"
        name="domain"
        required
        value={typed}
        autoComplete="off"
        hint="One that takes no mail yet, like seed.example.com. All of its mail comes here."
        error={error}
      />
      <button class="btn" type="submit">
        Show its records
      </button>
    </form>
  );
}

function AskedDomain({ domain }: { readonly domain: string }) {
  const { loaded, reload } = useLoaded(domain, (signal) =>
    call("GET /api/doctor/mx", { query: { domain }, signal }),
  );
  const look = loaded.value;
  const isWaiting = look !== null && !look.isPublished;
  useRepeat(isWaiting, reload);
  const trouble = loaded.state === "failed" ? loaded.trouble : null;
  const atField = troubleAt(trouble, "domain");
  return (
    <>
      <DomainForm typed={look?.domain ?? domain} error={atField} />
      {trouble?.code === "forbidden" ? (
        <Note>{trouble.message}</Note>
      ) : (
        trouble !== null &&
        atField === null && (
          <ErrorNote title="The domain could not be looked at." message={trouble.message} onRetry={reload} />
        )
      )}
      {look === null && trouble === null && <Skeleton lines={5} what="its records" />}
      {look !== null && <DomainLook look={look} onLook={reload} />}
    </>
  );
}

/** While somebody can see it. */
function useRepeat(isWanted: boolean, act: () => void): void {
  const [isSeen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    const follow = () => setSeen(!document.hidden);
    document.addEventListener("visibilitychange", follow);
    return () => document.removeEventListener("visibilitychange", follow);
  }, []);
  useEffect(() => {
    if (!isWanted || !isSeen) return;
    const timer = setInterval(act, lookAgainMs);
    return () => clearInterval(timer);
  }, [isWanted, isSeen, act]);
}
