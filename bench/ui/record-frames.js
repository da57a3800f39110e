/*
 * Goes into the page before anything else of it: how long it was busy at a stretch, and how far apart its frames were, both in
 * ms, while `seen.isOn`.
 */
const page = globalThis
const seen = { tasks: [], frames: [], isOn: false }
page.seen = seen
new page.PerformanceObserver((list) => {
  if (seen.isOn) for (const entry of list.getEntries()) seen.tasks.push(entry.duration)
}).observe({ entryTypes: ['longtask'] })
let last = page.performance.now()
function frame(now) {
  if (seen.isOn) seen.frames.push(now - last)
  last = now
  page.requestAnimationFrame(frame)
}
page.requestAnimationFrame(frame)
