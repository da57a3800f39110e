/*
 * Goes into each page before anything else of it. `seen` holds, in ms: how long the page was busy at a stretch and how far apart
 * its frames were, while `seen.isOn`; when something of the map could be seen first; and how long typed letters took to count.
 */
const page = globalThis
const seen = { tasks: [], frames: [], isOn: false, pictureAtMs: null, typed: [] }
page.seen = seen
const now = () => page.performance.timeOrigin + page.performance.now()
new page.PerformanceObserver((list) => {
  if (seen.isOn) for (const entry of list.getEntries()) seen.tasks.push(entry.duration)
}).observe({ entryTypes: ['longtask'] })
let last = page.performance.now()
function frame(at) {
  if (seen.isOn) seen.frames.push(at - last)
  last = at
  if (seen.pictureAtMs === null && page.document.querySelector('.leaflet-marker-icon') !== null)
    seen.pictureAtMs = now()
  page.requestAnimationFrame(frame)
}
page.requestAnimationFrame(frame)
let typedAt = null
page.addEventListener('input', () => (typedAt = page.performance.now()), true)
page.document.addEventListener('DOMContentLoaded', () => {
  new page.MutationObserver((changes) => {
    const isCount = changes.some(
      ({ target }) => (target.parentElement ?? target).closest?.('.chargers-side-head') != null,
    )
    if (!isCount || typedAt === null) return
    seen.typed.push(page.performance.now() - typedAt)
    typedAt = null
  }).observe(page.document.body, { subtree: true, childList: true, characterData: true })
})
