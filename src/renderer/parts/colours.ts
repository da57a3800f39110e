/* For what is drawn on a canvas, where colours do not change by themselves. */

const QUERIES = [
  '(forced-colors: active)',
  '(prefers-contrast: more)',
  '(prefers-contrast: less)',
  '(prefers-contrast: custom)',
]
const SYSTEM_COLOURS = ['Canvas', 'CanvasText', 'LinkText', 'Highlight', 'GrayText']

/** Calls back when colours may have become others: with the window's theme, or the system's contrast theme. Returns unsubscribe. */
export function onColours(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const queries = QUERIES.map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', listener)
  // From one contrast theme to another no query changes, but the window was left for it.
  addEventListener('focus', listener)
  return () => {
    observer.disconnect()
    for (const query of queries) query.removeEventListener('change', listener)
    removeEventListener('focus', listener)
  }
}

/** Another text when colours are others. */
export function coloursNow(): string {
  const probe = document.body.appendChild(document.createElement('span'))
  const read = readColour(probe)
  const colours = SYSTEM_COLOURS.map(read)
  probe.remove()
  return [document.documentElement.dataset.theme, matchMedia(QUERIES[0]!).matches, ...colours].join(' ')
}

/** What a colour of the style sheet comes to where this element is, as a canvas takes it. Sets styles of the element. */
export function readColour(element: HTMLElement): (colour: string) => string {
  return (colour) => {
    element.style.color = colour
    // Otherwise a person's forced colours make all of them one.
    element.style.setProperty('forced-color-adjust', 'none')
    return getComputedStyle(element).color
  }
}
