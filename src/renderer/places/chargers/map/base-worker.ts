import atlasAddress from 'world-atlas/countries-50m.json?url'
import { workerScope } from '../data/worker-scope.ts'
import { baseShapes, type CountryName, type WorldAtlas } from './base-shapes.ts'
import { drawBaseTile, type BaseColours, type BaseTile } from './draw-base-tile.ts'

/*
 * Draws the tiles of the base map outside the page's thread. The map data ships with Hangar, so no request leaves the computer.
 */

export interface TileRequest {
  id: number
  tile: BaseTile
  colours: BaseColours
}

/** Sent once, as soon as the map data is read. */
export interface BaseNames {
  names: readonly CountryName[]
}

/** Without a bitmap, `failure` says why the map could not be read or drawn. */
export interface BaseAnswer {
  id: number
  bitmap: ImageBitmap | null
  failure: string | null
}

const scope = workerScope<TileRequest, BaseAnswer | BaseNames>()
const shapes = fetch(atlasAddress).then(async (response) => baseShapes((await response.json()) as WorldAtlas))
shapes.then(
  ({ names }) => scope.postMessage({ names }),
  // Each tile says so.
  () => {},
)

async function draw({ tile, colours }: TileRequest): Promise<ImageBitmap> {
  const sizePx = Math.round(tile.size * tile.ratio)
  const canvas = new OffscreenCanvas(sizePx, sizePx)
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) throw new Error('This browser draws nothing in a worker.')
  drawBaseTile(context, await shapes, tile, colours)
  return canvas.transferToImageBitmap()
}

scope.onmessage = ({ data: request }) => {
  draw(request).then(
    (bitmap) => scope.postMessage({ id: request.id, bitmap, failure: null }, [bitmap]),
    (error: unknown) => scope.postMessage({ id: request.id, bitmap: null, failure: String(error) }),
  )
}
