/** Parts that the first frame does not need. They are one chunk, which is loaded after that frame. */
export { CompletionList } from "./composer/completionList";
export { ContextNote, ContextRing } from "./composer/contextMeter";
export { FieldMarks } from "./composer/fieldMarks";
export { PictureNotes } from "./composer/pictureNotes";
export { RoleChip } from "./composer/roleChip";
export { WaitingQuestions } from "./composer/waitingQuestions";
export { PictureNotesChip } from "./pictures/attach/pictureNotesChip";
export { PictureLayer } from "./pictures/viewer/pictureLayer";
export { FindBar } from "./transcript/findBar";
export { QuoteBar } from "./transcript/quoteBar";
export { Summaries } from "./transcript/summaryCard";
export { TranscriptJumps } from "./transcript/transcriptJumps";
