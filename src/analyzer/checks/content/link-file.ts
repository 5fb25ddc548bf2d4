import { defineCheck } from "../check.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { raiseEach } from "./senders.ts";
import { shown } from "./shown.ts";

export const linkFile = defineCheck({
  id: "link-file",
  helpPage: "fix-links",
  label: "Links to programs",
  owner: "content",
  asks: "whether links download programs",
  why: "Filters treat a link to a program like an attached program.",
  refs: ["public filter rules"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim", "session"],
  passes: "No link downloads a program.",
  findings: {
    program: {
      severity: "major",
      title: "Link to a program",
      says: "{url} downloads a .{ext} file.",
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
