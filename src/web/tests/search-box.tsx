import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../client/keys.ts";
import { goTo } from "../client/router.tsx";
import { Icon } from "../parts/icon.tsx";
import { operatorNames, type Search } from "./search.ts";

const examples = ["score:<70", "status:failed", "from:example.com"];

export function SearchBox({ text, search }: { readonly text: string; readonly search: Search }) {
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
        <p class="row small muted" id="search-help">
          {text === "" ? (
            <>
              <span>Try</span>
              {examples.map((example) => (
                <a key={example} class="btn small" href={addressOfSearch(example)}>
                  {example}
                </a>
              ))}
              <span class="wide-only">Filters: {operatorNames.map((name) => `${name}:`).join(" ")}</span>
            </>
          ) : (
            search.terms.map((term, index) => (
              <Term key={`${term}-${index}`} terms={search.terms} index={index} />
            ))
          )}
        </p>
      </form>
    </search>
  );
}

function Term({ terms, index }: { readonly terms: readonly string[]; readonly index: number }) {
  const others = terms.filter((_, at) => at !== index).join(" ");
  return (
    <span class="op">
      {terms[index]}{" "}
      <button
        type="button"
        aria-label={`Remove ${terms[index]}`}
        onClick={() => goTo(addressOfSearch(others))}
      >
        ×
      </button>
    </span>
  );
}

function addressOfSearch(text: string): string {
  return text.trim() === "" ? "/tests" : `/tests?q=${encodeURIComponent(text.trim())}`;
}
