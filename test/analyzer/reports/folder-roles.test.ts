import { describe, expect, test } from "vitest";
import { type ListedFolder, readFolderRoles } from "../../../src/analyzer/reports/folder-roles.ts";

type Shown = string | readonly string[];

/** A path, or one with its flags. */
function list(...folders: Shown[]): ListedFolder[] {
  return folders.map((folder) => {
    const [path = "", ...flags] = typeof folder === "string" ? [folder] : folder;
    return { path, name: path.split(/[/.]/).at(-1) ?? "", flags };
  });
}
const spamOf = (...folders: Shown[]) =>
  readFolderRoles(list("INBOX", ...folders)).find(({ role }) => role === "spam")?.path;

describe("the folders that tell where mail lands", () => {
  test("what the server says of a folder's use counts before its name", () => {
    expect(spamOf("Spam", ["Unsinn", "\\Junk"])).toBe("Unsinn");
    expect(spamOf(["[Gmail]/Spam", "\\HasNoChildren", "\\Junk"])).toBe("[Gmail]/Spam");
  });

  test.each([
    "Spam",
    "Junk E-mail",
    "Bulk Mail",
    "Courrier indésirable",
    "Spamverdacht",
    "垃圾邮件",
    "Спам",
    "INBOX.Junk",
  ])("without a special use, %s is spam", (name) => expect(spamOf(name)).toBe(name));

  test("a name is compared as people see it", () => {
    expect(spamOf("INDÉSIRABLES".normalize("NFD"))).toBe("INDÉSIRABLES".normalize("NFD"));
  });

  test("a mailbox without a spam folder has none", () => {
    expect(readFolderRoles(list("INBOX", "Spam recipes"))).toEqual([{ path: "INBOX", role: "inbox", folder: "inbox" }]);
  });

  test("folders of advertising count as promotions, a second spam folder as spam, tabs as the inbox", () => {
    const folders = list(
      "INBOX/Promotions",
      "Werbung",
      ["Junk", "\\Junk"],
      "Spam",
      "Social",
      ["Archive", "\\Archive"],
      "INBOX",
    );
    expect(readFolderRoles(folders).map(({ path, role, folder }) => [path, role, folder])).toEqual([
      ["INBOX", "inbox", "inbox"],
      ["Junk", "spam", "spam"],
      ["INBOX/Promotions", "other", "promotions"],
      ["Werbung", "other", "promotions"],
      ["Spam", "other", "spam"],
      ["Social", "other", "inbox"],
      ["Archive", "other", "inbox"],
    ]);
  });

  test("folders that nobody delivers to, that cannot be opened, or that show mail again do not count", () => {
    const beside = list(
      ["Sent", "\\Sent"],
      ["[Gmail]/All Mail", "\\All"],
      ["Spam", "\\NoSelect"],
      ["Promotions", "\\Trash"],
    );
    expect(readFolderRoles([...beside, ...list("INBOX")]).map(({ path }) => path)).toEqual(["INBOX"]);
  });

  test("thousands of folders are no reason to look at thousands", () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `folder ${at}/Promotions`);
    expect(readFolderRoles(list("INBOX", ...many))).toHaveLength(21);
  });
});
