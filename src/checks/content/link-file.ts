import { defineCheck } from "../check.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { raiseEach } from "./senders.ts";
import { shown } from "./shown.ts";

export const linkFile = defineCheck({
  id: "link-file",
  area: "content",
  label: "Links to programs",
  owner: "content",
  asks: "whether links hand out programs",
  why: "Filters treat a link to a program as they treat one that is attached.",
  refs: ["public filter rules"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim"],
  kinds: "all",
  domain: "no",
  passes: "No link hands out a program.",
  findings: {
    program: {
      severity: "major",
      cost: 18,
      title: "Link to a program",
      says: "{url} opens a .{ext} file.",
      fix: "Link to a page that explains the download.",
    },
  },
  run(facts) {
    const judged = judgeLinks(facts);
    const raised = raiseEach("program", judged.of("link-file"), ({ href, fileExtension }) => ({
      subject: href,
      data: { url: shown(href), ext: fileExtension },
    }));
    return conclude("link-file", judged, raised);
  },
});
