import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../../../web/client/keys.ts";
import { goTo } from "../../../web/client/router.tsx";
import { Icon } from "../../../web/parts/icon.tsx";
import { addressOfList, type Sort, type TypedSearch } from "./search.ts";

const examples = ["score:<70", "dmarc:fail", "-label:ci", "after:7d"];

type SearchBoxProps = { readonly text: string; readonly search: TypedSearch; readonly sort: Sort };

export function SearchBox({ text, search, sort }: SearchBoxProps) {
  const addressOfSearch = (typed: string) => addressOfList({ text: typed, sort });
  const [typed, setTyped] = useState(text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(text), [text]);
  const keys = useMemo(() => ({ "/": () => input.current?.select() }), []);
  useKeys(keys);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    goTo(addressOfSearch(typed));
  };
  return (
    <search aria-label="Tests">
      <form class="stack-2 mb-4" onSubmit={submit}>
        <div class="search">
          <span class="tone info">
            <Icon name="search" />
          </span>
          <input
            ref={input}
            type="search"
            aria-label="Search tests"
            aria-describedby="search-help"
            placeholder="Search, or use from: label: score:<70"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") event.currentTarget.blur();
            }}
          />
          <kbd>/</kbd>
          <button class="btn small" type="submit">
            Search
          </button>
        </div>
        {search.problems.map((problem) => (
          <p key={problem} class="small tone minor" role="alert">
            {problem}
          </p>
        ))}
        {search.problems.length > 0 && (
          <p class="small">
            <a href="/docs/search">Search help</a>
          </p>
        )}
        <p class="row small muted" id="search-help">
          {text === "" ? (
            <>
              <span>Try</span>
              {examples.map((example) => (
                <a key={example} class="btn small" href={addressOfSearch(example)}>
                  {example}
                </a>
              ))}
              <a href="/docs/search">Search help</a>
            </>
          ) : (
            search.terms.map((term, index) => (
              <Term key={`${term}-${index}`} terms={search.terms} index={index} addressOf={addressOfSearch} />
            ))
          )}
        </p>
      </form>
    </search>
  );
}

type TermProps = {
  readonly terms: readonly string[];
  readonly index: number;
  readonly addressOf: (text: string) => string;
};

function Term({ terms, index, addressOf }: TermProps) {
  const others = terms.filter((_, at) => at !== index).join(" ");
  return (
    <span class="op">
      {terms[index]}{" "}
      <button type="button" aria-label={`Remove ${terms[index]}`} onClick={() => goTo(addressOf(others))}>
        ×
      </button>
    </span>
  );
}
