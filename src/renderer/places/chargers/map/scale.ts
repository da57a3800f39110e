import L from 'leaflet'

const NM_M = 1852

/** What Leaflet's control has inside. */
interface Inner {
  options: { maxWidth: number }
  _iScale: HTMLElement
  _getRoundNum: (length: number) => number
  _updateScale: (line: HTMLElement, text: string, share: number) => void
}

/** Leaflet's scale, with nautical miles in place of statute ones; below one of them it is metric alone. */
export const Scale = L.Control.Scale.extend({
  _updateImperial(this: Inner, metres: number) {
    const nm = this._getRoundNum(metres / NM_M)
    this._updateScale(this._iScale, `${nm} NM`, (nm * NM_M) / metres)
    this._iScale.hidden = metres < NM_M
  },
  // Leaflet's own sets markup, which the policy of the page forbids.
  _updateScale(this: Inner, line: HTMLElement, text: string, share: number) {
    line.style.width = `${this.options.maxWidth * share}px`
    line.textContent = text
  },
}) as unknown as new (options: L.Control.ScaleOptions) => L.Control.Scale
