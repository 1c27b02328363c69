import type { Log } from "../../../src/base/log";

export const silentLog: Log = { info() {}, warn() {}, error() {} };
