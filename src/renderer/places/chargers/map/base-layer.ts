import { startWorker } from '../data/trusted.ts'
import { partMissing } from '../../../store/page-trouble.ts'
import L from 'leaflet'
import type { BaseAnswer, BaseNames, TileRequest } from './base-worker.ts'
import type { CountryName } from './base-shapes.ts'
import type { BaseColours } from './draw-base-tile.ts'

/** Large tiles: each is a compositing layer of its own, which costs time in every frame while the map moves. */
const TILE_PX = 512
/** The maximum number of tiles being drawn at once; tiles that leave the view before their turn are never drawn. */
const AT_ONCE = 4

interface Square {
  request: TileRequest
  canvas: HTMLCanvasElement
  done: L.DoneCallback
}

/** The world from Natural Earth, drawn in a worker tile by tile. It repeats to the left and right. */
export class BaseLayer extends L.GridLayer {
  readonly #worker = startWorker('base')
  readonly #waiting = new Map<number, Square>()
  readonly #asked = new Map<number, Square>()
  readonly #idOf = new WeakMap<HTMLElement, number>()
  #lastId = 0
  #colours: BaseColours

  constructor(colours: BaseColours, onNames: (names: readonly CountryName[]) => void) {
    super({
      tileSize: TILE_PX,
      minZoom: 0,
      maxZoom: 24,
      updateWhenIdle: false,
      updateWhenZooming: false,
      keepBuffer: 1,
    })
    this.#colours = colours
    this.#worker.onmessage = ({ data }: MessageEvent<BaseAnswer | BaseNames>) =>
      'names' in data ? onNames(data.names) : this.#show(data)
    this.on('tileunload', ({ tile }) => this.#waiting.delete(this.#idOf.get(tile) ?? 0))
  }

  recolour(colours: BaseColours): void {
    this.#colours = colours
    this.redraw()
  }

  override createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas')
    const id = (this.#lastId += 1)
    const tile = { x: coords.x, y: coords.y, z: coords.z, size: TILE_PX, ratio: Math.min(devicePixelRatio, 3) }
    this.#idOf.set(canvas, id)
    this.#waiting.set(id, { request: { id, tile, colours: this.#colours }, canvas, done })
    queueMicrotask(() => this.#send())
    return canvas
  }

  override onRemove(map: L.Map): this {
    super.onRemove(map)
    this.#worker.terminate()
    return this
  }

  #send(): void {
    for (const [id, square] of this.#waiting) {
      if (this.#asked.size >= AT_ONCE) return
      this.#waiting.delete(id)
      this.#asked.set(id, square)
      this.#worker.postMessage(square.request)
    }
  }

  #show({ id, bitmap, failure }: BaseAnswer): void {
    const square = this.#asked.get(id)
    this.#asked.delete(id)
    this.#send()
    if (square === undefined) return
    const { canvas, done } = square
    if (bitmap !== null) {
      canvas.width = bitmap.width
      canvas.height = bitmap.height
      canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap)
    }
    if (failure !== null) partMissing()
    done(failure === null ? undefined : new Error(failure), canvas)
  }
}
