import { createRequiredContext } from "../state/requiredContext";
import type { HistoryPane } from "./historyPane";

export const [HistoryProvider, useHistory] = createRequiredContext<HistoryPane>("HistoryPane");
