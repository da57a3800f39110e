type Place = readonly [name: string, x: number, y: number, more: number]
export function makeBaseMap(): Record<'land' | 'lakes' | 'borders' | 'rivers', number[][]> &
  Record<'towns' | 'countries', Place[]>
export function baseMapLicenses(): string
