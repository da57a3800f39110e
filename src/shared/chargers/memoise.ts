/** Chargers share a few dozen manufacturers, connectors and powers; data with more distinct texts is only slower. */
const MAX_TEXTS = 5000

/** Memoises `make` by text: most chargers have the same few texts. */
export function memoise<Made>(make: (text: string) => Made): (text: string) => Made {
  const made = new Map<string, Made>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined || made.has(text)) return known as Made
    if (made.size >= MAX_TEXTS) made.clear()
    const fresh = make(text)
    made.set(text, fresh)
    return fresh
  }
}
