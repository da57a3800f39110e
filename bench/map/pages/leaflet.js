/* The same chargers as one would put them on a map of Leaflet first: `?kind=markers`, or `?kind=cluster` with its plugin. */
const page = globalThis
const { L } = page
const kind = new page.URLSearchParams(page.location.search).get('kind')
const map = L.map('map', { maxZoom: 14 }).setView([49.5, 9.5], 6)
page.seen.askedAtMs = page.performance.timeOrigin + page.performance.now()
const response = await page.fetch('/chargers.json')
const text = await response.text()
page.seen.dataAtMs = page.performance.timeOrigin + page.performance.now()
const layer = kind === 'cluster' ? L.markerClusterGroup() : L.layerGroup()
const chargers = JSON.parse(text)
for (const { location, icao } of chargers) {
  if (location === null) continue
  const marker = L.marker([location.lat, location.lng], { title: icao ?? '' })
  if (kind === 'cluster') layer.addLayer(marker)
  else marker.addTo(layer)
}
layer.addTo(map)
