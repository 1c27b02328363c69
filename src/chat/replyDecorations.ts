/**
 * What helps to read one view's replies: the colours of code in the colour theme the view is shown in,
 * and links to the files a reply names.
 */
import { Disposables, type Disposable } from "../base/disposables";
import type { Event } from "../base/event";
import type { HostReply, ToHost, ToView } from "../protocol/messages";
import type { TokenTheme } from "../protocol/views";

/** What the aids ask of the editor around them. */
export interface DecorationsHost {
  /** How code looks in a colour theme; undefined if that cannot be known. */
  tokenTheme(themeId: string): Promise<TokenTheme | undefined>;
  readonly onTokenThemeChanged: Event<void>;
  /** For each mention of a file in a reply the file's number; null where there is none. */
  findFiles(mentions: readonly string[]): Promise<(number | null)[]>;
  openFile(file: number): void;
}

type ThemeRead = Omit<Extract<ToView, { type: "theme-read" }>, "seq">;

/** One per view. */
export class ReplyDecorations implements Disposable {
  private readonly owned = new Disposables();
  /** The colour theme the page is shown in. */
  private themeId: string | undefined;

  /** @param replyText the text of a shown reply by its message's id */
  constructor(
    private readonly host: DecorationsHost,
    private readonly replyText: (messageId: string) => string | undefined,
    private readonly post: (message: ThemeRead) => void,
  ) {
    this.owned.add(host.onTokenThemeChanged(() => void this.sendTheme()));
  }

  async handle(
    message: Extract<ToHost, { type: "theme-shown" | "files-named" | "file-opened" }>,
  ): Promise<HostReply | undefined> {
    switch (message.type) {
      case "theme-shown":
        this.themeId = message.themeId;
        await this.sendTheme();
        return undefined;
      case "files-named": {
        const reply = this.replyText(message.messageId);
        if (reply === undefined) return undefined;
        // Only what the reply itself names is looked for.
        const named = message.mentions.map((text) => (reply.includes(text) ? text : ""));
        return { isAccepted: true, files: await this.host.findFiles(named) };
      }
      case "file-opened":
        this.host.openFile(message.file);
        return undefined;
      default:
        return message satisfies never;
    }
  }

  /** Tells the page how code looks; once more after it may have missed it. */
  async sendTheme(): Promise<void> {
    const { themeId } = this;
    if (themeId === undefined) return;
    const theme = await this.host.tokenTheme(themeId);
    if (themeId === this.themeId) this.post({ type: "theme-read", ...(theme && { theme }) });
  }

  /** The page is gone; the next one says anew what it is shown in. */
  disconnect(): void {
    this.themeId = undefined;
  }

  dispose(): void {
    this.disconnect();
    this.owned.dispose();
  }
}
