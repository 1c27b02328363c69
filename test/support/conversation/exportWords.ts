import type { ExportMessages } from "../../../src/conversation/exportMarkdown";

export const EXPORT_WORDS: ExportMessages = {
  untitled: "Untitled",
  you: "You",
  assistant: "Assistant",
  missingPicture: (name) => `The picture ${name} is missing.`,
  pictureNotShown: ({ name }) => `Not shown: ${name}`,
  withheld: "This reply was withheld.",
  unfinished: "This reply did not come whole.",
  thinking: "Thinking",
  gapBefore: "Messages are missing.",
  summary: (count: number) => `Summary of ${count}`,
  aside: "Aside",
  gapInside: "Text is missing.",
};
