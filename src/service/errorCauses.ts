/**
 * Table of the causes that real services name in their errors. The cause decides what the user can
 * do, and no error with a cause is retried. Each pattern has an error with its source in
 * test/fixtures/serviceErrors.ts.
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
  /** Parts of a message; the group `limit` is the number of tokens that the model reads. */
  readonly words?: readonly RegExp[];
}

/** The first row that holds counts. Reads at most 1,000 UTF-16 units of a message. */
export const ERROR_CAUSES: readonly CauseRow[] = [
  {
    about: "context",
    codes: /^(?:(?:model_)?context_(?:length|window)_exceeded|exceed_context_size_error)$/i, // OpenAI, llama.cpp
    words: [
      /maximum context length(?: is| of|:) (?<limit>\d{1,9})/i, // OpenAI, vLLM, SGLang, OpenRouter
      /exceed the configured limit of (?<limit>\d{1,9})/i, // OpenAI
      /maximum model length of (?<limit>\d{1,9})/i, // vLLM
      /(?:model's context|maximum allowed) length \((?<limit>\d{1,9}) tokens/i, // SGLang
      /exceeds the available context size(?: \((?<limit>\d{1,9}) tokens)?/i, // llama.cpp
      /exceed context window of (?<limit>\d{1,9})/i, // llama-cpp-python
      /context length of only (?<limit>\d{1,9}) tokens/i, // LM Studio
      /n_keep:? \(?\d{1,9}\)? ?>= n_ctx:? \(?(?<limit>\d{1,9})/i, // LM Studio
      /prompt too long; exceeded max context length/i, // Ollama
      /range of input length should be \[\d{1,9}, (?<limit>\d{1,9})\]/i, // DashScope
      /exceeds the maximum number of tokens allowed(?: \((?<limit>\d{1,9})\))?/i, // Gemini
      /prompt is too long: \d{1,9} tokens > (?<limit>\d{1,9})/i, // Anthropic
      /exceed context limit: \d{1,9} \+ \d{1,9} > (?<limit>\d{1,9})/i, // Anthropic
      /exceeds the maximum length (?<limit>\d{1,9})/i, // Volcano Ark
      /exceeded model token limit: (?<limit>\d{1,9})/i, // Moonshot
      /too large for model with (?<limit>\d{1,9}) maximum context length/i, // Mistral
      /input is too long for requested model/i, // Amazon Bedrock
      /model's context length is only (?<limit>\d{1,9})/i, // vLLM
      /too long to fit into the model \(context length (?<limit>\d{1,9})/i, // vLLM
      /maximum prompt length is (?<limit>\d{1,9})/i, // xAI
      /`inputs` tokens \+ `max_new_tokens` must be <= (?<limit>\d{1,9})/i, // Together, TGI
      /tokens to keep from the initial prompt is greater than the context length/i, // LM Studio
      /prompt exceeds max length/i, // Zhipu
      /must be less than (?:or equal to )?max_seq_len \((?<limit>\d{1,9})/i, // SiliconFlow
      /context window exceeds limit/i, // MiniMax, with the number of the error
      /exceeds the context window/i, // OpenAI
      /prompt token count of \d{1,9} exceeds the limit of (?<limit>\d{1,9})/i, // GitHub Copilot
      /current length is \d{1,9} while limit is (?<limit>\d{1,9})/i, // Cerebras
    ],
  },
  { about: "quota", statuses: [402] }, // DeepSeek, OpenRouter
  {
    about: "quota",
    // OpenAI, Moonshot, New API and relays of its kind, DashScope, Volcano Ark
    codes:
      /^(?:insufficient_quota|exceeded_current_quota_error|insufficient_user_quota|pre_consume_token_quota_failed|arrearage|allocationquota\.freetieronly|accountoverdueerror)$/i,
    words: [
      /billing hard limit has been reached/i, // OpenAI
      /insufficient balance or no resource package/i, // Zhipu
      /余额不足或无可用资源包/, // Zhipu
      /credit balance is too low/i, // Anthropic
      // Gemini: a limit of zero never refills; any other limit is a rate limit.
      /quota exceeded for metric: [\w./]{1,200}, limit: 0\b/i,
    ],
  },
  {
    about: "model",
    // OpenAI, vLLM, Azure OpenAI, relays
    codes:
      /^(?:(?:model|deployment)_?(?:not_?found|not_?exists?|does_?not_?exist|unknown)|(?:unknown|invalid|no_?such)_?model(?:_?name)?)$/i,
    // New API and relays of its kind, with status 503; OpenRouter
    words: [
      /无可用渠道/,
      /no available channel for model/i,
      /is not a valid model id/i,
      /no endpoints found for \S/i,
    ],
  },
  {
    about: "model", // Ollama, LM Studio, LiteLLM, SGLang, DeepSeek
    statuses: [400, 404, 422],
    params: /^model$/,
    words: [
      /\bmodel\b.{0,200}\b(?:does not exist|doesn't exist|not exist|not found|is unknown)|\b(?:unknown|no such|invalid) model\b|模型.{0,200}(?:不存在|未找到)/i,
    ],
  },
  { about: "key", statuses: [401] },
  {
    about: "key",
    // OpenAI, DeepSeek, DashScope, Anthropic; Gemini, with status 400
    codes:
      /^(?:401|(?:invalid|incorrect|missing|expired|no)?_?api_?key(?:_?\w+)?|(?:invalid|missing|expired)_(?:api_)?(?:key|token)|authentication(?:_?error|_failed)?|unauthori[sz]ed|unauthenticated)$/i,
  },
  {
    about: "tools",
    words: [
      /does not support (?:tools|function calling)\b/i, // Ollama, DeepSeek
      /tool choice requires --enable-auto-tool-choice/i, // vLLM
      /no endpoints found that support (?:tool use|the provided 'tool_)/i, // OpenRouter
      /tools param requires --jinja|unsupported param: tools/i, // llama.cpp, with status 500
    ],
  },
  {
    about: "tools", // OpenAI, Azure OpenAI, and services that name the field; `tools[0]` is one tool
    statuses: [400, 422],
    params: /^(?:body\.)?tools?(?:_choice)?$/,
    words: [/\b(?:tools|tool_choice)\b(?![.[])/i],
  },
];
