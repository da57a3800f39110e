/*
 * Goes into each page before anything else of it. `seen` holds, in ms: how long the page was busy at a stretch and how far apart
 * its frames were, while `seen.isOn`; when something of the map could be seen first; how long typed letters took to count; and how long the worker took to answer
 * each question for a route, with the kind of its answer.
 */
const page = globalThis
const seen = { tasks: [], frames: [], isOn: false, pictureAtMs: null, typed: [], routes: [] }
page.seen = seen
const now = () => page.performance.timeOrigin + page.performance.now()
new page.PerformanceObserver((list) => {
  if (seen.isOn) for (const entry of list.getEntries()) seen.tasks.push(entry.duration)
}).observe({ entryTypes: ['longtask'] })
let last = page.performance.now()
function frame(at) {
  if (seen.isOn) seen.frames.push(at - last)
  last = at
  // Markers of Hangar have buttons when they are drawn; those of Leaflet are pictures or boxes themselves.
  if (
    seen.pictureAtMs === null &&
    page.document.querySelector('.chargers-marker-button, .leaflet-marker-icon') !== null
  )
    seen.pictureAtMs = now()
  page.requestAnimationFrame(frame)
}
page.requestAnimationFrame(frame)
let typedAt = null
page.addEventListener('input', () => (typedAt = page.performance.now()), true)
page.document.addEventListener('DOMContentLoaded', () => {
  new page.MutationObserver((changes) => {
    const isCount = changes.some(({ target }) => (target.parentElement ?? target).closest?.('.chargers-sort') != null)
    if (!isCount || typedAt === null) return
    seen.typed.push(page.performance.now() - typedAt)
    typedAt = null
  }).observe(page.document.body, { subtree: true, childList: true, characterData: true })
})
page.Worker = class extends page.Worker {
  postMessage(question, ...rest) {
    if (question?.name === 'route') {
      const askedMs = page.performance.now()
      const onReply = ({ data }) => {
        if (data.id !== question.id) return
        this.removeEventListener('message', onReply)
        const ms = page.performance.now() - askedMs
        seen.routes.push({ ms, kind: data.answer?.answer.kind ?? 'none' })
      }
      this.addEventListener('message', onReply)
    }
    super.postMessage(question, ...rest)
  }
}
