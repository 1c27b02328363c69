/** Set-up of a suite that asks a service. */
import type { ReplyView } from "../../../src/protocol/views";
import { startService, type ReferenceService } from "../../service/server";
import type { Page } from "./panelRig";

interface SuiteService extends ReferenceService {
  /** Asks a question with this answer, and waits for its end. */
  exchange(page: Page, question: string, answer: string): Promise<ReplyView>;
  /** Asks a question whose answer stops after `first` until the gate is released. */
  halfway(page: Page, question: string, first: string, second: string): Promise<void>;
}

/** Returns a reference service that runs during the suite and is reset before each test. */
export function suiteService(): SuiteService {
  const service = {} as SuiteService;
  before(async () => {
    const exchange: SuiteService["exchange"] = (page, question, answer) => {
      service.script({ blocks: [answer] });
      return page.askToEnd(question);
    };
    const halfway: SuiteService["halfway"] = async (page, question, first, second) => {
      service.script({ blocks: [first, { gate: true }, second] });
      await page.ask(question);
      await page.until(() => page.lastReply?.text === first);
    };
    Object.assign(service, await startService(), { exchange, halfway });
  });
  beforeEach(() => service.reset());
  after(() => service.close());
  return service;
}

/** Returns the messages of the last request. */
export function lastMessages({ requests }: ReferenceService) {
  return (requests.at(-1)?.body as { messages: { role: string; content: string }[] }).messages;
}

/** Returns the texts of the last request. */
export function lastText(service: ReferenceService): string {
  return lastMessages(service)
    .map(({ content }) => content)
    .join("\n");
}
