/* For what is drawn on a canvas, where colours do not change by themselves. */

const QUERIES = [
  '(forced-colors: active)',
  '(prefers-contrast: more)',
  '(prefers-contrast: less)',
  '(prefers-contrast: custom)',
]
const SYSTEM_COLOURS = ['Canvas', 'CanvasText', 'LinkText', 'Highlight', 'GrayText']

/** Calls back when colours may have changed: with the window's theme, or the system's contrast theme. Returns unsubscribe. */
export function onColours(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const queries = QUERIES.map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', listener)
  // No query changes between two contrast themes, but the window loses focus while a person switches.
  addEventListener('focus', listener)
  return () => {
    observer.disconnect()
    for (const query of queries) query.removeEventListener('change', listener)
    removeEventListener('focus', listener)
  }
}

/** A text that changes with the colours. */
export function coloursNow(): string {
  const probe = document.body.appendChild(document.createElement('span'))
  const read = readColour(probe)
  const colours = SYSTEM_COLOURS.map(read)
  probe.remove()
  return [document.documentElement.dataset.theme, matchMedia(QUERIES[0]!).matches, ...colours].join(' ')
}

/** Resolves a CSS colour at this element to one that a canvas accepts. Changes the element's style. */
export function readColour(element: HTMLElement): (colour: string) => string {
  return (colour) => {
    element.style.color = colour
    // Otherwise forced colours would make all of them the same.
    element.style.setProperty('forced-color-adjust', 'none')
    return getComputedStyle(element).color
  }
}
