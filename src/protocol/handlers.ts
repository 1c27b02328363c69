import * as z from "zod/mini";

/** Returns the schema of a message with its fields. */
export function messageType<const Type extends string, Fields extends z.core.$ZodShape>(
  type: Type,
  fields: Fields,
) {
  return z.object({ type: z.literal(type), ...fields });
}

export type MessageOf<Message extends { type: string }, Type extends string> = Extract<
  Message,
  { type: Type }
>;

export type Handlers<
  Message extends { type: string },
  Type extends Message["type"],
  Result,
> = Readonly<{ [T in Type]: (message: MessageOf<Message, T>) => Result }>;

/**
 * Creates handlers of the schemas' messages that load the object with the real ones when the first
 * message arrives.
 */
export function lateHandlers<Handled extends object>(
  schemas: readonly MessageSchema<keyof Handled & string>[],
  load: () => Promise<{ readonly handlers: Handled }>,
): Handled {
  const handler = (type: keyof Handled) => async (message: unknown) => {
    const { handlers } = await load();
    return (handlers[type] as (message: unknown) => unknown)(message);
  };
  const types = schemas.flatMap(({ shape }) => shape.type.def.values);
  return Object.fromEntries(types.map((type) => [type, handler(type)])) as Handled;
}

interface MessageSchema<Type extends string> {
  readonly shape: { readonly type: { readonly def: { readonly values: Type[] } } };
}

/** Calls the handler of the message's type. */
export function dispatch<Message extends { type: string }, Result>(
  handlers: Handlers<Message, Message["type"], Result>,
  message: Message,
): Result {
  const type: Message["type"] = message.type;
  return handlers[type](message as MessageOf<Message, Message["type"]>);
}
