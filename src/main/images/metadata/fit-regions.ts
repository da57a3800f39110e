import { fitOf, swapsSides, type Fit } from './picture-fit.ts'
import type { XmpProperty, XmpValue } from './xmp.ts'

/** A rectangle by its upper left corner; a point has no sides. All from 0 to 1. */
interface Box {
  x: number
  y: number
  w: number
  h: number
}

/**
 * Regions of the Metadata Working Group, and those that ACDSee derived from them: areas by their middle, and the size of the picture
 * that they were drawn on. Null where they cannot be told for the result.
 */
export function fitMwgRegions(value: XmpValue, fit: Fit): XmpValue | null {
  const applied = fitOfDimensions(value, fit)
  if (applied === null) return null
  return mapStructures(value, (structure) => {
    const box = middleBox(structure)
    if (box !== null) {
      const placed = boxIn(box, applied)
      return placed && withNumbers(structure, { ...placed, x: placed.x + placed.w / 2, y: placed.y + placed.h / 2 })
    }
    if (hasFields(structure, ['w', 'h']) && fit.size !== null)
      return withNumbers(structure, { w: fit.size.width, h: fit.size.height })
    return structure
  })
}

/** Some programs draw regions on the picture as it is shown: its size then is that of the upright picture. */
function fitOfDimensions(value: XmpValue, fit: Fit): Fit | null {
  const { original, size } = fit
  const dimensions = value.kind === 'structure' ? value.fields.find(({ name }) => name === 'AppliedToDimensions') : null
  const [w, h] = ['w', 'h'].map((name) => numberIn(dimensions?.value, name))
  if (original === null || size === null || w == null || h == null || w <= 0 || h <= 0) return fit
  const isLike = (width: number, height: number): boolean => Math.abs((w * height) / (h * width) - 1) < 0.01
  if (isLike(original.width, original.height)) return fit
  if (!swapsSides(original.orientation) || !isLike(original.height, original.width)) return fit.isTurned ? null : fit
  const shown = { width: original.height, height: original.width, orientation: 1 }
  return fitOf(shown, { ...size, orientation: fit.pixelOrientation })
}

/** Regions of Windows: each a text, `x, y, w, h`. */
export function fitMicrosoftRegions(value: XmpValue, fit: Fit): XmpValue | null {
  return mapStructures(value, (structure) => {
    const fields = structure.fields.map((field) => {
      if (field.name !== 'Rectangle' || field.value.kind !== 'text') return field
      const [x, y, w, h] = field.value.text.split(',').map(Number)
      const placed = [x, y, w, h].every((number) => Number.isFinite(number))
        ? boxIn({ x: x!, y: y!, w: w!, h: h! }, fit)
        : null
      if (placed === null) return null
      const text = [placed.x, placed.y, placed.w, placed.h].map(written).join(', ')
      return { ...field, value: { ...field.value, text } }
    })
    return fields.includes(null) ? null : { ...structure, fields: fields.filter((field) => field !== null) }
  })
}

/** IPTC's: rectangles by a corner, circles by the middle, polygons by points; relative to the picture, or in pixels. */
export function fitIptcRegions(value: XmpValue, fit: Fit): XmpValue | null {
  return mapStructures(value, (structure) => {
    const boundary = structure.fields.find(({ name }) => name === 'RegionBoundary')
    if (boundary === undefined) return structure
    const placed = boundary.value.kind === 'structure' ? boundaryIn(boundary.value, fit) : null
    if (placed === null) return null
    return { ...structure, fields: structure.fields.map((f) => (f === boundary ? { ...f, value: placed } : f)) }
  })
}

function boundaryIn(boundary: Structure, fit: Fit): Structure | null {
  const { original, size, scale } = fit
  if (original === null || size === null || scale === null) return null
  const isPixels = textIn(boundary, 'rbUnit') === 'pixel'
  const [across, down] = isPixels ? [original.width, original.height] : [1, 1]
  const [newAcross, newDown] = isPixels ? [size.width, size.height] : [1, 1]
  const placed = mapStructures(boundary, (structure) => {
    const [x, y, w = 0, h = 0] = ['rbX', 'rbY', 'rbW', 'rbH'].map((name) => numberIn(structure, name) ?? undefined)
    if (x === undefined || y === undefined) return structure
    const box = boxIn({ x: x / across, y: y / down, w: w / across, h: h / down }, fit)
    if (box === null) return null
    const radius = numberIn(structure, 'rbRx')
    // A part of the width.
    const pixels = radius === null ? null : radius * (isPixels ? 1 : original.width) * scale.x
    return withNumbers(structure, {
      rbX: box.x * newAcross,
      rbY: box.y * newDown,
      rbW: box.w * newAcross,
      rbH: box.h * newDown,
      ...(pixels === null ? {} : { rbRx: isPixels ? pixels : pixels / size.width }),
    })
  })
  return placed?.kind === 'structure' ? placed : null
}

type Structure = Extract<XmpValue, { kind: 'structure' }>

/** The value with each structure in it replaced, inner ones first; null if one of them is. */
function mapStructures(value: XmpValue, replace: (structure: Structure) => XmpValue | null): XmpValue | null {
  switch (value.kind) {
    case 'text':
    case 'link':
      return value
    case 'structure': {
      const fields = value.fields.map((field): XmpProperty | null => {
        const inside = mapStructures(field.value, replace)
        return inside === null ? null : { ...field, value: inside }
      })
      return fields.includes(null) ? null : replace({ ...value, fields: fields.filter((field) => field !== null) })
    }
    default: {
      const items = value.items.map((item) => mapStructures(item, replace))
      return items.includes(null) ? null : { ...value, items: items.filter((item) => item !== null) }
    }
  }
}

function textIn(value: XmpValue | undefined, name: string): string | null {
  const field = value?.kind === 'structure' ? value.fields.find((other) => other.name === name) : undefined
  return field?.value.kind === 'text' ? field.value.text.trim() : null
}

function numberIn(value: XmpValue | undefined, name: string): number | null {
  const text = textIn(value, name)
  return text === null || text === '' || !Number.isFinite(Number(text)) ? null : Number(text)
}

function hasFields(structure: Structure, names: readonly string[]): boolean {
  return names.every((name) => numberIn(structure, name) !== null)
}

function middleBox(structure: Structure): Box | null {
  if (!hasFields(structure, ['x', 'y'])) return null
  const [x, y, w, h] = ['x', 'y', 'w', 'h'].map((name) => numberIn(structure, name) ?? 0)
  return { x: x! - w! / 2, y: y! - h! / 2, w: w!, h: h! }
}

function boxIn({ x, y, w, h }: Box, { place }: Fit): Box | null {
  if (place === null) return null
  const [one, other] = [place({ x, y }), place({ x: x + w, y: y + h })]
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    w: Math.abs(one.x - other.x),
    h: Math.abs(one.y - other.y),
  }
}

/** Only fields that are there. */
function withNumbers(structure: Structure, numbers: Readonly<Record<string, number>>): Structure {
  const fields = structure.fields.map((field): XmpProperty => {
    const number = numbers[field.name]
    return number === undefined || field.value.kind !== 'text'
      ? field
      : { ...field, value: { ...field.value, text: written(number) } }
  })
  return { ...structure, fields }
}

export function written(number: number): string {
  return String(Number(number.toFixed(6)))
}
