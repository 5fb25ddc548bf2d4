// What was and what is, one above the other: tinted, and what differs struck through or underlined as well.

type DiffProps = {
  readonly before: string | null;
  readonly after: string | null;
  /** Of the two lines. */
  readonly names?: { readonly before: string; readonly after: string };
  /** Instead of nothing. */
  readonly nothing?: string;
};

export function Diff({
  before,
  after,
  names = { before: "Before", after: "Now" },
  nothing = "nothing",
}: DiffProps) {
  const { start, was, is, end } = toDifference(before ?? "", after ?? "");
  return (
    <div class="diff">
      <div class="old">
        <span>{names.before}</span>
        <span>
          {before === null ? (
            <i>{nothing}</i>
          ) : (
            <>
              {start}
              <Marked as="del" text={was} />
              {end}
            </>
          )}
        </span>
      </div>
      <div class="new">
        <span>{names.after}</span>
        <span>
          {after === null ? (
            <i>{nothing}</i>
          ) : (
            <>
              {start}
              <Marked as="ins" text={is} />
              {end}
            </>
          )}
        </span>
      </div>
    </div>
  );
}

/** What both begin and end with, in whole words, and what stands between. */
export function toDifference(before: string, after: string) {
  const [old, young] = [before, after].map((text) => text.split(/(\s+)/)) as [string[], string[]];
  const most = Math.min(old.length, young.length);
  let head = 0;
  while (head < most && old[head] === young[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === young.at(-1 - tail)) tail++;
  const middle = (words: readonly string[]) => words.slice(head, words.length - tail).join("");
  return {
    start: old.slice(0, head).join(""),
    was: middle(old),
    is: middle(young),
    end: tail === 0 ? "" : old.slice(-tail).join(""),
  };
}

/** The space behind it is not marked. */
function Marked({ as: Mark, text }: { readonly as: "del" | "ins"; readonly text: string }) {
  const words = text.trimEnd();
  return (
    <>
      {words !== "" && <Mark>{words}</Mark>}
      {text.slice(words.length)}
    </>
  );
}
