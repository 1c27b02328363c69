/** Token colors of the page's color theme, and links to files and lines that a reply mentions. */
import { Disposables, type Disposable } from "../../base/disposables";
import type { Event } from "../../base/event";
import type { MessageOf } from "../../protocol/handlers";
import type { HostHandlers, ToHost } from "../../protocol/toHost";
import type { HostReply, ToView } from "../../protocol/toView";
import type { TokenTheme } from "../../protocol/views";

export interface DecorationsHost {
  /** Returns the token colors of a color theme; undefined if unknown. */
  tokenTheme(themeId: string): Promise<TokenTheme | undefined>;
  readonly onTokenThemeChanged: Event<void>;
  /** Returns the file number of each mention; null if there is no such file. */
  findFiles(mentions: readonly string[]): Promise<(number | null)[]>;
  openFile(file: number): void;
  /** Finds the lines of code of marks; shows all marks in the editors if one of them is opened. */
  placeMarks(reply: MarkedReply): Promise<PlacedMarks>;
  /** Removes the marks of these replies from the editors. */
  clearMarks(messageIds: ReadonlySet<string>): void;
}

export type PlacedMarks = Pick<HostReply, "markLines" | "lacksCutOuts">;
export type MarkedReply = Omit<MessageOf<ToHost, "marks-placed">, "type"> & {
  readonly text: string;
};

export class ReplyDecorations implements Disposable {
  private readonly owned = new Disposables();
  /** Color theme of the page. */
  private themeId: string | undefined;
  /** Replies of the shown conversation whose marks were placed. */
  private markedIds = new Set<string>();

  readonly handlers = {
    "theme-shown": ({ themeId }) => {
      this.themeId = themeId;
      return this.sendTheme();
    },
    "files-named": (message) => this.findFiles(message),
    "file-opened": ({ file }) => this.host.openFile(file),
    "marks-placed": async (message) => {
      const text = this.replyText(message.messageId);
      if (text === undefined) return undefined;
      this.markedIds.add(message.messageId);
      return { isAccepted: true, ...(await this.host.placeMarks({ ...message, text })) };
    },
  } satisfies Partial<HostHandlers>;

  /** @param replyText returns the text of a shown reply by its message id */
  constructor(
    private readonly host: DecorationsHost,
    private readonly replyText: (messageId: string) => string | undefined,
    private readonly post: (message: MessageOf<ToView, "theme-read">) => void,
  ) {
    this.owned.add(host.onTokenThemeChanged(() => void this.sendTheme()));
  }

  private async findFiles({
    messageId,
    mentions,
  }: MessageOf<ToHost, "files-named">): Promise<HostReply | undefined> {
    const reply = this.replyText(messageId);
    if (reply === undefined) return undefined;
    // Searches only for names that the reply contains.
    const mentionedTexts = mentions.map((text) => (reply.includes(text) ? text : ""));
    return { isAccepted: true, files: await this.host.findFiles(mentionedTexts) };
  }

  /**
   * Sends the token colors of the page's theme; also after a snapshot, because an earlier message
   * may be lost.
   */
  async sendTheme(): Promise<void> {
    const { themeId } = this;
    if (themeId === undefined) return;
    const theme = await this.host.tokenTheme(themeId);
    if (themeId === this.themeId) this.post({ type: "theme-read", ...(theme && { theme }) });
  }

  /** Forgets the theme: the next page reports its own. */
  disconnect(): void {
    this.themeId = undefined;
  }

  /** Removes the marks from the editors when another conversation is shown. */
  clearMarks(): void {
    if (this.markedIds.size > 0) this.host.clearMarks(this.markedIds);
    this.markedIds = new Set();
  }

  dispose(): void {
    this.clearMarks();
    this.disconnect();
    this.owned.dispose();
  }
}
