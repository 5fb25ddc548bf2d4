// What a person learns who comes back from a provider. The address says it in codes; it is read once and taken out of it.

import { useEffect, useState } from "preact/hooks";
import type { Integration } from "../../api/integrations.ts";
import { goTo, usePlace } from "../client/router.tsx";
import { Icon } from "../parts/icon.tsx";
import { toProblemWords } from "./connect-problems.ts";

type Arrived = { readonly provider: string; readonly problem: string | null };

/** Null: nobody arrives, this is a visit like any other. */
export function useArrived(): Arrived | null {
  const { path, query } = usePlace();
  const [arrived, setArrived] = useState(() => readArrival(query));
  useEffect(() => {
    const here = readArrival(query);
    if (here === null) return;
    setArrived(here);
    goTo(path, { replace: true });
  }, [query]);
  return arrived;
}

function readArrival(query: URLSearchParams): Arrived | null {
  const [connected, problem] = [query.get("connected"), query.get("problem")];
  if (connected !== null) return { provider: connected, problem: null };
  return problem === null ? null : { provider: query.get("provider") ?? "", problem };
}

/** Nothing of the address is shown: names and codes that we know stand for words of ours. */
export function ArrivalNote({
  arrived: { provider, problem },
  integrations,
}: {
  readonly arrived: Arrived;
  readonly integrations: readonly Integration[];
}) {
  const known = integrations.find((one) => one.provider === provider);
  if (problem !== null)
    return (
      <p class="note critical arrival" role="alert">
        <Icon name="critical" />
        <span>
          <strong>{known ? `${known.label} was not connected.` : "Nothing was connected."}</strong>{" "}
          {toProblemWords(problem)}
        </span>
      </p>
    );
  if (!known?.connected) return null;
  return (
    <p class="note good arrival" role="status">
      <Icon name="good" />
      <span>
        <strong>{known.label} is connected.</strong> {known.purpose}
      </span>
    </p>
  );
}
