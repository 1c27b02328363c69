/**
 * Table of the causes that real services name in their errors. The cause decides what the user can
 * do, and no error with a cause is retried. A row without words of a service is not added: each has a
 * recorded error with its source in test/fixtures/serviceErrors.ts.
 */
import type { FailureSubject } from "./types";

/** A row holds for an error with one of its codes, parameters or words, or for its status alone. */
export interface CauseRow {
  readonly about: FailureSubject;
  /** Statuses for which the row holds; missing for all and for an error in a reply of status 200. */
  readonly statuses?: readonly number[];
  /** A code, type or reason, with `_` instead of blanks and `-`. */
  readonly codes?: RegExp;
  /** Name of the parameter with the error. */
  readonly params?: RegExp;
  /** Part of a message; the group `limit` is the number of tokens that the model reads. */
  readonly words?: RegExp;
}

/** The first row that holds counts. Reads at most 1,000 UTF-16 units of a message. */
export const ERROR_CAUSES: readonly CauseRow[] = [
  // OpenAI, Azure OpenAI, Groq; LM Studio; llama.cpp; z.ai
  {
    about: "context",
    codes: /^(?:(?:model_)?context_(?:length|window)_exceeded|exceed_context_size_error)$/i,
  },
  // OpenAI, Azure OpenAI, vLLM, SGLang, DeepSeek, OpenRouter, LiteLLM; xAI
  { about: "context", words: /maximum (?:context|prompt) length (?:is|of) (?<limit>\d{1,9})/i },
  { about: "context", words: /exceed the configured limit of (?<limit>\d{1,9})/i }, // OpenAI
  { about: "context", words: /maximum model length of (?<limit>\d{1,9})/i }, // vLLM
  { about: "context", words: /model's context length \((?<limit>\d{1,9}) tokens/i }, // SGLang
  { about: "context", words: /maximum allowed length \((?<limit>\d{1,9}) tokens/i }, // SGLang
  {
    about: "context",
    words: /exceeds the available context size(?: \((?<limit>\d{1,9}) tokens)?/i, // llama.cpp
  },
  { about: "context", words: /exceed context window of (?<limit>\d{1,9})/i }, // llama-cpp-python
  { about: "context", words: /context length of only (?<limit>\d{1,9}) tokens/i }, // LM Studio
  { about: "context", words: /n_keep \(\d{1,9}\) >= n_ctx \((?<limit>\d{1,9})\)/i }, // LM Studio
  { about: "context", words: /prompt too long; exceeded max context length/i }, // Ollama
  {
    about: "context",
    words: /range of input length should be \[\d{1,9}, (?<limit>\d{1,9})\]/i, // DashScope
  },
  {
    about: "context", // Gemini
    words: /exceeds the maximum number of tokens allowed(?: \((?<limit>\d{1,9})\))?/i,
  },
  { about: "context", words: /prompt is too long: \d{1,9} tokens > (?<limit>\d{1,9})/i }, // Anthropic
  {
    about: "context", // Anthropic
    words: /exceed context limit: \d{1,9} \+ \d{1,9} > (?<limit>\d{1,9})/i,
  },
  { about: "context", words: /exceeds the maximum length (?<limit>\d{1,9})/i }, // Volcano Ark
  { about: "context", words: /exceeded model token limit: (?<limit>\d{1,9})/i }, // Moonshot
  {
    about: "context",
    words: /too large for model with (?<limit>\d{1,9}) maximum context length/i, // Mistral
  },

  // OpenAI, Azure OpenAI; Moonshot; One API, New API; DashScope
  {
    about: "quota",
    codes:
      /^(?:insufficient_quota|exceeded_current_quota_error|insufficient_user_quota|pre_consume_token_quota_failed|arrearage|allocationquota\.freetieronly)$/i,
  },
  { about: "quota", statuses: [402] }, // DeepSeek, OpenRouter
  { about: "quota", words: /credit balance is too low/i }, // Anthropic
  // Gemini: a limit of zero never refills; any other limit is a rate limit.
  { about: "quota", words: /quota exceeded for metric: [\w./]{1,200}, limit: 0\b/i },

  // OpenAI, One API, New API, vLLM; Azure OpenAI; DashScope
  {
    about: "model",
    codes:
      /^(?:(?:model|deployment)_?(?:not_?found|not_?exists?|does_?not_?exist|unknown)|(?:unknown|invalid|no_?such)_?model(?:_?name)?)$/i,
  },
  { about: "model", words: /无可用渠道/ }, // One API, with status 503
  { about: "model", words: /no available channel for model/i }, // New API, with status 503
  { about: "model", words: /is not a valid model id/i }, // OpenRouter
  {
    about: "model", // Ollama, LM Studio, LiteLLM, SGLang, DeepSeek
    statuses: [400, 404, 422],
    params: /^model$/,
    words:
      /\bmodel\b.{0,200}\b(?:does not exist|doesn't exist|not exist|not found|is unknown)|\b(?:unknown|no such|invalid) model\b|模型.{0,200}(?:不存在|未找到)/i,
  },

  { about: "key", statuses: [401] },
  // OpenAI, DeepSeek, DashScope, Anthropic; Gemini, with status 400
  {
    about: "key",
    codes:
      /^(?:401|(?:invalid|incorrect|missing|expired|no)?_?api_?key(?:_?\w+)?|(?:invalid|missing|expired)_(?:api_)?(?:key|token)|authentication(?:_?error|_failed)?|unauthori[sz]ed|unauthenticated)$/i,
  },

  { about: "tools", words: /does not support (?:tools|function calling)\b/i }, // Ollama, DeepSeek
  { about: "tools", words: /tool choice requires --enable-auto-tool-choice/i }, // vLLM
  { about: "tools", words: /no endpoints found that support (?:tool use|the provided 'tool_)/i }, // OpenRouter
  { about: "tools", words: /tools param requires --jinja/i }, // llama.cpp, with status 500
  // OpenAI, Azure OpenAI, and services that name the field; `tools[0]` is about a single tool.
  {
    about: "tools",
    statuses: [400, 422],
    params: /^(?:body\.)?tools?(?:_choice)?$/,
    words: /\b(?:tools|tool_choice)\b(?![.[])/i,
  },
];
