/** Serialises work by key: tasks with the same key run one after another, in the order of the calls. */
export type KeyedMutex = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const ended = result
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === ended) last.delete(key)
      })
    last.set(key, ended)
    return result
  }
}
