/** Chargers have a few dozen makers, plugs and powers in common; a service that gives each its own is only slower. */
const MOST_TEXTS = 5000

/** `make`, which works each text out once: most chargers say the same few. */
export function remembering<Made>(make: (text: string) => Made): (text: string) => Made {
  const made = new Map<string, Made>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined || made.has(text)) return known as Made
    if (made.size >= MOST_TEXTS) made.clear()
    const fresh = make(text)
    made.set(text, fresh)
    return fresh
  }
}
