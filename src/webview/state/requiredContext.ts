import { createContext, type Provider } from "preact";
import { useContext } from "preact/hooks";

/** Creates a context without a default: its hook throws outside the provider. */
export function createRequiredContext<T>(name: string): [Provider<T>, () => T] {
  const Context = createContext<T | undefined>(undefined);
  function useRequired(): T {
    const value = useContext(Context);
    if (value === undefined) throw new Error(`${name} has no provider`);
    return value;
  }
  return [Context.Provider as Provider<T>, useRequired];
}
