/**
 * Builds the services of the page and renders the panel over the composer of the HTML. bootMain.ts
 * loads this file; the Markdown renderer is loaded as a chunk of its own afterwards.
 */
import type { Boot } from "./boot/early";
import "./boot/prepare";
import { signal } from "@preact/signals";
import { render } from "preact";
import { systemClock } from "../base/clock";
import { Announcer } from "./state/announcer";
import { HostClient } from "./boot/hostClient";
import { followCodeTheme } from "./transcript/codeTheme";
import { CompletionProvider } from "./composer/completionContext";
import { HistoryProvider } from "./history/historyContext";
import { PicturesProvider } from "./pictures/picturesContext";
import { RendererProvider } from "./transcript/rendererContext";
import { CompletionController } from "./composer/completion";
import { ComposerDraft } from "./state/draft";
import { loadRenderer } from "./boot/loadRenderer";
import { HistoryPane } from "./history/historyPane";
import { reportPageErrors } from "./boot/pageErrors";
import { Panel } from "./panel";
import { PanelProvider } from "./state/panelContext";
import { PagePictures } from "./pictures/pagePictures";
import { named } from "./pictures/attach/clipboardPictures";
import { PasteAndDrop } from "./pictures/attach/pasteAndDrop";
import { Navigation } from "./state/navigation";
import { PanelStore } from "./state/store";
import { ReplyCache } from "./transcript/replyCache";
import type { CreateMarkdownStream } from "./transcript/replyRenderer";
import { RenderQueue } from "./transcript/renderQueue";
import { TextPace } from "./state/textPace";
import { ViewMemory } from "./state/viewMemory";

export function start({ editorApi, end }: Boot): void {
  const root = document.getElementById("root");
  if (root === null) return;
  const store = new PanelStore();
  const client = new HostClient((envelope) => editorApi.postMessage(envelope), store, systemClock);
  const reportFailure = (where: string) => client.reportFailure(where);
  reportPageErrors(reportFailure);

  const memory = new ViewMemory(editorApi);
  // Before the draft handles the same message.
  store.on("snapshot", ({ conversationId, panel }) =>
    memory.setUnsaved(conversationId, panel.unsaved !== undefined),
  );
  store.on("panel-changed", ({ panel }) =>
    memory.setUnsaved(store.conversationId.peek() ?? "", panel.unsaved !== undefined),
  );
  const pictures = new PagePictures(client, store, import.meta.url, reportFailure);
  const draft = new ComposerDraft(client, store, memory, pictures.attaching, systemClock);
  const pasteAndDrop = new PasteAndDrop(pictures, store, client, draft);
  const completion = new CompletionController(client, store, draft, systemClock);
  const announcer = new Announcer(store, systemClock, document.documentElement.lang);
  new TextPace(
    store,
    client,
    () => memory.placeIn(store.conversationId.peek() ?? "") === undefined,
    () => client.roundTripMs,
  );
  const askEarlier = () => {
    // A task queued in an animation frame runs after that frame was painted.
    const ask = () => setTimeout(() => client.send({ type: "earlier-asked" }));
    if (store.earlierCount.peek() > 0) requestAnimationFrame(ask);
  };
  store.on("snapshot", askEarlier);
  store.on("earlier-shown", askEarlier);
  const history = new HistoryPane(client, store, systemClock, (text) => announcer.showToast(text));
  store.on("snapshot", ({ conversationId }) => memory.show(conversationId));
  const markdown = signal<CreateMarkdownStream | undefined>(undefined);
  const isWholeNeeded = signal(false);
  const navigation = new Navigation(store);
  navigation.onHistoryAsked(() => history.open());
  const parts = {
    store,
    host: client,
    draft,
    memory,
    announcer,
    navigation,
    isWholeNeeded,
  };
  const rendering = {
    markdown,
    reportFailure,
    renderers: new Map(),
    renderQueue: new RenderQueue(),
    farReplies: new ReplyCache(),
  };

  window.addEventListener("message", (event) => client.receive(event));
  // VS Code disposes the page without notice, so unsaved changes are sent early.
  const flush = () => draft.flush();
  window.addEventListener("pagehide", flush);
  // Begins a shortcut, which can close the page.
  window.addEventListener("keydown", ({ key }) => {
    if (["Control", "Meta", "Alt"].includes(key)) draft.flush();
  });
  window.addEventListener("pagehide", () => pasteAndDrop.dispose());
  document.addEventListener("visibilitychange", flush);

  const focusMoved = (isInside: boolean) => client.send({ type: "focus-moved", isInside });
  window.addEventListener("focus", () => focusMoved(true));
  window.addEventListener("blur", () => focusMoved(false));

  const { text, isAsked, received, pasted, dropped } = end();
  if (text !== "") draft.setText(text);
  if (pasted.length > 0) pasteAndDrop.attachFiles(named(pasted));
  if (dropped.length > 0) pasteAndDrop.attachFiles(dropped);
  if (isAsked && !completion.acceptKey("Enter", text, text.length)) void draft.send();
  render(
    <PanelProvider value={parts}>
      <PicturesProvider value={pictures}>
        <HistoryProvider value={history}>
          <CompletionProvider value={completion}>
            <RendererProvider value={rendering}>
              <Panel isDragging={pasteAndDrop.isDragging} />
            </RendererProvider>
          </CompletionProvider>
        </HistoryProvider>
      </PicturesProvider>
    </PanelProvider>,
    root,
  );
  client.start(received);
  if (document.hasFocus()) focusMoved(true);
  loadRenderer(import.meta.url, reportFailure).then(
    (loaded) => {
      markdown.value = loaded.create;
      followCodeTheme(client, store, (theme) => loaded.setTheme(theme));
    },
    () => reportFailure("markdown chunk"), // Replies stay plain text.
  );
}
